"""Menus and lists as this API returns them below /dining, in one object, as `campus-load dump dining` writes them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from campus_api.domain.hours import check_country, check_expression
from campus_api.domain.models import NUTRIENTS, Facts, Hall, Label, MealHours, NamedEntity, Nutrient, Nutrients
from loaders.documents.serving import DiningLists
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.menu_formats.base import DiningFormat, ParsedRow, named_entity, parse_id, parse_iso_date
from loaders.profiles import DiningProfile
from loaders.profiles.dining_settings import MAX_MEAL
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.sources.json_stream import JsonRecordReader
from loaders.text import parse_text

_MEMBER = re.compile(r'\{\s*"categories"\s*:\s*\[')
_KINDS = {"categories": "category", "locations": "location", "recipes": "recipe"}
_FACTS, _HALLS, _MENUS = "facts", "halls", "menus"
# Exact as a number in JSON and in MongoDB.
_MAX_NUMBER = 2**53

Record = Mapping[str, Any]


class CampusDining(DiningFormat):
    """An object with the members categories, locations, recipes, menus and, optionally, facts, halls and closed_days.

    The facts come after the recipes, the halls after the locations, the menus last of the lists. A menu row has the
    name of the recipe as served, the list its current name.
    """

    name = "campus-dining"
    title = "menus of this API"
    files = "a dump of this API"
    has_tables = False

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        self._names: dict[str, dict[int, str]] = {kind: {} for kind in _KINDS.values()}
        self._facts: dict[int, Facts] = {}
        self._halls: dict[int, Hall] = {}
        self._closed_days: list[str] | None = None

    @staticmethod
    def sniff(head: str) -> bool:
        return bool(_MEMBER.match(head.lstrip()))

    @property
    def lists(self) -> DiningLists:
        return DiningLists(self._names, self._facts, self._closed_days, self._halls)

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        reader = JsonRecordReader(export, [*_KINDS, _FACTS, _HALLS, _MENUS])
        for location, record in reader:
            if reader.list_name is None:
                reason = f"is a JSON array, not an object with lists of {', '.join(_KINDS)}"
                raise UnreadableFileError(export.path, reason)
            if reader.list_name == _MENUS:
                yield location, record
            elif _MENUS in reader.members:
                raise UnreadableFileError(export.path, f"has its {reader.list_name} after the menus")
            else:
                self._add_record(export, reader.list_name, location, record)
        missing = [name for name in (*_KINDS, _MENUS) if not isinstance(reader.members.get(name), list)]
        if missing:
            raise UnreadableFileError(export.path, f"has no list of {' and no list of '.join(missing)}")
        if "closed_days" in reader.members:
            self._closed_days = _parse_closed_days(export, reader.members["closed_days"])

    def _add_record(self, export: Export, list_name: str, location: SourceLocation, record: Any) -> None:
        try:
            if list_name == _FACTS:
                self._add_facts(record)
            elif list_name == _HALLS:
                self._add_hall(record)
            else:
                self._add_entity(_KINDS[list_name], record)
        except InvalidValue as error:
            value = "" if error.value is None else f" {error.value!r}"
            reason = f"has an invalid record in {list_name}: {error.field}{value} {error.reason}"
            raise UnreadableFileError(export.path, reason, location.line) from None

    def _add_entity(self, kind: str, record: Any) -> None:
        entity = _parse_entity(record)
        if self._names[kind].setdefault(entity.id, entity.name) != entity.name:
            raise InvalidValue("id", entity.id, "has two names")

    def _add_facts(self, record: Any) -> None:
        recipe = _parse_entity(record)
        if recipe.id not in self._names["recipe"]:
            raise InvalidValue("id", recipe.id, "is not in the list of recipes")
        facts = parse_facts(record)
        if self._facts.setdefault(recipe.id, facts) != facts:
            raise InvalidValue("id", recipe.id, "has two facts")

    def _add_hall(self, record: Any) -> None:
        if not isinstance(record, dict):
            raise InvalidValue("record", record, "is not a JSON object")
        id_ = parse_id("location", _scalar("location", record.get("location")))
        if id_ not in self._names["location"] or id_ in self._halls:
            raise InvalidValue("location", id_, "is not in the list of locations, or has two halls")
        building = record.get("building")
        self._halls[id_] = Hall(
            None if building is None else parse_id("building", _scalar("building", building)),
            tuple(map(_parse_hours, _list("hours", record) or ())),
        )

    def parse_row(self, row: Any) -> ParsedRow:
        if not isinstance(row, dict):
            raise InvalidValue("row", row, "is not a JSON object")
        recipe = self._look_up("recipe", row)
        return ParsedRow(
            parse_iso_date("date", row.get("date")),
            _parse_meal(row.get("meal")),
            self._look_up("location", row),
            self._look_up("category", row),
            named_entity(recipe.id, "name", parse_text("name", row.get("name"))),
        )

    def _look_up(self, kind: str, row: dict[str, Any]) -> NamedEntity:
        id_ = parse_id(kind, _scalar(kind, row.get(kind)))
        name = self._names[kind].get(id_)
        if name is None:
            raise InvalidValue(kind, id_, "is not in the list of the export")
        return named_entity(id_, kind, name)


def _parse_entity(record: Any) -> NamedEntity:
    if not isinstance(record, dict):
        raise InvalidValue("record", record, "is not a JSON object")
    return named_entity(parse_id("id", _scalar("id", record.get("id"))), "name", parse_text("name", record.get("name")))


def _parse_hours(record: Any) -> MealHours:
    if not isinstance(record, dict):
        raise InvalidValue("hours", record, "is not a JSON object")
    expression = parse_text("expression", record.get("expression"))
    country = parse_text("country", record.get("country")) or None
    try:
        if country:
            check_country(country)
        check_expression(expression, country)
    except ValueError as error:
        raise InvalidValue("expression", expression, str(error)) from None
    return MealHours(_parse_meal(record.get("meal")), expression, parse_iso_date("until", record.get("until")), country)


def _parse_meal(value: Any) -> int:
    meal = parse_id("meal", _scalar("meal", value))
    if meal > MAX_MEAL:
        raise InvalidValue("meal", meal, f"is not a number from 0 to {MAX_MEAL}")
    return meal


def _scalar(field: str, value: Any) -> Any:
    if isinstance(value, dict | list):
        raise InvalidValue(field, value, "is not an integer")
    return value


def _parse_closed_days(export: Export, value: Any) -> list[str]:
    try:
        return [parse_iso_date("closed_days", day) for day in value]
    except (InvalidValue, TypeError):
        raise UnreadableFileError(export.path, "has closed_days that are not dates written YYYY-MM-DD") from None


def parse_facts(record: Record) -> Facts:
    """Return the facts of a response; InvalidValue names the member that is invalid."""
    nutrients = _object("nutrients", record.get("nutrients") or {})
    return Facts(
        serving_size=_text("serving_size", record),
        calories=_number("calories", record),
        calories_from_fat=_number("calories_from_fat", record),
        nutrients=Nutrients(**{name: _nutrient(name, nutrients.get(name)) for name in NUTRIENTS}),
        ingredients=_text("ingredients", record),
        allergens=_parse_allergens(record),
        labels=_parse_labels(record),
        as_of=parse_iso_date("as_of", record["as_of"]) if record.get("as_of") else None,
    )


def _parse_allergens(record: Record) -> tuple[str, ...] | None:
    names = _list("allergens", record)
    return names and tuple(sorted({_require("allergens", parse_text("allergens", name)) for name in names}))


def _parse_labels(record: Record) -> tuple[Label, ...] | None:
    labels = _list("labels", record)
    return labels and tuple(_label(_object("labels", label)) for label in labels)


def _label(record: Record) -> Label:
    return Label(_require("code", parse_text("code", record.get("code"))), _text("name", record))


def _nutrient(name: str, value: Any) -> Nutrient | None:
    if value is None:
        return None
    record = _object(name, value)
    amount, unit = _number("amount", record), _text("unit", record)
    return Nutrient(_require(name, amount, value), _require(name, unit, value), _number("daily_value", record))


def _object(field: str, value: Any) -> Record:
    if not isinstance(value, dict):
        raise InvalidValue(field, value, "is not a JSON object")
    return value


def _list(field: str, record: Record) -> tuple[Any, ...] | None:
    """Return the items of a list, None for null; InvalidValue for an empty one: what is unknown is null."""
    value = record.get(field)
    if value is not None and not (isinstance(value, list) and value):
        raise InvalidValue(field, value, "is neither null nor a list of one or more")
    return value and tuple(value)


def _text(field: str, record: Record) -> str | None:
    return parse_text(field, record.get(field)) or None


def _number(field: str, record: Record) -> float | None:
    value = record.get(field)
    if value is not None and not (type(value) in (int, float) and 0 <= value <= _MAX_NUMBER):
        raise InvalidValue(field, value, "is not a number of zero or more")
    return value


def _require(field: str, value: Any, shown: object = None) -> Any:
    if value is None or value == "":
        raise InvalidValue(field, shown, "is missing")
    return value
