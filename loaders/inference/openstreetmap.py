"""Extracts of OpenStreetMap: their ids, their tags, and which of their features are buildings."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from loaders.inference.field_names import Guess
from loaders.inference.field_stats import FieldStats
from loaders.profiles import load_building_profile

BUILDING = "building"
_PROFILE = load_building_profile("openstreetmap")
[_FILTER] = _PROFILE.filter
BUILDING_PATTERN = str(_FILTER.pattern)
# What tools name the id, the best first; those of ways and relations are not distinct numbers.
_TEXT_IDS = ("@id", "id", "full_id")
_ID_SOURCES = (
    ("{osm_type}/{osm_id}",),
    ("{element_type}/{osmid}",),
    ("way/{osm_way_id}", "relation/{osm_id}"),
    ("osm_id",),
)
_WARNING = "These are ids of OpenStreetMap: the database assigns integers to them."


def has_building_tag(attributes: Mapping[str, Any]) -> bool:
    """Return whether a feature is a building by its tag."""
    return isinstance(attributes.get(BUILDING), str) and _FILTER.matches(attributes)


def is_extract(fields: Mapping[str, FieldStats], features: int) -> bool:
    """Return whether these are fields of an extract in which buildings have tags."""
    building = fields.get(BUILDING)
    if building is None or 2 * building.tags < building.filled:
        return False
    return guess_osm_id(fields) is not None or 2 * building.filled >= features


def guess_osm_id(fields: Mapping[str, FieldStats]) -> Guess | None:
    """Return the id if it looks like that of OpenStreetMap."""
    for name in _TEXT_IDS:
        if name in fields and 0 < fields[name].filled <= 2 * fields[name].osm_ids:
            return Guess(name, (fields[name],), (_WARNING,), is_assigned=True)
    for sources in _ID_SOURCES:
        names = [name for source in sources for name in _names(source)]
        if all(name in fields for name in names):
            source = sources[0] if len(sources) == 1 else list(sources)
            return Guess(source, tuple(fields[name] for name in names), (_WARNING,), is_assigned=True)
    return None


def guess_search_texts(fields: Mapping[str, FieldStats]) -> Iterator[tuple[str, Guess]]:
    """Yield the other names and the kind of buildings, of the tags that the built-in profile reads."""
    for target in ("aliases", "tags"):
        names = [name for source in _PROFILE.fields[target] for name in _names(source) if name in fields]
        if names:
            yield target, Guess(";".join(f"{{{name}}}" for name in names), tuple(fields[name] for name in names))


def is_osm_tag(name: str) -> bool:
    """Return whether a tag may be a field of a building: no road's speed is its address."""
    return name in ("name", "image", "addr:full", "addr:city", "addr:street", "addr:housenumber", "ref")


def _names(source: str) -> Collection[str]:
    return re.findall(r"\{(.*?)\}", source) or [source]
