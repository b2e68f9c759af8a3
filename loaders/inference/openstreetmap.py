"""Extracts of OpenStreetMap, of which the built-in profile knows the ids, the tags, and what is a building."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import tomlkit

from loaders.inference.field_names import Guess
from loaders.inference.field_stats import FieldStats
from loaders.profiles import load_building_profile
from loaders.profiles.files import profile_path
from loaders.profiles.values import fields_of

_BUILDING = "building"
_PROFILE = load_building_profile("openstreetmap")
# As it is written.
FILTER = tomlkit.parse(profile_path("openstreetmap").read_text(encoding="utf-8"))["filter"]
_ID = _PROFILE.id.expressions
[_BUILDINGS] = _PROFILE.filter
_WARNING = "These are ids of OpenStreetMap: the database assigns integers to them."


def has_building_tag(attributes: Mapping[str, Any]) -> bool:
    """Return whether a feature is a building by its tag."""
    return isinstance(attributes.get(_BUILDING), str) and _BUILDINGS.matches(attributes)


def is_extract(fields: Mapping[str, FieldStats], features: int) -> bool:
    """Return whether these are fields of an extract in which buildings have tags."""
    building = fields.get(_BUILDING)
    if building is None or 2 * building.tags < building.filled:
        return False
    return any(name == "@id" or "osm" in name for name in fields) or 2 * building.filled >= features


def guess_fields(fields: Mapping[str, FieldStats]) -> Iterator[tuple[str, Guess]]:
    """Yield the expressions of the built-in profile with fields of an extract: all of the id, some of the texts."""
    if any(fields.keys() >= {*fields_of(each)} for each in _ID):
        yield "id", Guess([*_ID], _used(_ID, fields), (_WARNING,), is_assigned=True)
    for target, expressions in _PROFILE.fields.items():
        filled = [text for text in expressions if any(each.filled for each in _used([text], fields))]
        if filled:
            yield target, Guess(filled if len(filled) > 1 else filled[0], _used(filled, fields))


def _used(expressions: Iterable[str], fields: Mapping[str, FieldStats]) -> tuple[FieldStats, ...]:
    names = chain.from_iterable(map(fields_of, expressions))
    return tuple(fields[name] for name in names if name in fields)
