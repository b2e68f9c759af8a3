"""Extracts of OpenStreetMap, of which the built-in profile knows the ids, the tags, and what is a building."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import tomlkit

from loaders.inference.field_names import Guess
from loaders.inference.field_stats import FieldStats
from loaders.profiles import load_building_profile
from loaders.profiles.files import profile_path
from loaders.profiles.values import source_names

_BUILDING = "building"
_PROFILE = load_building_profile("openstreetmap")
_ID_SOURCES = _PROFILE.id.sources
[_FILTER] = _PROFILE.filter
_WARNING = "These are ids of OpenStreetMap: the database assigns integers to them."


def has_building_tag(attributes: Mapping[str, Any]) -> bool:
    """Return whether a feature is a building by its tag."""
    return isinstance(attributes.get(_BUILDING), str) and _FILTER.matches(attributes)


def built_in_profile() -> tomlkit.TOMLDocument:
    """Return the built-in profile as it is written."""
    return tomlkit.parse(profile_path("openstreetmap").read_text(encoding="utf-8"))


def is_extract(fields: Mapping[str, FieldStats], features: int) -> bool:
    """Return whether these are fields of an extract in which buildings have tags."""
    building = fields.get(_BUILDING)
    if building is None or 2 * building.tags < building.filled:
        return False
    return any(name == "@id" or "osm" in name for name in fields) or 2 * building.filled >= features


def guess_fields(fields: Mapping[str, FieldStats]) -> Iterator[tuple[str, Guess]]:
    """Yield the sources of the built-in profile of which an extract has fields: all of the id, some of the texts."""
    if any(fields.keys() >= {*source_names(source)} for source in _ID_SOURCES):
        names = [name for source in _ID_SOURCES for name in source_names(source) if name in fields]
        yield "id", Guess([*_ID_SOURCES], tuple(fields[name] for name in names), (_WARNING,), is_assigned=True)
    for target, sources in _PROFILE.fields.items():
        used = {source: [fields[name] for name in source_names(source) if name in fields] for source in sources}
        filled = {source: stats for source, stats in used.items() if any(each.filled for each in stats)}
        if filled:
            source, *others = filled
            yield target, Guess([source, *others] if others else source, tuple(chain(*filled.values())))
