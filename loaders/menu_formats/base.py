"""What the formats of dining exports have in common."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from campus_api.domain.models import NamedEntity, meal_name
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning, InvalidValue, require_valid
from loaders.menu_formats.facts import NUMERIC_FACTS, FactsCollector
from loaders.profiles import DiningProfile, ProfileError, normalize_code
from loaders.profiles.building_ids import IdAssigner
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.columns import columns_with_decimal_commas, replace_decimal_comma


class ParsedRow(NamedTuple):
    """A row before the tables of a profile are applied: locations and categories are entities, or codes without a name.

    `notes` are the texts about the dish, `warning` is about a suspicious value.
    """

    date: str
    meal: int
    location: NamedEntity | str
    category: NamedEntity | str
    recipe: NamedEntity
    meal_name: str = ""
    warning: DataWarning | None = None
    notes: tuple[str, ...] = ()


class DiningFormat(ABC):
    """A format of dining exports: its `name` in profiles, its `title` in texts, its `files` in `--help`.

    An instance parses one export; `assigner` and `facts` may be those of several.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    files: ClassVar[str]
    # Those of a profile that the format has a use for.
    tables: ClassVar[Collection[str]] = ("locations", "categories")
    location_field: ClassVar[str] = "location"
    # Whether the database assigns the ids of halls, categories and dishes.
    assigns_ids: ClassVar[bool] = False
    # Whether a profile is proposed: what only a profile can say is no error then.
    is_proposing = False

    def __init__(self, profile: DiningProfile) -> None:
        for table in ("locations", "categories", "facts", "labels", "notes", "columns", "defaults"):
            if getattr(profile, table) and table not in self.tables:
                raise ProfileError(f"profile {profile.name}: {self.name} has no use for the table {table}")
        self._profile = profile
        self.assigner = IdAssigner({})
        self.facts = FactsCollector(profile)
        self._delimiter = ""
        # The number of records with each element, column or member that is not read.
        self.unread: Counter[str] = Counter()
        # The integers of text ids in a dump.
        self.restored_ids: dict[str, int] = {}
        # About the export as a whole, after its rows have been read.
        self.warnings: list[tuple[SourceLocation, DataWarning]] = []
        # The locations of each date in the rows that have been read.
        self.locations: dict[str, set[int]] = {}
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
    def proposed(self) -> dict[str, Any]:
        """Return the settings and tables of a proposed profile, after reading."""
        return {}

    @property
    def doubts(self) -> list[str]:
        """Return what should be checked in a proposed profile, after reading."""
        return []

    @property
    def lists(self) -> DiningLists:
        """Return what the export lists besides its rows, after they have been read."""
        return DiningLists()

    @staticmethod
    @abstractmethod
    def sniff(head: str) -> bool:
        """Return whether an export with these first characters is in this format."""

    @abstractmethod
    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each raw row with its location; UnreadableFileError if the export is not in this format."""

    @abstractmethod
    def parse_row(self, row: Any) -> ParsedRow:
        """Parse a raw row; InvalidValue if it is unusable."""

    def map_row(self, row: ParsedRow) -> MenuRow:
        """Return a row with the entities of its codes; InvalidValue if the profile does not have them."""
        location = _look_up(self.location_field, row.location, self._profile.locations)
        return MenuRow(
            row.date, row.meal, location, _look_up("category", row.category, self._profile.categories), row.recipe
        )

    def add_facts(self, raw: Any, row: ParsedRow) -> Iterable[DataWarning]:
        """Collect what a parsed row says about its recipe; return a warning for each value that is left out."""
        return ()


class TableFormat(DiningFormat):
    """A format of rows with named columns, of CSV with a header or of JSON objects; facts are in columns, too."""

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        # Of CSV.
        self._header: list[str] | None = None
        self._numbers = [position for position, fact in enumerate(profile.facts) if fact in NUMERIC_FACTS]

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        self._reopen = export.reopen
        return self.read_rows(export)

    @abstractmethod
    def read_rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each raw row as `rows` does; may be called more than once."""

    @abstractmethod
    def fact_values(self, row: Any) -> tuple[Any, ...]:
        """Return the values of the columns of facts of a raw row; InvalidValue if it is no row of the table."""

    def add_facts(self, raw: Any, row: ParsedRow) -> Iterable[DataWarning]:
        return self.facts.add_values(row.recipe, row.date, self._replace_commas(self.fact_values(raw)))

    def _replace_commas(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the values with decimal points instead of commas."""
        with_comma = [each for each in self._numbers if isinstance(values[each], str) and "," in values[each]]
        if not with_comma:
            return values
        replaced = [*values]
        for position in self._decimal_commas.intersection(with_comma):
            replaced[position] = replace_decimal_comma(values[position])
        return tuple(replaced)

    @cached_property
    def _decimal_commas(self) -> set[int]:
        with self._reopen() as export:
            return columns_with_decimal_commas(self._all_fact_values(export))

    def _all_fact_values(self, export: Export) -> Iterator[tuple[Any, ...]]:
        for _, row in self.read_rows(export):
            with suppress(InvalidValue):
                yield self.fact_values(require_valid(row))


def _look_up(field: str, code: NamedEntity | str, entities: Mapping[str, NamedEntity]) -> NamedEntity:
    if not isinstance(code, str):
        return code
    key = normalize_code(code)
    if key not in entities:
        raise InvalidValue(field, code, "is not a code in the profile")
    return entities[key]
