"""Tables of menus: CSV or JSON objects, a dish in each row; the profile says which column has what."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from campus_api.domain.models import MEALS, NamedEntity, meal_name
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import NO_MEAL, ROWS, DataWarning, InvalidValue, UnreadableFileError
from loaders.menu_formats.base import KINDS, DiningFormat
from loaders.menu_formats.common_names import common_columns, is_common_header
from loaders.menu_formats.dates import DAY_FIRST, is_date, parse_date, without_week
from loaders.menu_formats.values import clean_name, first_meal, meals_meant, named_entity, parse_id, require_scalar
from loaders.profiles import DiningProfile, normalize_code
from loaders.profiles.building_ids import text_id
from loaders.profiles.dining_settings import MAX_MEAL, fold_meal
from loaders.result import CONTRADICTS, SourceLocation
from loaders.sources.content import document_names
from loaders.sources.files import Export, sheet_name
from loaders.syntax.columns import Columns, fold_name
from loaders.syntax.csv_rows import csv_head, detect_delimiter, widest_delimiter
from loaders.syntax.json_stream import is_json, read_array
from loaders.syntax.rows import csv_objects, program_rows, require_object, require_unique
from loaders.text import HEADING_COLUMN, SHEET_COLUMN, is_blank

USUAL_DEFAULTS = {"meal": "lunch", "category": "Menu"}
_CODE_TABLES = {"location": "locations", "category": "categories"}
_MEAL_NUMBERS = f"N, which is 0 for breakfast, 1 for lunch, 2 for dinner, 3 to {MAX_MEAL} for others"
# The columns of the halls in the CSV of this API.
_OWN = {"campus-menus": "location", "campus-dishes": "locations"}
# What a program says of a part of its document that is no dish.
_WARNING = "$warning"
# Of a column that says whether a hall is closed.
_TRUE = ("true", "yes", "y", "1", "closed")

_WORD = re.compile(r"[\w-]+")
# A member of JSON or an element of XML that has a text, a number or a list of them; the keys of flags and ids are data.
_VALUE = re.compile(
    r'"([^"\\]{0,80}[^\W\d][^"\\]{0,80})"\s*:\s*(?:\[\s*)?(?:"(?!true|false|")|[-0-9])'
    r"|<([A-Za-z_][\w:.-]*)[^<>]*(?<!/)>\s*[^<\s]"
)

Members = Mapping[str, Any]


class _Texts(NamedTuple):
    """What a row says of a meal, a hall, a category or a dish: its text, a code if there is a column, and its name."""

    has_codes: bool
    field: str
    text: str
    name_field: str
    name: str


class MenuTable(DiningFormat):
    """Parser of the rows of one table. The database assigns the ids that it does not have to names."""

    name = "menu-table"
    title = "table of menus"
    files = "a table of dates and dishes (CSV or JSON), such as those of FoodPro and HUDS"

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        self._use_columns(profile.columns, profile.facts)
        self._codes = {kind: profile.codes(kind) for kind in KINDS}
        self._by_id = {kind: {each.id: each for each in codes.values()} for kind, codes in self._codes.items()}
        self._closed_days: set[str] = set()

    def _use_columns(self, columns: Mapping[str, tuple[str, ...]], facts: Mapping[str, str]) -> None:
        self.columns, self._facts = columns, facts
        names = [name for each in columns.values() for name in each]
        self._read = Columns([*names, *facts.values()])

    @classmethod
    def fits(cls, head: str, profile: DiningProfile) -> bool:
        table = cls(profile)
        if profile.provider in _OWN:
            return _has_own_ids(head, _OWN[profile.provider])
        if profile.rows:
            # Only its rows say so.
            return False
        if is_json(head):
            return not profile.header and table._is_header(document_names(head))
        # The last cell of a row is the name of its sheet, if there is a column of it.
        *_, sheet = ["", *chain(*csv_head(head))]
        return detect_delimiter(head, partial(table._is_expected, sheet=sheet)) is not None

    @classmethod
    def native_ids(cls, profile: DiningProfile) -> Collection[str]:
        return () if profile.namespace else [kind for kind in KINDS if {kind, f"{kind}_id"} <= profile.columns.keys()]

    def find_columns(self, export: Export) -> tuple[dict[str, str], dict[str, str]]:
        """Return the columns of menus and of facts that have common names."""
        with export.reopen() as again:
            return common_columns(row for _, row in self._rows(again))

    def records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        if not self.columns:
            menus, facts = self.find_columns(export)
            self._use_columns({name: (column,) for name, column in menus.items()}, self._profile.facts or facts)
        self.lists = DiningLists(closed_days=self._closed_days if "closed" in self.columns else None)
        self._check_names(export)
        missing = [each for each in ("date", "dish") if each not in self.columns]
        for location, row in self._rows(export):
            if missing:
                reason = f"has no column of a {' and a '.join(missing)} by a common name"
                advice = f", or make it with {ROWS}" if is_json(export.head) else ""
                raise UnreadableFileError(export.path, f"{reason}: name it in [columns] of the profile{advice}")
            if self._is_closed(row):
                yield from self._add_closed_day(row, location)
            elif isinstance(row, dict) and (warning := row.get(_WARNING)):
                self.warnings.append(DataWarning("feed", None, warning))
            else:
                yield location, row

    def _check_names(self, export: Export) -> None:
        """Raise UnreadableFileError if the names of sheets may say what rows lack, or that of the file another meal.

        A default of the profile decides, with a warning.
        """
        named, usual = named_meals(export), meals_meant(self.default("meal"))
        if self.sheets > 1:
            self._require_known(export, SHEET_COLUMN, f"{self.sheets} sheets")
        elif named and usual and named.isdisjoint(usual) and self.columns.keys().isdisjoint({"meal", "meal_id"}):
            meal = first_meal(named)
            if own := self._profile.defaults.get("meal"):
                reason = f"is the meal of [defaults], but that of the file is {meal} by its name"
                self.warnings.append(DataWarning("meal", own, reason))
            else:
                advice = f'its profile needs meal = "{meal}" in [defaults], or "lunch" if it is the name of a hall'
                raise UnreadableFileError(export.path, f"has no column of the meal, but {meal} in its name: {advice}")

    def _require_known(self, export: Export, column: str, described: str) -> None:
        """Raise UnreadableFileError if only sheets or headings may say what rows lack, or warn of a category."""
        if not self.columns or (column,) in self.columns.values():
            return
        names = {each.removesuffix("_id") for each in self.columns} | self._profile.defaults.keys()
        missing = [kind for kind in ("date", "meal", "location") if kind not in names]
        if missing:
            lines = " or ".join(f'{kind} = "{column}"' for kind in missing)
            reason = f"has {described} and no column of the {' or the '.join(missing)}"
            others = f"{ROWS if 'date' in missing else 'a line in [defaults]'}; campus-load profile may propose one"
            advice = f"the profile needs {lines} in [columns] if their names say it, or else {others}"
            raise UnreadableFileError(export.path, f"{reason}: {advice}")
        if "category" not in names:
            reason = f'is missing: it is "Menu" for all {described}, unless the profile has category = "{column}"'
            self.warnings.append(DataWarning("category", None, reason))

    def parse_row(self, row: Any) -> tuple[MenuRow, Sequence[DataWarning]]:
        members = self._members(row)
        self.unread.update(name for name in self._read.others(members) if not is_blank(members[name]))
        date = self._date(members)
        self.source_hall = without_week(self.source_hall, date)
        warnings: list[DataWarning] = []
        texts = self._texts("meal", members)
        meal = self._parse_meal(texts, warnings)
        location, category, dish = (self._parse_entity(kind, members, warnings) for kind in KINDS)
        return MenuRow(date, meal, location, category, dish, self._meal_name(meal, texts)), warnings

    def _is_closed(self, row: Any) -> bool:
        """Return whether a row is no dish, but a day on which its hall is closed."""
        names = self.columns.get("closed", ()) if isinstance(row, dict) else ()
        return any(str(self._members(row).get(name)).strip().casefold() in _TRUE for name in names)

    def _add_closed_day(self, row: Any, where: SourceLocation) -> Iterator[tuple[SourceLocation, Any]]:
        """Add a closed day; yield the error of a row that has no valid date."""
        try:
            self._closed_days.add(self._date(self._members(row)))
        except InvalidValue as error:
            yield where, error

    def texts(self, row: Any) -> dict[str, str]:
        """Return the text in each column of a row."""
        members = self._members(row)
        return {column: self._text(members, column)[1] for column in self.columns}

    def add_facts(self, raw: Any, row: MenuRow) -> Iterable[DataWarning]:
        return self.facts.add_values(row.recipe, row.date, self._members(raw), self._facts)

    def _rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each row as `records` does; may be called more than once."""
        if program := self._profile.rows:
            with export.reopen() as again:
                self.unread.update(_values_left_out(again.text.read(), " ".join([program, *self._read.names])))
            yield from program_rows(export, program, self._required_columns())
            return
        if is_json(export.head):
            yield from read_array(export, "rows")
            return
        delimiter = self._profile.delimiter or detect_delimiter(export.head, self._is_expected)
        names, rows = csv_objects(export, delimiter or widest_delimiter(export.head), self._profile.header)
        require_unique(export, names, self._read.names or names)
        if HEADING_COLUMN in names:
            self._require_known(export, HEADING_COLUMN, "headings among its rows")
        if missing := self._missing(names):
            raise UnreadableFileError(export.path, f"has no column {', '.join(missing)}, which the profile names")
        yield from rows

    def _members(self, row: Any) -> Members:
        return self._read.values(require_object(row))

    def _text(self, members: Members, column: str) -> tuple[str, str]:
        """Return the name and the text, without HTML, of the first of the names of a column that has one."""
        names = self.columns.get(column, ())
        for name in names:
            if text := clean_name(name, require_scalar(name, members.get(name))):
                return name, text
        return names[-1] if names else column, ""

    def _date(self, members: Members) -> str:
        return parse_date(*self._text(members, "date"), self._profile.date_format)

    def _texts(self, kind: str, members: Members) -> _Texts:
        """Return the texts of a row for a kind, or the meal of its category, the default, or the hall of its source."""
        has_codes = f"{kind}_id" in self.columns
        name = self._text(members, kind)
        code = self._text(members, f"{kind}_id") if has_codes else name
        texts = _Texts(has_codes, *code, *name)
        if texts.text or texts.name:
            return texts
        default = self.default(kind)
        if kind == "meal" and default == USUAL_DEFAULTS["meal"]:
            _, category = self._text(members, "category")
            # One that is called Diner is not the dinner.
            named = first_meal(meals_meant(f"the {category}"))
            default = category if fold_meal(category) in self._profile.meals else named or default
        if default:
            return texts._replace(text=default, name=default)
        has_hall = {"location", "location_id"} & self.columns.keys()
        if kind == "location" and (self._profile.rows or not has_hall):
            return texts._replace(has_codes=False, text=self.source_hall)
        return texts

    def _parse_meal(self, texts: _Texts, warnings: list[DataWarning]) -> int:
        """Return the meal of the profile by its code or else its name, or the usual one, or that of the name."""
        profile = self._profile
        for text in map(fold_meal, (texts.text, texts.name)):
            if text in profile.meals:
                return profile.meals[text]
        if not texts.text:
            hint = "; give the path or URL if that has it" if "$source" in profile.rows else ""
            raise InvalidValue(texts.field, None, "is missing" if texts.has_codes else f"{NO_MEAL}{hint}")
        meal = profile.usual_meals.get(fold_meal(texts.text))
        if meal is not None:
            warnings.extend(_contradictions(texts, meal))
            return meal
        named = meals_meant(texts.name)
        if texts.has_codes or not named:
            number = min(named, default=_MEAL_NUMBERS)
            reason = f"is not in [meals] of the profile: add {json.dumps(texts.text, ensure_ascii=False)} = {number}"
            raise InvalidValue(texts.field, texts.text, reason)
        if len(named) > 1:
            reason = f"names several meals; {meal_name(min(named))} is used"
            warnings.append(DataWarning(texts.field, texts.text, reason))
        return min(named)

    def _meal_name(self, meal: int, texts: _Texts) -> str:
        """Return the name of a row's meal in the profile or else the export, "" for that of `MEALS`; brunch has one."""
        is_other = (meal not in MEALS or "brunch" in texts.name.casefold()) and not texts.name.isdigit()
        names = map(self._profile.meal_names.get, map(fold_meal, (texts.text, texts.name)))
        return next(filter(None, names), texts.name if is_other else "")

    def default(self, kind: str) -> str:
        """Return what rows without a value have; in columns of IDs and of meals, only the profile says so."""
        in_column = f"{kind}_id" in self.columns or (kind == "meal" and kind in self.columns)
        usual = "" if in_column else USUAL_DEFAULTS.get(kind, "")
        return self._profile.defaults.get(kind, usual)

    def _parse_entity(self, kind: str, members: Members, warnings: list[DataWarning]) -> NamedEntity:
        """Return the entity of the profile by its code, or else that of the row, or one with an assigned id."""
        texts = self._texts(kind, members)
        if not texts.text:
            raise InvalidValue(texts.field, None, "is missing")
        code = normalize_code(texts.text)
        known = self._codes[kind].get(code)
        if texts.has_codes and kind in self.columns:
            return known or self._entity_of_row(kind, texts)
        entity = known or self._assign(kind, texts.text)
        if texts.has_codes:
            self.used_codes.setdefault(_CODE_TABLES[kind], {})[code] = entity
        if not known and (texts.has_codes or not texts.name):
            warnings.append(_missing_name(kind, texts, entity))
        return entity

    def _entity_of_row(self, kind: str, texts: _Texts) -> NamedEntity:
        """Return the entity whose id and name are those of a row, unless other providers have such ids."""
        id_ = parse_id(texts.field, texts.text)
        if self._profile.namespace:
            return self._assign(kind, str(id_), texts.name)
        name = str(id_) if texts.name_field == texts.field else texts.name
        return self._by_id[kind].get(id_) or named_entity(id_, texts.name_field, name)

    def _assign(self, kind: str, text: str, name: str | None = None) -> NamedEntity:
        """Return an entity whose id the database has or assigns to a text, its name, whatever the letter case."""
        id_ = self.assigner.assign(text_id(kind, text), self._profile.namespace)
        return named_entity(id_, kind, text if name is None else name)

    def _is_expected(self, row: list[str], sheet: str = "") -> bool:
        """Return whether a row is the header, or that of a menu if the file has none."""
        return self._is_menu_row(row) if self._profile.header else self._is_header(row, sheet)

    def _is_menu_row(self, row: list[str]) -> bool:
        """Return whether a row has a date, a dish and a known meal."""
        header = self._profile.header
        members = dict(zip(header, row, strict=False))
        with suppress(InvalidValue):
            _, day = self._text(members, "date")
            formats = [self._profile.date_format] if self._profile.date_format else ["", DAY_FIRST]
            self._parse_meal(self._texts("meal", members), [])
            return is_date(day, formats) and len(row) >= len(header) and self._text(members, "dish")[1] != ""
        return False

    def _is_header(self, names: Collection[str], sheet: str = "") -> bool:
        return not self._missing(names) if self.columns else is_common_header(names, sheet)

    def _missing(self, names: Iterable[str]) -> list[str]:
        folded = {*map(fold_name, names)}
        return [" or ".join(each) for each in self._required_columns() if folded.isdisjoint(map(fold_name, each))]

    def _required_columns(self) -> Sequence[tuple[str, ...]]:
        usual = [self.columns[name] for name in ("date", "dish") if name in self.columns]
        return self._profile.required_columns or usual


