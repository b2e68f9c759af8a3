"""Names of export fields, and the fields of a profile that they suggest."""

import re
from dataclasses import dataclass

from loaders.inference.field_stats import FieldStats

_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")
# Shapefiles truncate field names to 10 characters: HISTORIC_N is a name.
_SHAPEFILE_LENGTH = 10
_TRUNCATED = {"n": "name", "na": "name", "nam": "name", "addre": "address", "addres": "address"}


@dataclass(frozen=True)
class Guess:
    """The expressions proposed for a field of a profile, the export fields it uses, and reasons to doubt it.

    `is_assigned` is whether the database is to assign integers to the text ids of the expressions.
    """

    expressions: str | list[str]
    fields: tuple[FieldStats, ...]
    warnings: tuple[str, ...] = ()
    is_assigned: bool = False


@dataclass(frozen=True)
class Target:
    """A field of the profile: how its columns are named, best names first, and which types of values they have.

    A column whose values are mostly of `sufficient_type` needs no known name.
    """

    names: tuple[str, ...]
    excluded_words: str
    types: tuple[str, ...]
    sufficient_type: str | None = None

    def name_score(self, words: str) -> int:
        """Return how well the words of a field's name match, 0 for not at all."""
        if self.excludes(words):
            return 0
        matches = (index for index, pattern in enumerate(self.names) if re.fullmatch(pattern, words))
        return len(self.names) - next(matches, len(self.names))

    def excludes(self, words: str) -> bool:
        """Return whether the name contains a word that rules it out."""
        return bool(re.search(rf"\b({self.excluded_words})\b", words))

    def best_score(self, stats: FieldStats) -> int:
        """Return the score of the better one of a field's name and its alias."""
        return max(map(self.name_score, names_of(stats)))


def names_of(stats: FieldStats) -> list[str]:
    """Return the lower-case words of a field's name and of its alias."""
    return [split_words(each) for each in (stats.name, stats.alias) if isinstance(each, str)]


def split_words(name: str) -> str:
    """Return the lower-case words of a field's name without its table: "BLDG_No." and "Bldg#" are "bldg no"."""
    column = name.replace("#", " no").rstrip(".").rpartition(".")[2]
    words = _WORDS.findall(_CAMEL_CASE.sub(" ", column).casefold())
    if words and len(column) == _SHAPEFILE_LENGTH:
        words[-1] = _TRUNCATED.get(words[-1], words[-1])
    return " ".join(words)
