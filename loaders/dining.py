"""Dining exports -> menu items with the names they refer to; reads files, writes nothing."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

from campus_api import ids
from campus_api.models import MenuItem, Named
from loaders.exports import (
    BadValue,
    Problem,
    Reading,
    Track,
    UnreadableExport,
    everything,
    file_name,
    open_export,
    parse_json,
    text_of,
)
from loaders.profiles import DiningProfile, table_key

_HUDS_MEALS = {"BRK": 0, "LUN": 1, "DIN": 2}
_FOODPRO_MEALS = {1: 0, 2: 1, 3: 2}
_DATE_FORMATS = ("%m/%d/%Y", "%Y-%m-%d")
_HUDS_COLUMNS = ("date", "recipe number", "recipe name", "meal", "hall", "category")
_HUDS_WIDTHS = (8, 9)

_Row = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Serving:
    """One row of an export: a recipe, served in a category, for a meal, at a location, on a date (YYYY-MM-DD)."""

    date: str
    meal: int
    location: Named
    category: Named
    recipe: Named

    @property
    def item(self) -> MenuItem:
        """Return the menu item that this row is."""
        recipe = self.recipe
        return MenuItem(self.date, self.meal, self.location.id, self.category.id, recipe.id, recipe.name)


def read(paths: Iterable[Path], profile: DiningProfile, track: Track = everything) -> Reading:
    """Return every serving of the exports, in their order; UnreadableExport for a file that cannot be read at all.

    Rows for a menu item that is there already are counted; one with another name for the recipe is bad.
    """
    reading, rows = Reading(), {"foodpro": _foodpro_rows, "huds": _huds_rows}[profile.format]
    serving = {"foodpro": _foodpro_serving, "huds": _huds_serving}[profile.format]
    seen: dict[tuple, Serving] = {}
    for path in paths:
        for place, row in track(list(rows(path, open_export(path, reading)))):
            try:
                reading.duplicates += _add(seen, serving(row, profile))
            except BadValue as bad:
                reading.problems.append(Problem(file_name(path), place, bad.field, bad.value, bad.reason))
    reading.records = list(seen.values())
    return reading


def _add(seen: dict[tuple, Serving], serving: Serving) -> bool:
    """Add a serving to those seen; tell whether it was there."""
    item = serving.item
    key = (item.date, item.meal, item.location, item.category, item.recipe)
    before = seen.setdefault(key, serving)
    if before.recipe.name != serving.recipe.name:
        raise BadValue("recipe name", item.name, f"differs from {before.recipe.name!r} in the same place of the menu")
    return before is not serving


def latest_names(named: Iterable[tuple[str, Named]]) -> list[Named]:
    """Return one name for each id, by id: the one of the last date, as numbers are used again over the years."""
    latest: dict[int, tuple[str, Named]] = {}
    for date, name in named:
        if name.id not in latest or latest[name.id][0] <= date:
            latest[name.id] = (date, name)
    return [latest[id_][1] for id_ in sorted(latest)]


def _foodpro_rows(path: Path, text: str) -> Iterator[_Row]:
    if text.lstrip().startswith(("[", "{")):
        export = parse_json(path, text)
        if not isinstance(export, list):
            raise UnreadableExport(f"{path}: is not a JSON array of rows")
        yield from ((f"record {number}", row) for number, row in enumerate(export, 1))
        return
    lines = _csv_lines(path, text)
    header = next(lines, ("", []))[1]
    if "serve_date" not in [name.strip().casefold() for name in header]:
        raise UnreadableExport(f"{path}: has no header with Serve_Date: is it in another format (--profile)?")
    for place, values in lines:
        yield place, dict(zip(header, values, strict=True)) if len(values) == len(header) else tuple(values)


def _huds_rows(path: Path, text: str) -> Iterator[_Row]:
    return _csv_lines(path, text)


def _csv_lines(path: Path, text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each row that is not empty with the line it begins on."""
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    begins = 1
    try:
        for values in reader:
            if values:
                yield f"line {begins}", values
            begins = reader.line_num + 1
    except csv.Error as error:
        raise UnreadableExport(f"{path}: line {begins} is not CSV: {error}") from error


def _foodpro_serving(row: object, profile: DiningProfile) -> Serving:
    if isinstance(row, tuple):
        raise BadValue("row", ",".join(row), f"has {len(row)} columns, unlike the header")
    if not isinstance(row, Mapping):
        raise BadValue("row", row, "is not a JSON object")
    given = {name.strip().casefold(): value for name, value in row.items()}
    meal = _number("Meal_Number", given)
    if meal not in _FOODPRO_MEALS:
        raise BadValue("Meal_Number", meal, "is none of 1 (breakfast), 2 (lunch) and 3 (dinner)")
    printed = "Recipe_Print_As_Name"
    recipe = printed if text_of(printed, given.get(printed.casefold())) else "Recipe_Name"
    return Serving(
        date=_date("Serve_Date", given.get("serve_date")),
        meal=_FOODPRO_MEALS[meal],
        location=_named("Location_Number", "Location_Name", given, profile.locations),
        category=_named("Menu_Category_Number", "Menu_Category_Name", given, profile.categories),
        recipe=_named("Recipe_Number", recipe, given, {}),
    )


def _huds_serving(row: list[str], profile: DiningProfile) -> Serving:
    if len(row) not in _HUDS_WIDTHS:
        raise BadValue("row", ",".join(row), f"has {len(row)} columns instead of 8 or 9")
    given = dict(zip(_HUDS_COLUMNS, row, strict=False))
    meal = text_of("meal", given["meal"])
    if meal not in _HUDS_MEALS:
        raise BadValue("meal", meal, "is none of BRK, LUN and DIN")
    return Serving(
        date=_date("date", given["date"]),
        meal=_HUDS_MEALS[meal],
        location=_code("hall", given, profile.locations),
        category=_code("category", given, profile.categories),
        recipe=_named("recipe number", "recipe name", given, {}),
    )


def _number(field: str, given: Mapping[str, Any]) -> int:
    value = given.get(field.casefold())
    if value is None or (isinstance(value, str) and not value.strip()):
        raise BadValue(field, None, "is missing")
    try:
        return ids.from_export(value)
    except ValueError as error:
        raise BadValue(field, value, str(error)) from None


def _named(number: str, name: str, given: Mapping[str, Any], codes: Mapping[str, Named]) -> Named:
    """Return the id and name of a row's location, category or recipe, or what the profile makes of them."""
    id_ = _number(number, given)
    if str(id_) in codes:
        return codes[str(id_)]
    text = text_of(name, given.get(name.casefold()))
    if not text:
        raise BadValue(name, None, "is missing")
    return Named(id_, text)


def _code(field: str, given: Mapping[str, Any], codes: Mapping[str, Named]) -> Named:
    text = text_of(field, given[field])
    if table_key(text) not in codes:
        raise BadValue(field, text, "is not in the tables of the profile")
    return codes[table_key(text)]


def _date(field: str, value: object) -> str:
    text = text_of(field, value)
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    raise BadValue(field, text or None, "is missing" if not text else "is not a date written MM/DD/YYYY")
