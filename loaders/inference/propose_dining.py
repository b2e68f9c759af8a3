"""A dining profile proposed for an export of menus."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any

import tomlkit
from tomlkit.items import Table

from campus_api.domain.models import MEALS, NamedEntity, meal_name
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.inference.comments import add_comments, printable, wrap
from loaders.inference.menu_settings import propose_settings
from loaders.menu_formats.table import MenuTable
from loaders.profiles import DiningProfile
from loaders.readers import dining, dining_format
from loaders.result import DiningRead, ProgressCallback
from loaders.sources.files import Export
from loaders.text import pluralize, shorten

# The ids of buildings by name, of those of these names that one building alone has.
FindBuildings = Callable[[Collection[str]], Mapping[str, int]]

_MAX_SHOWN = 40
_UNKNOWN_ALLERGENS = "Not known as allergens. Set the word or words of each, or an empty text for what is none:"


def propose_dining(
    exports: Sequence[Export],
    name: str,
    encoding: str | None,
    track: ProgressCallback,
    find_buildings: FindBuildings,
) -> tuple[str, tomlkit.TOMLDocument]:
    """Return a title and a profile proposed from the built-in one, of all sheets; UnreadableFileError without rows."""
    built_in = replace(profiles.load_dining_profile(name), encoding=encoding or "")
    format_class = dining_format(built_in)
    proposed, doubts = propose_settings(exports, built_in) if format_class is MenuTable else (built_in, [])
    paths = [export.path for export in exports]
    reading = dining.read([(proposed, paths)], track, {}, origins={each.path: each.source for each in exports})
    document = tomlkit.document()
    unread = shorten([name for name, _ in reading.unread.most_common()], "other", "others", _MAX_SHOWN)
    hints = chain.from_iterable(map(wrap, [*doubts, f"Not read: {', '.join(unread)}."] if unread else doubts))
    add_comments(document, [_meal_line(reading.records), *hints])
    document.add("format", name)
    for setting, value in _settings(proposed, built_in).items():
        document.add(setting, value)
    for name_of_table, codes in sorted(reading.codes.items(), reverse=True):
        document.add(name_of_table, _code_table(codes, getattr(built_in, name_of_table)))
    rows = reading.records if format_class is MenuTable else []
    locations = {row.location.id: row.location for row in reversed(rows)}
    has_ids = "locations" in reading.codes or "location" in format_class.native_ids(proposed)
    keys = {each.name: str(each.id) if has_ids else each.name for each in locations.values()}
    _add_halls(document, keys, find_buildings)
    _add_allergens(document, reading.unknown_allergens)
    return _title(name if name != format_class.name else format_class.title, reading), document


def _title(format_title: str, reading: DiningRead) -> str:
    rows = reading.records
    names = ("date", "location.id", "category.id", "recipe.id")
    dates, locations, categories, recipes = ({*map(attrgetter(name), rows)} for name in names)
    counts = [
        pluralize(len(rows) + reading.duplicates + len(reading.errors), "row"),
        pluralize(len(dates), "date") + (f" from {min(dates)} to {max(dates)}" if dates else ""),
        pluralize(len(locations), "location"),
        pluralize(len(categories), "category", "categories"),
        pluralize(len(recipes), "recipe"),
    ]
    return ", ".join([format_title, *counts])


def _settings(proposed: DiningProfile, built_in: DiningProfile) -> dict[str, Any]:
    columns = {name: [*names] if len(names) > 1 else names[0] for name, names in proposed.columns.items()}
    settings = {"date_format": proposed.date_format, "columns": {} if built_in.columns else columns}
    settings |= {name: getattr(proposed, name) for name in ("defaults", "meals", "facts")}
    return {name: value for name, value in settings.items() if value and value != getattr(built_in, name)}


def _add_halls(document: tomlkit.TOMLDocument, keys: Mapping[str, str], find_buildings: FindBuildings) -> None:
    """Add the building of each location, by its id or its name, whose name is that of one building."""
    buildings = find_buildings(keys)
    if not buildings:
        return
    halls = tomlkit.table(is_super_table=True)
    for name, building in buildings.items():
        value = tomlkit.item(building).comment(printable(name))
        halls.add(keys[name], tomlkit.table().add("building", value))
    document.add("halls", halls)


def _add_allergens(document: tomlkit.TOMLDocument, lines: Collection[tuple[str, int]]) -> None:
    """Add the names of allergens that are not known, as comments to fill in."""
    if not lines:
        return
    table = tomlkit.table()
    most_frequent = sorted(lines, key=lambda each: -each[1])
    shown = [f"{line}  # {pluralize(number, 'dish', 'dishes')}" for line, number in most_frequent]
    add_comments(table, [*wrap(_UNKNOWN_ALLERGENS), *shorten(shown, "other", "others", _MAX_SHOWN)])
    document.add("allergens", table)


def _meal_line(rows: Iterable[MenuRow]) -> str:
    numbers = Counter(row.meal for row in rows)
    meals = sorted({*MEALS, *numbers})
    return ", ".join(f"{meal_name(meal)} {pluralize(numbers[meal], 'item')}" for meal in meals)


def _code_table(codes: Mapping[str, NamedEntity], built_in: Mapping[str, NamedEntity]) -> Table:
    table = tomlkit.table()
    for code, entity in sorted(codes.items(), key=lambda each: each[1].id):
        value = tomlkit.inline_table()
        value.update({"id": entity.id, "name": entity.name})
        table.add(code, value if code in built_in else value.comment("proposed: check the name"))
    return table