def named_meals(export: Export) -> frozenset[int]:
    """Return the meals for which the name of a sheet, or else that of its file, stands."""
    return meals_meant(sheet_name(export.path)) or meals_meant(Path(export.source).stem)


def _values_left_out(document: str, names: str) -> Iterator[str]:
    """Yield the name of each value of JSON or XML that neither a program nor a column names."""
    # The name of a sheet is not of the export.
    read = {"sheet", *_WORD.findall(names)}
    for each in _VALUE.findall(document):
        name = next(filter(None, each))
        if name.rpartition(":")[2] not in read:
            yield name


def _has_own_ids(head: str, halls: str) -> bool:
    """Return whether the first row of CSV has a meal, halls, a category and a recipe by number, as this API has."""
    rows = csv_head(head, widest_delimiter(head))
    cells = dict(zip(*rows[:2], strict=False)) if len(rows) > 1 else {}
    numbers = chain(*(cells.get(name, "").split("; ") for name in ("meal", halls, "category", "recipe")))
    return all(number.removesuffix(".0").isdigit() for number in numbers)


def _contradictions(texts: _Texts, meal: int) -> Iterator[DataWarning]:
    """Yield a warning if the name of a meal is that of another one than its number."""
    named = meals_meant(texts.name)
    # Any meal may be called brunch.
    if texts.has_codes and named and meal not in named and "brunch" not in texts.name.casefold():
        reason = f"{CONTRADICTS} {texts.field} {texts.text} ({meal_name(meal)}); the number is used"
        yield DataWarning(texts.name_field, texts.name, reason)


def _missing_name(kind: str, texts: _Texts, entity: NamedEntity) -> DataWarning:
    """Return a warning about a code that the profile lacks, with the line to add, or a hall that its source names."""
    if not texts.has_codes:
        hall = f"its hall is {texts.text!r}, of the name of its file or folder"
        reason = f"is missing: {hall}; [locations] may give it another one"
        return DataWarning(texts.field, None, reason)
    text = json.dumps(texts.text, ensure_ascii=False)
    reason = f"is not in [{_CODE_TABLES[kind]}] of the profile: add {text} = {{id = {entity.id}, name = {text}}}"
    return DataWarning(texts.field, texts.text, reason)
