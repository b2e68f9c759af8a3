"""A dining profile proposed for an export of menus."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import tomlkit
from tomlkit.items import Table

from campus_api.domain.models import MEALS, NamedEntity, meal_name
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError, require_valid
from loaders.inference.comments import add_comments, align_columns, comment_out, printable, wrap
from loaders.inference.field_stats import ErrorSummary
from loaders.inference.menu_settings import is_number, propose_settings
from loaders.menu_formats.base import KINDS, DiningFormat
from loaders.menu_formats.table import MenuTable
from loaders.profiles import DiningProfile
from loaders.readers import dining_format
from loaders.result import ProgressCallback, SourceLocation
from loaders.sources.files import Export
from loaders.text import normalized_name, pluralize, shorten

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
    """Statistics of the rows of an export; meals by their code, number and name, with the reason of a warning."""

    def __init__(self) -> None:
        self.rows = 0
        self.meals: Counter[tuple[str, int, str, str]] = Counter()
        self.locations: Counter[NamedEntity] = Counter()
        self.categories: Counter[NamedEntity] = Counter()
        self.errors = ErrorSummary("row")
        self._dates: set[str] = set()
        self._recipe_ids: set[int] = set()

    def add(self, row: MenuRow, meal: tuple[str, str], warnings: Sequence[DataWarning]) -> None:
        """Count a row with the code and the name of its meal."""
        self.rows += 1
        self._dates.add(row.date)
        self._recipe_ids.add(row.recipe.id)
        code, name = meal
        self.meals[code, row.meal, name, next((each.reason for each in warnings), "")] += 1
        self.locations[row.location] += 1
        self.categories[row.category] += 1

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
            pluralize(_count_ids(self.locations), "location"),
            pluralize(_count_ids(self.categories), "category", "categories"),
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
    add_comments(document, [*stats.errors.lines(), *_meal_lines(stats.meals, proposed), *hints])
    document.add("format", name)
    for setting, value in _settings(proposed, built_in).items():
        document.add(setting, value)
    if any(codes.values()):
        document.add("locations", _code_table(codes["location"], proposed.locations, built_in.locations))
        document.add("categories", _code_table(codes["category"], proposed.categories, built_in.categories))
        _add_halls(document, proposed.locations.values(), find_buildings)
    elif "locations" in reader.tables and {*reader.native_ids(proposed)} == {*KINDS}:
        _add_merge_comments(document, stats)
        _add_halls(document, _merge_suggestions(stats.locations), find_buildings)
    _add_allergens(document, reader.facts.allergens.lines)
    return title, document


def _read_rows(export: Export, reader: DiningFormat, track: ProgressCallback) -> _ExportStats:
    """Read all rows with a proposed profile."""
    stats = _ExportStats()
    for location, raw in track(reader.records(export)):
        try:
            row, warnings = reader.parse_row(require_valid(raw))
        except InvalidValue as error:
            stats.add_error(location, error)
        else:
            stats.add(row, _meal(reader, raw), warnings)
            deque(reader.add_facts(raw, row), maxlen=0)
    return stats


def _settings(proposed: DiningProfile, built_in: DiningProfile) -> dict[str, Any]:
    """Return the settings of a proposed profile that the built-in one does not have."""
    columns = {name: names[0] for name, names in proposed.columns.items()}
    settings = {"date_format": proposed.date_format, "columns": {} if built_in.columns else columns}
    settings |= {name: getattr(proposed, name) for name in ("defaults", "meals", "facts")}
    return {name: value for name, value in settings.items() if value and value != getattr(built_in, name)}


def _meal(reader: DiningFormat, raw: Any) -> tuple[str, str]:
    """Return the code and the name of the meal of a row of a table with codes."""
    texts = reader.texts(raw) if isinstance(reader, MenuTable) else {}
    return (texts["meal_id"], texts.get("meal", "")) if "meal_id" in texts else ("", "")


def _add_merge_comments(document: tomlkit.TOMLDocument, stats: _ExportStats) -> None:
    """Add comments about entities that the profile can merge."""
    document.add(tomlkit.nl())
    add_comments(document, ["Locations that share a kitchen can be mapped to one id and one name here.", "[locations]"])
    add_comments(document, _merge_lines(stats.locations))
    if duplicates := _merge_lines(stats.categories, only_duplicates=True):
        document.add(tomlkit.nl())
        add_comments(document, ["Categories that may be duplicates; uncomment to merge them.", "[categories]"])
        add_comments(document, duplicates)


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


def _count_ids(entities: Counter[NamedEntity]) -> int:
    return len({entity.id for entity in entities})


def _meal_lines(meals: Counter[tuple[str, int, str, str]], profile: DiningProfile) -> list[str]:
    """Return the number of rows of each meal, as a table with names and warnings if rows name their meals."""
    if not any(name for _, _, name, _ in meals):
        numbers = Counter(dict.fromkeys(MEALS, 0))
        for (_, meal, _, _), number in meals.items():
            numbers[meal] += number
        return [", ".join(f"{meal_name(meal)} {pluralize(number, 'row')}" for meal, number in numbers.items())]
    rows = [(profile.columns["meal_id"][0], profile.columns["meal"][0], "rows", "")]
    for (code, meal, name, warning), number in sorted(meals.items(), key=lambda item: (item[0][1], -item[1])):
        rows.append((f"{code} ({meal_name(meal)})", name, f"{number:,}", warning))
    return align_columns(rows[: _MAX_SHOWN + 1], numeric=(2,))


def _unread_lines(unread: Counter[str]) -> list[str]:
    names = shorten([name for name, _ in unread.most_common()], "other", "others", _MAX_SHOWN)
    return [f"Not read: {', '.join(names)}."] if names else []


def _merge_lines(entities: Counter[NamedEntity], *, only_duplicates: bool = False) -> list[str]:
    """Return a line of TOML for each id; near-duplicate names are mapped to the most frequent one."""
    suggestions = _merge_suggestions(entities)
    if only_duplicates:
        suggestions = {entity: target for entity, target in suggestions.items() if target != entity}
    if not suggestions:
        return []
    table = tomlkit.table()
    for entity, target in list(suggestions.items())[:_MAX_SHOWN]:
        _add_entity(table, str(entity.id), target, _describe_entity(entity, target, entities))
    hidden = len(suggestions) - _MAX_SHOWN
    return [*comment_out(table), *([f"and {hidden:,} more"] if hidden > 0 else [])]


def _merge_suggestions(entities: Counter[NamedEntity]) -> dict[NamedEntity, NamedEntity]:
    """Return the entity to use for each id, in the order of ids.

    That is its own most frequent name, or a more frequent entity whose name is a near duplicate. Equal names with
    different ids are not merged: they are not typing errors.
    """
    by_id: dict[int, NamedEntity] = {}
    for entity, _ in entities.most_common():
        by_id.setdefault(entity.id, entity)
    by_name: dict[str, NamedEntity] = {}
    for entity in by_id.values():
        by_name.setdefault(normalized_name(entity.name), entity)
    suggestions = {}
    for _, entity in sorted(by_id.items()):
        target = by_name[normalized_name(entity.name)]
        suggestions[entity] = entity if target.name == entity.name else target
    return suggestions


def _describe_entity(entity: NamedEntity, target: NamedEntity, entities: Counter[NamedEntity]) -> str:
    other_names = [other.name for other, _ in entities.most_common() if other.id == entity.id and other != entity]
    text = pluralize(sum(number for other, number in entities.items() if other.id == entity.id), "row")
    if target != entity:
        text += f'; "{entity.name}" is a near duplicate of {target.id}'
    if other_names:
        text += f"; also named {', '.join(other_names[:3])}"
    return text


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
