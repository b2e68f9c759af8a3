"""Settings proposed for an export of menus: columns, the format of dates, what rows lack, meals and codes."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from loaders.errors import ROWS, InvalidValue, UnreadableFileError
from loaders.menu_formats.dates import AMBIGUOUS_FORMATS, describe_date_format, is_date, is_named_date, match_date
from loaders.menu_formats.table import USUAL_DEFAULTS, MenuTable
from loaders.menu_formats.values import meals_meant
from loaders.profiles import DiningProfile
from loaders.profiles.building_ids import fold_entity_name
from loaders.profiles.dining_settings import MAX_MEAL, fold_meal
from loaders.readers.sources import hall_name, without_periods
from loaders.sources.files import Export, sheet_name
from loaders.syntax.json_stream import is_json
from loaders.text import SHEET_COLUMN

_FIRST_OTHER_MEAL = 3
# Of sheets, by programs.
_UNNAMED = re.compile(r"(sheet|table|tabelle|blatt|feuil|hoja|foglio|blad|menus?|data|export) ?[0-9]*", re.IGNORECASE)


def propose_settings(exports: Sequence[Export], built_in: DiningProfile) -> tuple[DiningProfile, list[str]]:
    """Return a built-in profile with the settings that the values of a table suggest, and what to check in them.

    UnreadableFileError if no rows have a date and a dish.
    """
    profile = built_in if built_in.columns else _with_common_columns(exports, built_in)
    table = MenuTable(profile)
    dates, meals = _texts(table, exports)
    date_format, is_needed, others = _date_formats(dates)
    if built_in.columns:
        others = []
    all_names = [fold_meal(name or table.default("meal")) for name in meals] if "meal_id" not in profile.columns else []
    names = [name for name in all_names if name and name not in built_in.usual_meals]
    doubts = [
        f"Dates such as {min(dates)} may be {describe_date_format(each)}, too: check date_format." for each in others
    ]
    proposed = replace(
        profile,
        date_format=date_format if is_needed or others else "",
        meals=_number_meals(names, built_in.usual_meals.values()),
    )
    return proposed, [*doubts, *_doubtful_meals(names)]


def _with_common_columns(exports: Sequence[Export], profile: DiningProfile) -> DiningProfile:
    menus, facts = MenuTable(profile).find_columns(exports)
    first = exports[0]
    kind = _kind_of_sheets([sheet_name(export.path) for export in exports])
    if kind:
        menus.setdefault("category" if kind == "location" and kind in menus else kind, SHEET_COLUMN)
    if not {"date", "dish"} <= menus.keys():
        advice = f"; {ROWS} can make them" if is_json(first.head) else ""
        reason = f"has no rows with a date and a dish, so no profile can be proposed{advice}"
        raise UnreadableFileError(first.path, reason)
    columns = {name: (column,) for name, column in menus.items()}
    usual = USUAL_DEFAULTS | ({} if len(exports) == 1 or kind else {"location": hall_name(first.source, profile.name)})
    # Some sheets may lack stations.
    required = columns.keys() - ({"category"} if len(exports) > 1 and menus.get("category") != SHEET_COLUMN else set())
    defaults = {name: value for name, value in usual.items() if name not in required}
    return replace(profile, columns=columns, facts=facts, defaults=defaults)


def _kind_of_sheets(names: Sequence[str]) -> str | None:
    """Return what the names of sheets are: dates, mostly meals, or of several different halls, but no periods."""
    halls = {fold_entity_name(without_periods(name)) for name in names if not _UNNAMED.fullmatch(name)}
    if all(map(is_named_date, names)):
        return "date"
    if 2 * sum(bool(meals_meant(name)) for name in names) > len(names):
        return "meal"
    return "location" if len(halls - {""}) == len(names) > 1 else None


def _texts(table: MenuTable, exports: Iterable[Export]) -> tuple[dict[str, None], dict[str, None]]:
    dates: dict[str, None] = {}
    meals: dict[str, None] = {}
    for export in exports:
        with export.reopen() as again:
            for _, row in table.records(again):
                with suppress(InvalidValue):
                    texts = table.texts(row)
                    dates[texts["date"]] = meals[texts.get("meal", "")] = None
    dates.pop("", None)
    return dates, meals


def _number_meals(names: Iterable[str], usual: Collection[int]) -> dict[str, int]:
    """Return the number of each meal with a name, the next one above dinner and the usual ones if it says nothing."""
    meals: dict[str, int] = {}
    for name in (each for each in names if not each.isdigit()):
        next_number = max([_FIRST_OTHER_MEAL - 1, *usual, *meals.values()]) + 1
        meals[name] = min(meals_meant(name), default=next_number)
    return {name: meal for name, meal in meals.items() if meal <= MAX_MEAL}


def _doubtful_meals(names: Iterable[str]) -> Iterator[str]:
    several = ", ".join(name for name in names if len(meals_meant(name)) > 1)
    unknown = ", ".join(name for name in names if not meals_meant(name))
    if several:
        yield f"{several} name several meals: check [meals]."
    if unknown:
        yield f"{unknown} are no known names of meals. 0 is breakfast, 1 lunch, 2 dinner: check [meals]."


def _date_formats(dates: Collection[str]) -> tuple[str, bool, list[str]]:
    """Return a format of most dates, whether they need it, and others in which these are other days."""
    days = {each: [match_date(text, each) for text in dates] for each in AMBIGUOUS_FORMATS}
    read = {each: sum(map(bool, matched)) for each, matched in days.items()}
    most = max(read.values())
    first, *others = (each for each in days if read[each] == most)
    is_needed = sum(map(is_date, dates)) < most
    return first, is_needed, [each for each in others if days[each] != days[first]]
