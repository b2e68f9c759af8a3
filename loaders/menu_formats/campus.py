"""Menus and lists as this API returns them below /dining, in one object, as `campus-load dump dining` writes them."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, get_type_hints

from msgspec import Meta, Struct

from campus_api.domain.models import Facts, LocationDetails, MealHours, NamedEntity
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.export_format import AssignedIdRecord, decode, export_errors
from loaders.menu_formats.base import DiningFormat
from loaders.menu_formats.dates import parse_iso_date
from loaders.menu_formats.values import named_entity
from loaders.profiles import DiningProfile
from loaders.profiles.dining_settings import MAX_MEAL
from loaders.profiles.files import ProfileError
from loaders.profiles.hours import check_country, check_expression
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.json_stream import JsonRecordReader
from loaders.text import parse_text, require_printable

_MEMBER = re.compile(r'\{\s*"categories"\s*:\s*\[')
_KINDS = {"categories": "category", "locations": "location", "recipes": "recipe"}
_FACTS, _HALLS, _IDS, _MENUS, _CLOSED_DAYS = "facts", "halls", "dining_ids", "menus", "closed_days"
_OF_TABLES = ("locations", "categories", "facts", "labels", "header", "rows", "columns", "defaults", "namespace")

Meal = Annotated[int, Meta(ge=0, le=MAX_MEAL)]


class _Hours(Struct):
    meal: Meal
    expression: str
    until: str
    country: str | None = None


class _Hall(Struct):
    location: int
    building: int | None = None
    hours: tuple[_Hours, ...] | None = None
    aliases: tuple[str, ...] | None = None


class _Row(Struct):
    date: str
    meal: Meal
    location: int
    category: int
    recipe: int
    name: str
    meal_name: str = ""


# Of the records of each list; facts and rows have the id and the name of the recipe, too.
_TYPES = dict.fromkeys(_KINDS, NamedEntity) | {_FACTS: Facts, _HALLS: _Hall, _IDS: AssignedIdRecord, _MENUS: _Row}
_RECORD_MEMBERS = {name: {"id", "name", *get_type_hints(type_)} for name, type_ in _TYPES.items()}


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

    @classmethod
    def fits(cls, head: str, profile: DiningProfile) -> bool:
        return bool(_MEMBER.match(head.lstrip()))

    def records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        reader = JsonRecordReader(export, _TYPES)
        add = {_FACTS: self._add_facts, _HALLS: self._add_hall, _IDS: self.restore_id}
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
                with export_errors(export, reader.list_name, location.line):
                    add.get(reader.list_name, partial(self._add_entity, reader.list_name))(record)
        missing = [name for name in (*_KINDS, _MENUS) if not isinstance(reader.members.get(name), list)]
        if missing:
            raise UnreadableFileError(export.path, f"has no list of {' and no list of '.join(missing)}")
        self.unread.update(reader.members.keys() - {*_TYPES, _CLOSED_DAYS, "database_id"})
        self.read_database_id(export, reader.members)
        closed_days = None
        if _CLOSED_DAYS in reader.members:
            with export_errors(export, _CLOSED_DAYS):
                days = decode(reader.members[_CLOSED_DAYS], list[str])
                closed_days = [parse_iso_date("date", day) for day in days]
        self.lists = DiningLists(self._names, closed_days=closed_days, halls=self._halls)

    def _add_entity(self, list_name: str, record: Any) -> None:
        entity = _parse_entity(record)
        if self._names[_KINDS[list_name]].setdefault(entity.id, entity.name) != entity.name:
            raise InvalidValue("id", entity.id, "has two names")

    def _add_facts(self, record: Any) -> None:
        recipe = _parse_entity(record)
        if recipe.id not in self._names["recipe"]:
            raise InvalidValue("id", recipe.id, "is not in the list of recipes")
        facts = decode(record, Facts)
        for member, value in record.items():
            for text in _texts(value):
                require_printable(member, text, text)
        if facts.as_of is not None:
            parse_iso_date("as_of", facts.as_of)
        if self._facts.setdefault(recipe.id, facts) != facts:
            raise InvalidValue("id", recipe.id, "has two facts")
        self.warnings.extend(self.facts.add(recipe, facts))

    def _add_hall(self, record: Any) -> None:
        hall = decode(record, _Hall)
        if hall.location not in self._names["location"] or hall.location in self._halls:
            raise InvalidValue("location", hall.location, "is not in the list of locations, or has two halls")
        aliases = tuple(parse_text("aliases", each) for each in hall.aliases or ())
        hours = tuple(map(_parse_hours, hall.hours or ()))
        self._halls[hall.location] = LocationDetails(hall.building, hours, aliases)

    def parse_row(self, row: Any) -> tuple[MenuRow, tuple[()]]:
        record = decode(row, _Row)
        location = self._look_up("location", record.location)
        category = self._look_up("category", record.category)
        recipe = self._look_up("recipe", record.recipe)
        served = named_entity(recipe.id, "name", parse_text("name", record.name))
        day = parse_iso_date("date", record.date)
        meal_name = parse_text("meal_name", record.meal_name)
        return MenuRow(day, record.meal, location, category, served, meal_name), ()

    def _look_up(self, kind: str, id_: int) -> NamedEntity:
        name = self._names[kind].get(id_)
        if name is None:
            raise InvalidValue(kind, id_, "is not in the list of the export")
        return named_entity(id_, kind, name)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _parse_entity(record: Any) -> NamedEntity:
    entity = decode(record, NamedEntity)
    return named_entity(entity.id, "name", parse_text("name", entity.name))


def _parse_hours(hours: _Hours) -> MealHours:
    try:
        if hours.country:
            check_country(hours.country)
        check_expression(hours.expression, hours.country)
    except ValueError as error:
        raise InvalidValue("expression", hours.expression, str(error)) from None
    return MealHours(hours.meal, hours.expression, parse_iso_date("until", hours.until), hours.country)
