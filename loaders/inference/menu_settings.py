"""Settings proposed for an export of menus: columns, the format of dates, what rows lack, meals and codes."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

from campus_api.domain import ids
from campus_api.domain.models import NamedEntity
from loaders.errors import ROWS, InvalidValue, UnreadableFileError, require_valid
from loaders.menu_formats.base import DiningFormat
from loaders.menu_formats.columns import common_columns
from loaders.menu_formats.dates import DAY_FIRST, MONTH_FIRST, describe_date_format, is_date, match_date
from loaders.menu_formats.table import USUAL_DEFAULTS, MenuTable
from loaders.menu_formats.values import meals_meant
from loaders.profiles import DiningProfile, normalize_code
from loaders.profiles.dining_settings import MAX_MEAL, fold_meal
from loaders.readers import dining_format
from loaders.readers.sources import hall_name
from loaders.result import SourceLocation
from loaders.sources.files import Export, file_name
from loaders.syntax.json_stream import is_json

_FORMATS = (
    *(MONTH_FIRST, DAY_FIRST, "%m/%d/%y", "%d/%m/%y", "%d.%m.%y", "%Y/%m/%d", "%m-%d-%Y", "%d-%m-%Y"),
    *("%B %d, %Y", "%d %B %Y", "%A, %B %d, %Y", "%b %d, %Y", "%d %b %Y", "%d-%b-%Y", "%a %m/%d/%Y"),
)
# Above the ids that providers use.
_FIRST_FREE_ID = 1001
_KNOWN_MEALS = "0 is breakfast, 1 lunch, 2 dinner"
_FIRST_OTHER_MEAL = 3


class ProposedSettings(NamedTuple):
    """A profile, what should be checked in it, and the number of rows with each code that it names."""

    profile: DiningProfile
    doubts: list[str]
    codes: dict[str, Counter[str]]


def propose_settings(export: Export, built_in: DiningProfile) -> ProposedSettings:
    """Return a built-in profile with the settings that the values of an export suggest.

    UnreadableFileError if no rows have a date and a dish.
    """
    format_class = dining_format(built_in)
    profile, doubts = _table_settings(export, built_in) if format_class is MenuTable else (built_in, [])
    codes = _count_codes(export, format_class(profile))
    locations = _code_entities("Location", codes["location"], built_in.locations)
    categories = _code_entities("Category", codes["category"], built_in.categories)
    return ProposedSettings(replace(profile, locations=locations, categories=categories), doubts, codes)


def _table_settings(export: Export, built_in: DiningProfile) -> tuple[DiningProfile, list[str]]:
    """Return the profile with the settings of a table, and what should be checked in them."""
    profile = built_in if built_in.columns else _with_common_columns(export, built_in)
    table = MenuTable(profile)
    dates, meals = _texts(table, export)
    formats = _DateFormats(dates)
    all_names = [fold_meal(name or table.default("meal")) for name in meals] if "meal_id" not in profile.columns else []
    names = [name for name in all_names if name and name not in built_in.usual_meals]
    date_format = formats.needed if built_in.columns else formats.proposed
    doubts = [] if built_in.columns else formats.doubts
    numbers = _number_meals(names, built_in.usual_meals.values())
    return replace(profile, date_format=date_format, meals=numbers), [*doubts, *_doubtful_meals(names)]


def _with_common_columns(export: Export, profile: DiningProfile) -> DiningProfile:
    menus, facts = common_columns(row for _, row in _rows(MenuTable(profile), export))
    if not {"date", "dish"} <= menus.keys():
        advice = f"; {ROWS} can make them" if is_json(export.head) else ""
        reason = f"has no rows with a date and a dish, so no profile can be proposed{advice}"
        raise UnreadableFileError(export.path, reason)
    columns = {name: (column,) for name, column in menus.items()}
    usual = {"location": hall_name(profile.name, file_name(export.path)), **USUAL_DEFAULTS}
    defaults = {name: value for name, value in usual.items() if name not in columns}
    return replace(profile, columns=columns, facts=facts, defaults=defaults)


def _rows(reader: DiningFormat, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
    with export.reopen() as again:
        yield from reader.records(again)


def _texts(table: MenuTable, export: Export) -> tuple[dict[str, None], dict[str, None]]:
    """Return the different dates and names of meals, in order."""
    dates: dict[str, None] = {}
    meals: dict[str, None] = {}
    for _, row in _rows(table, export):
        with suppress(InvalidValue):
            texts = table.texts(row)
            dates[texts["date"]] = meals[texts.get("meal", "")] = None
    dates.pop("", None)
    return dates, meals


def _number_meals(names: Iterable[str], usual: Collection[int]) -> dict[str, int]:
    """Return the number of each meal, the next one above dinner and the usual ones if the name says nothing."""
    meals: dict[str, int] = {}
    for name in names:
        next_number = max([_FIRST_OTHER_MEAL - 1, *usual, *meals.values()]) + 1
        meals[name] = min(meals_meant(name), default=next_number)
    return {name: meal for name, meal in meals.items() if meal <= MAX_MEAL}


def _doubtful_meals(names: Iterable[str]) -> Iterator[str]:
    several = ", ".join(name for name in names if len(meals_meant(name)) > 1)
    unknown = ", ".join(name for name in names if not meals_meant(name))
    if several:
        yield f"{several} name several meals: check [meals]."
    if unknown:
        yield f"{unknown} are no known names of meals. {_KNOWN_MEALS}: check [meals]."


def _count_codes(export: Export, reader: DiningFormat) -> dict[str, Counter[str]]:
    """Return the number of rows with each code of a location or a category."""
    codes: dict[str, Counter[str]] = {"location": Counter(), "category": Counter()}
    for _, raw in _rows(reader, export):
        with suppress(InvalidValue):
            for kind, code in reader.codes(require_valid(raw)).items():
                codes[kind][normalize_code(code)] += 1
    return codes


def _code_entities(noun: str, codes: Iterable[str], built_in: Mapping[str, NamedEntity]) -> dict[str, NamedEntity]:
    """Return the entity of each code: that of the built-in profile, or a proposed id and name."""
    entities: dict[str, NamedEntity] = {}
    used_ids = {entity.id for entity in built_in.values()}
    for code in sorted(codes, key=lambda code: (len(code) if is_number(code) else 0, code)):
        entities[code] = built_in.get(code) or _propose_entity(noun, code, used_ids)
        used_ids.add(entities[code].id)
    return entities


def _propose_entity(noun: str, code: str, used_ids: set[int]) -> NamedEntity:
    """Return a free id, that of a numeric code if possible, and a name."""
    id_ = ids.from_path(code)
    if id_ is None or id_ in used_ids:
        id_ = next(free for free in count(_FIRST_FREE_ID) if free not in used_ids)
    return NamedEntity(id_, f"{noun} {code}" if is_number(code) else code)


def is_number(code: str) -> bool:
    """Return whether a code is digits."""
    return code.isascii() and code.isdigit()


class _DateFormats:
    """The formats in which the most of these dates can be read."""

    def __init__(self, dates: Collection[str]) -> None:
        self._dates = dates
        days = {each: [match_date(text, each) for text in dates] for each in _FORMATS}
        read = {each: sum(map(bool, matched)) for each, matched in days.items()}
        self._most = max(read.values())
        self._days = {each: matched for each, matched in days.items() if 0 < read[each] == self._most}

    @property
    def needed(self) -> str:
        """Return a format of most dates, "" if as many can be read without one."""
        return "" if sum(map(is_date, self._dates)) >= self._most else next(iter(self._days))

    @property
    def proposed(self) -> str:
        """Return the format that is needed, or one of several."""
        return next(iter(self._days)) if self._others else self.needed

    @property
    def doubts(self) -> list[str]:
        """Return in which other formats the dates can be read."""
        others = map(describe_date_format, self._others)
        return [f"Dates such as {min(self._dates)} may be {each}, too: check date_format." for each in others]

    @property
    def _others(self) -> list[str]:
        first = next(iter(self._days.values()), None)
        return [each for each, days in self._days.items() if days != first]
