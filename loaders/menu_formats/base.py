"""What the formats of dining exports have in common."""

import html
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from campus_api.domain import ids
from campus_api.domain.models import NamedEntity, meal_name
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning, InvalidValue
from loaders.profiles import DiningProfile, ProfileError, normalize_code
from loaders.profiles.building_ids import IdAssigner
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.text import parse_text

# How words of meal names begin, as they occur: "Dinnner", "LUNCH ENTREES", but not "Pudding" or "Dining".
_MEAL_WORDS = (("breakf", 0), ("lunch", 1), (r"din(n|er|\b)", 2), ("supper", 2))
# Types of the values of a row: text, numbers, absent.
SCALARS = (str, int, float, type(None))
# Those of text in pages, and whatever has attributes; "<contains nuts>" is text.
_ELEMENTS = (
    "a|abbr|article|aside|b|base|big|body|br|button|center|cite|code|dd|del|dfn|div|dl|dt|em|embed|figure|font|footer|form"
    "|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|math|meta|nav|nobr"
    "|noscript|object|ol|option|p|plaintext|pre|q|s|script|section|select|small|span|strike|strong|style|sub|sup|svg|table"
    "|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|tt|u|ul|video|wbr|xmp"
)
_TAG = re.compile(rf"</?(?:(?:{_ELEMENTS})(?=[\s/>])[^<>]*|[a-z][^<>=]*=[^<>]*)>", re.IGNORECASE)
# Those around a part of a word or a sentence.
_INLINE_TAG = re.compile(r"</?(b|em|i|span|strong|u)\b[^<>]*>", re.IGNORECASE)
_LINE_BREAK = re.compile(r"[\n\v\f\r\x85\u2028\u2029]")
# Require the semicolon: a bare & may be text.
_ENTITY = re.compile(r"&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
# Some providers escape more than once.
_UNESCAPE_PASSES = 3


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

    An instance parses one export.
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
        self._delimiter = ""
        # The number of records with each element, column or member that is not read.
        self.unread: Counter[str] = Counter()
        # The integers of text ids in a dump.
        self.restored_ids: dict[str, int] = {}
        # About the export as a whole, after its rows have been read.
        self.warnings: list[tuple[SourceLocation, DataWarning]] = []
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


def parse_code(field: str, value: str | None) -> str:
    """Return a code with whitespace collapsed; InvalidValue if it is missing."""
    code = parse_text(field, value)
    if not code:
        raise InvalidValue(field, None, "is missing")
    return code


def _look_up(field: str, code: NamedEntity | str, entities: Mapping[str, NamedEntity]) -> NamedEntity:
    if not isinstance(code, str):
        return code
    key = normalize_code(code)
    if key not in entities:
        raise InvalidValue(field, code, "is not a code in the profile")
    return entities[key]


@lru_cache(maxsize=1024)
def meals_named(name: str, words: tuple[tuple[str, int], ...] = _MEAL_WORDS) -> frozenset[int]:
    """Return the meals with whose words, as patterns, a word of a name begins."""
    folded = name.casefold()
    return frozenset(meal for word, meal in words if re.search(rf"(?<![^\W\d_]){word}", folded))


@lru_cache(maxsize=65536, typed=True)
def parse_id(field: str, value: str | int | float | None) -> int:
    """Return an integer id; InvalidValue if it is missing or malformed."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InvalidValue(field, None, "is missing")
    try:
        return ids.from_export(value)
    except ValueError as error:
        raise InvalidValue(field, value, str(error)) from None


def clean_text(field: str, value: str | int | float | None, line_break: str = " ") -> str:
    """Return a text without HTML and with whitespace collapsed, "" if empty; InvalidValue if unprintable.

    Line breaks and tags, but those within a sentence, are replaced by `line_break`.
    """
    text = parse_text(field, _LINE_BREAK.sub(line_break, value) if isinstance(value, str) else value)
    for _ in range(_UNESCAPE_PASSES):
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return parse_text(field, _LINE_BREAK.sub(line_break, _TAG.sub(line_break, _INLINE_TAG.sub("", text))))


clean_name = lru_cache(maxsize=65536, typed=True)(clean_text)


@lru_cache(maxsize=65536)
def named_entity(id_: int, field: str, name: str) -> NamedEntity:
    """Return an id with its name, one shared object for all rows; InvalidValue if the name is empty."""
    if not name:
        raise InvalidValue(field, None, "is missing")
    return NamedEntity(id_, name)
