"""What the formats of dining exports have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from campus_api.domain.models import NamedEntity, meal_name
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning, InvalidValue
from loaders.profiles import DiningProfile, ProfileError, normalize_code
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.text import parse_text


class UnmappedRow(NamedTuple):
    """A row without the tables of a profile: locations and categories are entities, or codes that need a name."""

    date: str
    meal: int
    location: NamedEntity | str
    category: NamedEntity | str
    recipe: NamedEntity
    meal_name: str = ""
    warning: str = ""


class DiningFormat(ABC):
    """A format of dining exports: its `name` in profiles and its `title` in texts. An instance parses one export."""

    name: ClassVar[str]
    title: ClassVar[str]
    # Whether profiles can map locations and categories.
    has_tables: ClassVar[bool] = True
    # Whether profiles can name columns of facts.
    has_facts: ClassVar[bool] = False

    def __init__(self, profile: DiningProfile) -> None:
        if not self.has_tables and (profile.locations or profile.categories):
            raise ProfileError(f"profile {profile.name}: {self.name} has no tables of locations and categories")
        if not self.has_facts and (profile.facts or profile.labels):
            raise ProfileError(f"profile {profile.name}: {self.name} has no columns of facts and no labels")
        self._profile = profile
        self._delimiter = ""
        # The distinct values of the export, from which settings can be guessed.
        self.dates: set[str] = set()
        self.meals: set[tuple[int, str]] = set()

    @property
    def details(self) -> dict[str, str]:
        """Return the delimiter, the date format and the meals if they are not the usual ones, after reading."""
        profile = self._profile
        meals = ", ".join(f"{key} {meal_name(meal)}" for key, meal in sorted(profile.meals.items()))
        details = {"delimiter": self._delimiter, "date_format": profile.date_format, "meals": meals}
        return {name: value for name, value in details.items() if value not in ("", ",")}

    @property
    def lists(self) -> DiningLists:
        """Return what the export lists besides its rows, after they have been read."""
        return DiningLists()

    @property
    def ingredient_characters(self) -> int:
        """Return the number of characters of all ingredients that were collected."""
        return 0

    @staticmethod
    @abstractmethod
    def sniff(head: str) -> bool:
        """Return whether an export with these first characters is in this format."""

    @abstractmethod
    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each raw row with its location; UnreadableFileError if the export is not in this format."""

    @abstractmethod
    def parse_row(self, row: Any) -> tuple[MenuRow, DataWarning | None]:
        """Parse a raw row, with a warning if it has a suspicious value; InvalidValue if it is unusable."""

    def add_facts(self, row: Any, served: MenuRow) -> Iterable[DataWarning]:
        """Collect what a parsed row says about its recipe; return a warning for each value that is left out."""
        return ()

    @abstractmethod
    def parse_unmapped(self, row: Any) -> UnmappedRow:
        """Parse a raw row for a proposed profile; InvalidValue if it is unusable."""


def parse_code(field: str, value: str | None) -> str:
    """Return a code with whitespace collapsed; InvalidValue if it is missing."""
    code = parse_text(field, value)
    if not code:
        raise InvalidValue(field, None, "is missing")
    return code


def look_up(field: str, code: str, entities: Mapping[str, NamedEntity]) -> NamedEntity:
    """Return the entity of a code in the profile; InvalidValue if it has none."""
    key = normalize_code(code)
    if key not in entities:
        raise InvalidValue(field, code, "is not a code in the profile")
    return entities[key]
