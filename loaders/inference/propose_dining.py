"""A dining profile proposed for an export of menus."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from typing import Any

import tomlkit
from tomlkit.items import Table

from campus_api.domain.models import MEALS, NamedEntity, meal_name
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.errors import InvalidValue, UnreadableFileError, require_valid
from loaders.inference.comments import add_comments, comment_out, printable, wrap
from loaders.inference.field_stats import ErrorSummary
from loaders.inference.menu_settings import is_number, propose_settings
from loaders.menu_formats.base import KINDS, DiningFormat
from loaders.profiles import DiningProfile
from loaders.readers import dining_format
from loaders.result import ProgressCallback, SourceLocation
from loaders.sources.files import Export
from loaders.text import pluralize, shorten

# The ids of buildings by name, of those of these names that one building alone has.
FindBuildings = Callable[[Collection[str]], Mapping[str, int]]

_CHECK_ENCODING = (
    "What is not UTF-8 is read as cp1252: if letters are wrong, set encoding to cp1250, cp1254 or iso-8859-2."
)
_MAX_SHOWN = 40
_UNKNOWN_ALLERGENS = (
    "Not known as allergens. Check the word of each, such as milk or pork, or a list of several; an empty text is for "
    "what is no allergen:"
)


class _ExportStats:
    """Statistics of the rows of an export."""

    def __init__(self) -> None:
        self.rows = 0
        self.meals: Counter[int] = Counter(dict.fromkeys(MEALS, 0))
        # The number of rows of each location, with its first name.
        self.locations: dict[int, tuple[NamedEntity, int]] = {}
        self.errors = ErrorSummary("row")
        self._categories: set[int] = set()
        self._dates: set[str] = set()
        self._recipe_ids: set[int] = set()

    def add(self, row: MenuRow) -> None:
        """Count a row."""
        self.rows += 1
        self.meals[row.meal] += 1
        location, number = self.locations.get(row.location.id, (row.location, 0))
        self.locations[location.id] = location, number + 1
        self._categories.add(row.category.id)
        self._dates.add(row.date)
        self._recipe_ids.add(row.recipe.id)

    def add_error(self, location: SourceLocation, error: InvalidValue) -> None:
        """Count a row that cannot be used."""
        self.rows += 1
        self.errors.add(location, error)

    def title(self, format_title: str, export: Export) -> str:
        """Return the format and the counts in one line; UnreadableFileError if there are no rows."""
        if not self.rows:
            raise UnreadableFileError(export.path, "has no rows, so no profile can be proposed")
        dates = pluralize(len(self._dates), "date")
        if self._dates:
            dates += f" from {min(self._dates)} to {max(self._dates)}"
        counts = [
            pluralize(len(self.locations), "location"),
            pluralize(len(self._categories), "category", "categories"),
            pluralize(len(self._recipe_ids), "recipe"),
        ]
        return ", ".join([format_title, pluralize(self.rows, "row"), dates, *counts])


def propose_dining(
    export: Export, name: str, track: ProgressCallback, find_buildings: FindBuildings
) -> tuple[str, tomlkit.TOMLDocument]:
    """Return a title and a profile proposed from the built-in one; UnreadableFileError if the export has no rows."""
    built_in = profiles.load_dining_profile(name)
    proposed, doubts, codes = propose_settings(export, built_in)
    reader = dining_format(proposed)(proposed)
    stats = _read_rows(export, reader, track)
    title = stats.title(name if name != reader.name else reader.title, export)
    document = tomlkit.document()
    encoding = [_CHECK_ENCODING] if export.text.has_cp1252 else []
    hints = chain.from_iterable(map(wrap, [*encoding, *doubts, *_unread_lines(reader.unread)]))
    add_comments(document, [*stats.errors.lines(), _meal_line(stats.meals), *hints])
    document.add("format", name)
    for setting, value in _settings(proposed, built_in).items():
        document.add(setting, value)
    if any(codes.values()):
        document.add("locations", _code_table(codes["location"], proposed.locations, built_in.locations))
        document.add("categories", _code_table(codes["category"], proposed.categories, built_in.categories))
        _add_halls(document, proposed.locations.values(), find_buildings)
    elif "locations" in reader.tables and {*reader.native_ids(proposed)} == {*KINDS}:
        locations = [stats.locations[id_] for id_ in sorted(stats.locations)]
        _add_merge_comments(document, locations)
        _add_halls(document, [location for location, _ in locations], find_buildings)
    _add_allergens(document, reader.facts.allergens.lines)
    return title, document


def _read_rows(export: Export, reader: DiningFormat, track: ProgressCallback) -> _ExportStats:
    """Read all rows with a proposed profile."""
    stats = _ExportStats()
    for location, raw in track(reader.records(export)):
        try:
            row, _ = reader.parse_row(require_valid(raw))
        except InvalidValue as error:
            stats.add_error(location, error)
        else:
            stats.add(row)
            deque(reader.add_facts(raw, row), maxlen=0)
    return stats


def _settings(proposed: DiningProfile, built_in: DiningProfile) -> dict[str, Any]:
    """Return the settings of a proposed profile that the built-in one does not have."""
    columns = {name: names[0] for name, names in proposed.columns.items()}
    settings = {"date_format": proposed.date_format, "columns": {} if built_in.columns else columns}
    settings |= {name: getattr(proposed, name) for name in ("defaults", "meals", "facts")}
    return {name: value for name, value in settings.items() if value and value != getattr(built_in, name)}


def _add_merge_comments(document: tomlkit.TOMLDocument, locations: Iterable[tuple[NamedEntity, int]]) -> None:
    """Add each location with its number of rows as a comment: the profile can merge it with others."""
    table = tomlkit.table()
    for location, number in locations:
        _add_entity(table, str(location.id), location, pluralize(number, "row"))
    document.add(tomlkit.nl())
    add_comments(document, ["Locations that share a kitchen can be mapped to one id and one name here.", "[locations]"])
    add_comments(document, shorten(comment_out(table), "location", "locations", _MAX_SHOWN))


def _add_halls(document: tomlkit.TOMLDocument, entities: Iterable[NamedEntity], find_buildings: FindBuildings) -> None:
    """Add the building of each location whose name is that of one building."""
    locations = {entity.name: entity.id for entity in entities}
    buildings = find_buildings(locations)
    if not buildings:
        return
    halls = tomlkit.table(is_super_table=True)
    for name, building in buildings.items():
        hall = tomlkit.table()
        hall.add("building", tomlkit.item(building).comment(printable(name)))
        halls.add(str(locations[name]), hall)
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


def _meal_line(meals: Mapping[int, int]) -> str:
    """Return the number of rows of each meal."""
    return ", ".join(f"{meal_name(meal)} {pluralize(number, 'row')}" for meal, number in sorted(meals.items()))


def _unread_lines(unread: Counter[str]) -> list[str]:
    names = shorten([name for name, _ in unread.most_common()], "other", "others", _MAX_SHOWN)
    return [f"Not read: {', '.join(names)}."] if names else []


def _code_table(codes: Counter[str], entities: Mapping[str, NamedEntity], built_in: Mapping[str, NamedEntity]) -> Table:
    table = tomlkit.table()
    for code, entity in entities.items():
        text = pluralize(codes[code], "row")
        if code not in built_in:
            text = f"proposed: check the id and the name; {text}"
        _add_entity(table, code.zfill(2) if is_number(code) else code, entity, text)
    return table


def _add_entity(table: Table, code: str, entity: NamedEntity, text: str) -> None:
    value = tomlkit.inline_table()
    value.update({"id": entity.id, "name": entity.name})
    value.comment(printable(text))
    table.add(code, value)
