"""Settings proposed for a table of menus: its columns, the format of its dates, what rows lack, and meals."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.menu_formats.columns import common_columns
from loaders.menu_formats.dates import DAY_FIRST, MONTH_FIRST, describe_date_format, is_date, match_date
from loaders.menu_formats.table import USUAL_DEFAULTS, MenuTable
from loaders.menu_formats.values import meals_meant
from loaders.profiles import DiningProfile
from loaders.profiles.dining_settings import MAX_MEAL, fold_meal
from loaders.result import SourceLocation
from loaders.sources.files import Export

_FORMATS = (
    *(MONTH_FIRST, DAY_FIRST, "%m/%d/%y", "%d/%m/%y", "%d.%m.%y", "%Y/%m/%d", "%m-%d-%Y", "%d-%m-%Y"),
    *("%B %d, %Y", "%d %B %Y", "%A, %B %d, %Y", "%b %d, %Y", "%d %b %Y", "%d-%b-%Y", "%a %m/%d/%Y"),
)
_KNOWN_MEALS = "0 is breakfast, 1 lunch, 2 dinner"
_FIRST_OTHER_MEAL = 3
_DEFAULTS = {"location": "Dining Hall", **USUAL_DEFAULTS}


def propose_table(export: Export, profile: DiningProfile) -> tuple[DiningProfile, list[str]]:
    """Return the profile with the settings that the values of a table suggest, and what should be checked in them.

    UnreadableFileError if no rows have a date and a dish.
    """
    is_known = bool(profile.columns)
    if not is_known:
        menus, facts = common_columns(row for _, row in _rows(MenuTable(profile), export))
        if not {"date", "dish"} <= menus.keys():
            raise UnreadableFileError(export.path, "has no rows with a date and a dish, so no profile can be proposed")
        columns = {name: (column,) for name, column in menus.items()}
        defaults = {name: value for name, value in _DEFAULTS.items() if name not in columns}
        profile = replace(profile, columns=columns, facts=facts, defaults=defaults)
    table = MenuTable(profile)
    dates, meals = _texts(table, export)
    formats = _DateFormats(dates)
    names = [fold_meal(name or table.default("meal")) for name in meals] if "meal_id" not in profile.columns else []
    date_format = formats.needed if is_known else formats.proposed
    doubts = [] if is_known else formats.doubts
    return replace(profile, date_format=date_format, meals=_number_meals(names)), [*doubts, *_doubtful_meals(names)]


def _rows(table: MenuTable, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
    with export.reopen() as again:
        yield from table.rows(again)


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


def _number_meals(names: Iterable[str]) -> dict[str, int]:
    """Return the number of each meal, the next one above dinner if the name says nothing."""
    meals: dict[str, int] = {}
    for name in names:
        next_number = max([_FIRST_OTHER_MEAL - 1, *meals.values()]) + 1
        meals[name] = min(meals_meant(name), default=next_number)
    return {name: meal for name, meal in meals.items() if meal <= MAX_MEAL}


def _doubtful_meals(names: Iterable[str]) -> Iterator[str]:
    several = ", ".join(name for name in names if len(meals_meant(name)) > 1)
    unknown = ", ".join(name for name in names if not meals_meant(name))
    if several:
        yield f"{several} name several meals: check [meals]."
    if unknown:
        yield f"{unknown} are no known names of meals. {_KNOWN_MEALS}: check [meals]."


class _DateFormats:
    """The formats in which all of these dates can be read."""

    def __init__(self, dates: Collection[str]) -> None:
        self._dates = dates
        days = {each: [match_date(text, each) for text in dates] for each in _FORMATS}
        self._days = {each: read for each, read in days.items() if dates and all(read)}

    @property
    def needed(self) -> str:
        """Return a format of all dates, "" if they can be read without one, or if there is none."""
        return "" if all(map(is_date, self._dates)) else next(iter(self._days), "")

    @property
    def proposed(self) -> str:
        """Return the format that is needed, or one of several."""
        return next(iter(self._days)) if self._others else self.needed

    @property
    def doubts(self) -> list[str]:
        """Return in which other formats the dates can be read."""
        others = map(describe_date_format, self._others)
        return [f"All dates, such as {min(self._dates)}, may be {each}, too: check date_format." for each in others]

    @property
    def _others(self) -> list[str]:
        first = next(iter(self._days.values()), None)
        return [each for each, days in self._days.items() if days != first]
