"""Menus and lists as this API returns them below /dining, in one object, as `campus-load dump dining` writes them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

import msgspec

from campus_api.domain.hours import check_country, check_expression
from campus_api.domain.models import Facts, LocationDetails, MealHours, MenuItemRow, NamedEntity, decode_facts
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import InvalidValue, UnreadableFileError, require_valid
from loaders.menu_formats.base import DiningFormat
from loaders.menu_formats.dates import parse_iso_date
from loaders.menu_formats.values import named_entity, parse_id, require_scalar
from loaders.profiles import DiningProfile
from loaders.profiles.building_ids import RestoredIds
from loaders.profiles.dining_settings import MAX_MEAL
from loaders.profiles.files import ProfileError
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.json_stream import JsonRecordReader
from loaders.syntax.rows import require_object
from loaders.text import parse_text

_MEMBER = re.compile(r'\{\s*"categories"\s*:\s*\[')
_KINDS = {"categories": "category", "locations": "location", "recipes": "recipe"}
_FACTS, _HALLS, _IDS, _MENUS, _CLOSED_DAYS = "facts", "halls", "dining_ids", "menus", "closed_days"
_LISTS = (*_KINDS, _FACTS, _HALLS, _IDS, _MENUS)
_MEMBERS = {*_LISTS, _CLOSED_DAYS, "database_id"}
_ENTITY_MEMBERS = {"id", "name"}
_OF_TABLES = ("locations", "categories", "facts", "labels", "header", "rows", "columns", "defaults", "namespace")
# Of the records of each list.
_RECORD_MEMBERS = dict.fromkeys(_KINDS, _ENTITY_MEMBERS) | {
    _FACTS: {*_ENTITY_MEMBERS, *(field.name for field in fields(Facts))},
    _HALLS: {"location", *LocationDetails._fields},
    _IDS: {"id", "text"},
    _MENUS: {*MenuItemRow.__annotations__, "meal_name"},
}

Record = Mapping[str, Any]


class CampusDining(DiningFormat):
    """An object with the members categories, locations, recipes, menus, closed_days, facts, halls and dining_ids.

    The last four are optional. The facts come after the recipes, the halls after the locations, the menus last of the
    lists. A menu row has the name of the recipe as served, the list its current name.
    """

    name = "campus-dining"
    title = "menus of this API"
    files = "a dump of this API"

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        for setting in _OF_TABLES:
            if getattr(profile, setting):
                raise ProfileError(f"profile {profile.name}: {self.name} has no use for {setting}")
        self._names: dict[str, dict[int, str]] = {kind: {} for kind in _KINDS.values()}
        self._facts: dict[int, Facts] = {}
        self._halls: dict[int | str, LocationDetails] = {}
        self._closed_days: list[str] | None = None
        self._restored = RestoredIds()
        self.restored_ids = self._restored.by_text

    @classmethod
    def fits(cls, head: str, profile: DiningProfile) -> bool:
        return bool(_MEMBER.match(head.lstrip()))

    @property
    def lists(self) -> DiningLists:
        return DiningLists(self._names, closed_days=self._closed_days, halls=self._halls)

    def records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        reader = JsonRecordReader(export, _LISTS)
        for location, record in reader:
            if reader.list_name and isinstance(record, dict):
                self.unread.update(record.keys() - _RECORD_MEMBERS[reader.list_name])
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
        self.unread.update(reader.members.keys() - _MEMBERS)
        self.read_database_id(export, reader.members)
        if _CLOSED_DAYS in reader.members:
            self._closed_days = _parse_closed_days(export, reader.members[_CLOSED_DAYS])

    def _add_record(self, export: Export, list_name: str, location: SourceLocation, record: Any) -> None:
        try:
            if list_name == _FACTS:
                self._add_facts(record)
            elif list_name == _HALLS:
                self._add_hall(record)
            elif list_name == _IDS:
                self._restored.add(require_valid(record))
            else:
                self._add_entity(_KINDS[list_name], record)
        except ValueError as error:
            reason = f"has an invalid record in {list_name}: {error}"
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
        self.facts.add(recipe, facts)

    def _add_hall(self, record: Any) -> None:
        id_ = _parse_id("location", require_object(record))
        if id_ not in self._names["location"] or id_ in self._halls:
            raise InvalidValue("location", id_, "is not in the list of locations, or has two halls")
        self._halls[id_] = LocationDetails(
            None if record.get("building") is None else _parse_id("building", record),
            tuple(map(_parse_hours, _list("hours", record))),
            tuple(parse_text("aliases", each) for each in _list("aliases", record)),
        )

    def parse_row(self, row: Any) -> tuple[MenuRow, tuple[()]]:
        recipe = self._look_up("recipe", require_object(row))
        parsed = MenuRow(
            parse_iso_date("date", row.get("date")),
            _parse_meal(row),
            self._look_up("location", row),
            self._look_up("category", row),
            named_entity(recipe.id, "name", parse_text("name", row.get("name"))),
            parse_text("meal_name", row.get("meal_name")),
        )
        return parsed, ()

    def _look_up(self, kind: str, row: dict[str, Any]) -> NamedEntity:
        id_ = _parse_id(kind, row)
        name = self._names[kind].get(id_)
        if name is None:
            raise InvalidValue(kind, id_, "is not in the list of the export")
        return named_entity(id_, kind, name)


def _parse_entity(record: Any) -> NamedEntity:
    id_ = _parse_id("id", require_object(record))
    return named_entity(id_, "name", parse_text("name", record.get("name")))


def _parse_hours(record: Any) -> MealHours:
    expression = parse_text("expression", require_object(record).get("expression"))
    country = parse_text("country", record.get("country")) or None
    try:
        if country:
            check_country(country)
        check_expression(expression, country)
    except ValueError as error:
        raise InvalidValue("expression", expression, str(error)) from None
    return MealHours(_parse_meal(record), expression, parse_iso_date("until", record.get("until")), country)


def _list(field: str, record: Record) -> list[Any]:
    value = record.get(field) or []
    if not isinstance(value, list):
        raise InvalidValue(field, value, "is not a list")
    return value


def _parse_meal(record: Record) -> int:
    meal = _parse_id("meal", record)
    if meal > MAX_MEAL:
        raise InvalidValue("meal", meal, f"is not a number from 0 to {MAX_MEAL}")
    return meal


def _parse_id(field: str, record: Record) -> int:
    return parse_id(field, require_scalar(field, record.get(field)))


def _parse_closed_days(export: Export, value: Any) -> list[str]:
    try:
        return [parse_iso_date("closed_days", day) for day in value]
    except (InvalidValue, TypeError):
        raise UnreadableFileError(export.path, "has closed_days that are not dates written YYYY-MM-DD") from None


def parse_facts(record: Mapping[str, Any]) -> Facts:
    """Return the facts of a response; InvalidValue names the member that is invalid."""
    try:
        facts = decode_facts(record)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        if "regex" in reason:
            reason = "A text has a control character or a lone surrogate"
        raise InvalidValue(path.rstrip("`"), None, f"is invalid: {reason}") from None
    if facts.as_of is not None:
        parse_iso_date("as_of", facts.as_of)
    return replace(
        facts,
        allergens=facts.allergens and _sorted(facts.allergens),
        contains=facts.contains and _sorted(facts.contains),
        without=_sorted(facts.without),
    )


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*names}))
