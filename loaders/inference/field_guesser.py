"""Heuristics mapping export fields to profile fields."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from loaders.inference.field_stats import ADDRESSES, IMAGES, INTEGERS, TEXT, URLS, FieldStats
from loaders.text import pluralize

_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")


@dataclass(frozen=True)
class _Target:
    """A field of the profile: how its sources are named, best names first, and which types of values they have.

    A source whose values are mostly of `sufficient_type` needs no known name.
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


_ROW_NUMBER = r"object ?id( \d)?|fid|oid|gid"
_HOUSE_NUMBER = re.compile(r"(.* )?(house|street|addr|address) ?(number|num|no|nr)")
_TARGETS = {
    "id": _Target(
        names=(
            r"id|ref|root",
            r"(.* )?(building|bldg|facility|structure|site) ?(id|ref|root|number|num|no|nr|code)",
            r"(.* )?(id|ref|root|number|num|no|nr|code)",
            _ROW_NUMBER,
            r".*",
        ),
        excluded_words="year|date|area|length|width|height|elevation|floors?|stories|units|zip|postal|phone"
        "|lat|latitude|lon|lng|longitude|x|y|z|count|global|layer|lot|block|street|address|addr|house|housenumber"
        "|level|stroke|opacity",
        types=(INTEGERS,),
    ),
    "name": _Target(
        names=(
            r"name",
            r"(.* )?(building|bldg|facility|structure|site|hall|historic|landmark) ?name",
            r"(.* )?\w*name",
            r"title|label",
        ),
        excluded_words="street|file|filename|user|username|owner|editor|creator|city|town|county|state|country|zone"
        "|layer|type|department|dept|architect|contact|first|last|alt|old|short|streetname",
        types=(TEXT, ADDRESSES),
    ),
    "address": _Target(
        names=(r"(full |street )?address|addr full", r"(.* )?\w*addr(ess)?( 1| line 1)?", r"(.* )?street( name)?"),
        excluded_words="e|email|mail|mailing|web|ip|owner",
        types=(TEXT, ADDRESSES),
        sufficient_type=ADDRESSES,
    ),
    "city": _Target(
        names=(r"(addr )?city", r"(.* )?(city|town|municipality)( name)?"),
        excluded_words="id|code|council|ward",
        types=(TEXT, ADDRESSES),
    ),
    "image": _Target(
        names=(
            r"image|photo|picture",
            r"(?!.*thumb).*(image|photo|picture|pic|img).*",
            r".*(thumb|image|photo|pic).*",
        ),
        excluded_words="date|credit|caption|id",
        types=(URLS, IMAGES),
        sufficient_type=IMAGES,
    ),
}
# Shapefiles truncate field names to 10 characters: HISTORIC_N is a name.
_SHAPEFILE_LENGTH = 10
_TRUNCATED = {"n": "name", "na": "name", "nam": "name", "addre": "address", "addres": "address"}
_MIN_ID_SHARE = 0.5
_GOOD_ID_SHARE = 0.9


@dataclass(frozen=True)
class Guess:
    """A proposed source of a profile field, the export fields it uses, and reasons to doubt it."""

    source: str
    fields: tuple[FieldStats, ...]
    warnings: tuple[str, ...] = ()


def guess_fields(fields: Iterable[FieldStats], aliases: Mapping[str, object], records: int) -> dict[str, Guess]:
    """Return the best guess for each field of a profile; each export field is used once."""
    guesses: dict[str, Guess] = {}
    candidates = [stats for stats in fields if _is_valid_source(stats.name)]
    for target_name in _TARGETS:
        scores = [_score(target_name, stats, aliases.get(stats.name), records) for stats in candidates]
        if any(scores):
            best = candidates[scores.index(max(scores))]
            guesses[target_name] = _guess(target_name, best, candidates, records)
            candidates = [stats for stats in candidates if stats not in guesses[target_name].fields]
    return guesses


def split_words(name: str) -> str:
    """Return the lower-case words of a field's name without its table: "BLDG_No" is "bldg no"."""
    column = name.rpartition(".")[2]
    words = _WORDS.findall(_CAMEL_CASE.sub(" ", column).casefold())
    if words and len(column) == _SHAPEFILE_LENGTH:
        words[-1] = _TRUNCATED.get(words[-1], words[-1])
    return " ".join(words)


def _is_valid_source(name: str) -> bool:
    """Return whether a profile can name the field: not with the braces of a template or a lone surrogate."""
    has_surrogate = any("\ud800" <= char <= "\udfff" for char in name)
    return bool(name.strip()) and not set("{}") & set(name) and not has_surrogate


def _score(target_name: str, stats: FieldStats, alias: object, records: int) -> tuple[float, ...]:
    """Return how well a field fits, to be compared; empty if it does not."""
    target = _TARGETS[target_name]
    names = [split_words(name) for name in (stats.name, alias) if isinstance(name, str)]
    name_score = max(map(target.name_score, names))
    if target_name == "id":
        share = _distinct_integer_share(stats, records)
        return (share >= _GOOD_ID_SHARE, name_score, share) if name_score and share >= _MIN_ID_SHARE else ()
    sufficient = target.sufficient_type and stats.is_mostly(target.sufficient_type)
    if not stats.is_mostly(*target.types):
        return ()
    if not name_score and not (sufficient and not any(map(target.excludes, names))):
        return ()
    return name_score, stats.filled


def _distinct_integer_share(stats: FieldStats, records: int) -> float:
    """Return a lower bound of the share of records with an integer that no other record has."""
    others = stats.filled - stats.types[INTEGERS]
    distinct = stats.filled if stats.distinct.is_truncated else len(stats.distinct)
    return (distinct - others) / records


def _guess(target_name: str, best: FieldStats, candidates: list[FieldStats], records: int) -> Guess:
    if target_name == "id":
        return Guess(best.name, (best,), tuple(_id_warnings(best, records)))
    house_number = next((stats for stats in candidates if _HOUSE_NUMBER.fullmatch(split_words(stats.name))), None)
    if target_name == "address" and house_number and not best.is_mostly(ADDRESSES):
        return Guess(f"{{{house_number.name}}} {{{best.name}}}", (best, house_number))
    return Guess(best.name, (best,))


def _id_warnings(stats: FieldStats, records: int) -> Iterator[str]:
    missing = records - stats.types[INTEGERS]
    if missing:
        yield f'{pluralize(missing, "feature has", "features have")} no integer in "{stats.name}" and cannot be loaded.'
    if not stats.may_be_unique:
        yield "Some features have the same id: they cannot be loaded unless they are identical."
    if re.fullmatch(_ROW_NUMBER, split_words(stats.name)) or _counts_records(stats, records):
        yield "The id looks like a row number: check that it is the same in the next export."


def _counts_records(stats: FieldStats, records: int) -> bool:
    return records > 2 and stats.integer_range in ((0, records - 1), (1, records)) and stats.may_be_unique
