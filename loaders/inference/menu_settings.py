"""Settings proposed for an export of menus: columns, the format of dates, what rows lack, meals and codes."""

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from loaders.errors import ROWS, InvalidValue, UnreadableFileError
from loaders.menu_formats.dates import ALL_FORMATS, AMBIGUOUS_FORMATS, describe_date_format, is_date, match_date
from loaders.menu_formats.table import USUAL_DEFAULTS, MenuTable, named_meals
from loaders.menu_formats.values import NO_MEAL_NAME, first_meal, meals_meant
from loaders.profiles import DiningProfile
from loaders.profiles.building_ids import fold_entity_name
from loaders.profiles.dining_settings import MAX_MEAL, fold_meal
from loaders.readers.sources import hall_name, without_periods
from loaders.sources.files import Export, sheet_name
from loaders.syntax.json_stream import is_json
from loaders.text import HEADING_COLUMN, SHEET_COLUMN

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
    others = [] if built_in.columns else others
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
    if doubtful := ", ".join(name for name in names if len(meals_meant(name)) != 1):
        doubts.append(f"Not known as names of one meal: {doubtful}. 0 is breakfast, 1 lunch, 2 dinner: check [meals].")
    if by_name := sorted(profile.defaults.items() - built_in.defaults.items() - USUAL_DEFAULTS.items()):
        doubts.append(f"By the name of the file, {', '.join(map(' '.join, by_name))}: check [defaults].")
    return proposed, doubts


def _with_common_columns(exports: Sequence[Export], profile: DiningProfile) -> DiningProfile:
    first, columns, facts = exports[0], dict[str, tuple[str, ...]](), dict[str, str]()
    for export in exports:
        menus, others = MenuTable(profile).find_columns(export)
        columns |= {name: (*dict.fromkeys((*columns.get(name, ()), column)),) for name, column in menus.items()}
        facts = others | facts
    headed = [export for export in exports if HEADING_COLUMN in export.head]
    table = MenuTable(replace(profile, columns=dict.fromkeys(("date", "dish"), (HEADING_COLUMN,))))
    sheets = [sheet_name(export.path) for export in exports]
    headings = [*_texts(table, headed)[0]]
    for column, names, several in (
        (SHEET_COLUMN, sheets, ("location", "category", "meal")),
        (HEADING_COLUMN, headings, ("category", "location", "meal")),
    ):
        kinds = [kind for kind in _kinds(names, several) if kind not in columns]
        if kinds:
            columns[kinds[0]] = (column,)
    meals = [meals_meant(name) for name in sheets if " " in without_periods(name)]
    if "location" not in columns and columns.get("meal") == (SHEET_COLUMN,) and len({*meals}) < len(meals):
        reason = f"has sheets such as {sheets[0]!r}, whose names may say the hall and the meal: {ROWS} can make both"
        raise UnreadableFileError(first.path, reason)
    if not {"date", "dish"} <= columns.keys():
        advice = f"; {ROWS} can make them" if is_json(first.head) else ""
        reason = f"has no rows with a date and a dish, so no profile can be proposed{advice}"
        raise UnreadableFileError(first.path, reason)
    # Some sheets may lack stations.
    required = columns.keys() - ({"category"} if len(exports) > 1 else set())
    is_named = (len(exports) == 1 and not headed) or {(SHEET_COLUMN,), (HEADING_COLUMN,)} & {*columns.values()}
    usual = USUAL_DEFAULTS | ({} if is_named else {"location": hall_name(first.source, profile.name)})
    usual["meal"] = first_meal(named_meals(first)) or usual["meal"]
    defaults = {name: value for name, value in usual.items() if name not in required}
    return replace(profile, columns=columns, facts=facts, defaults=defaults)


def _kinds(names: Sequence[str], several: Sequence[str]) -> Sequence[str]:
    """Return what names of sheets or headings are: dates, mostly meals, or one of several if they differ in more."""
    halls = {fold_entity_name(without_periods(name)) for name in names if not _UNNAMED.fullmatch(name)}
    if names and all(is_date(name, ALL_FORMATS) for name in names):
        return ("date",)
    if 2 * sum(bool(meals_meant(name)) for name in names) > len(names):
        return ("meal",)
    return several if len(halls - {""}) == len(names) > 1 else ()


def _texts(table: MenuTable, exports: Iterable[Export]) -> tuple[dict[str, None], dict[str, None]]:
    dates, meals = dict[str, None](), dict[str, None]()
    for export in exports:
        with export.reopen() as again:
            for _, row in table.records(again):
                with suppress(InvalidValue):
                    texts = table.texts(row)
                    dates[texts["date"]] = meals[texts.get("meal", "")] = None
    dates.pop("", None)
    return dates, meals


def _number_meals(names: Collection[str], usual: Collection[int]) -> dict[str, int]:
    """Return the number of each meal with a name, the next one above dinner and the usual ones if it says nothing."""
    meals: dict[str, int] = {}
    used = [*usual, *chain.from_iterable(map(meals_meant, names))]
    for name in (each for each in names if meals_meant(each) or not NO_MEAL_NAME.fullmatch(each)):
        next_number = max([_FIRST_OTHER_MEAL - 1, *used, *meals.values()]) + 1
        meals[name] = min(meals_meant(name), default=next_number)
    return {name: meal for name, meal in meals.items() if meal <= MAX_MEAL}


def _date_formats(dates: Collection[str]) -> tuple[str, bool, list[str]]:
    """Return a format of most dates, whether they need it, and others in which these are other days."""
    days = {each: [match_date(text, each) for text in dates] for each in AMBIGUOUS_FORMATS}
    read = {each: sum(map(bool, matched)) for each, matched in days.items()}
    most = max(read.values())
    first, *others = (each for each in days if read[each] == most)
    is_needed = sum(map(is_date, dates)) < most
    return first, is_needed, [each for each in others if days[each] != days[first]]
