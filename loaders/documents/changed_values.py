"""Columns, the values of a field in many documents: how many of them a load changes, and how."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import cos, hypot, radians
from typing import Any

from campus_api.domain.building_fields import TEXT_FIELDS
from campus_api.domain.text import fold, truncate
from loaders.documents.encode import Document
from loaders.geo.coordinates import bounding_box

_KILOMETERS_PER_DEGREE = 111.2
_EMPTY: tuple[Any, ...] = (None, "", [])
# New measurements, a point at another entrance.
_MAX_MOVE_KILOMETERS = 0.1
# Of a bounding box: parts of a building may be adjacent.
_MIN_AREA_RATIO = 0.5
# Rounding, a corrected ingredient.
_MAX_NUMBER_CHANGE, _MAX_NUMBER_RATIO = 1, 0.1
# What a profile and the vocabulary make of allergens and ingredients is no value of the provider.
_NOT_COMPARED = {"nutrients", "contains", "without", "spellings", "listings", "as_of"}
_POSITIONS = {"point": "position", "polygons": "footprint"}
_MAX_VALUE_LENGTH = 60
_EXAMPLES = 3


@dataclass
class Column:
    """The number of live values, and those that a load changes, with the id and name of their documents."""

    live: int = 0
    changes: list[tuple[str, Any, Any]] = field(default_factory=list)


Columns = dict[str, Column]


def compare_columns(columns: Columns, old: Document, new: Document) -> None:
    """Count the live values of a document, and add those that change; a value where there was none is no change."""
    after = dict(_values(new))
    for name, value in _values(old):
        if value not in _EMPTY:
            column = columns.setdefault(name, Column())
            column.live += 1
            if value != after.get(name) and _is_another(name, value, after.get(name)):
                column.changes.append((f"{new['_id']} {new['name'] or '(no name)'}", value, after.get(name)))


def describe_changes(columns: Mapping[str, Column], name: str, noun: str) -> str:
    """Return how many documents change a field, and how, with examples."""
    column = columns[name]
    examples = "; ".join(
        f"{document}: {_show(old)} -> {_show(new)}" for document, old, new in column.changes[:_EXAMPLES]
    )
    count = f"{len(column.changes)} of {column.live} {noun} would change their {_label(name)}"
    return f"{count}{_describe_most(columns, name)}: {examples}"


def _describe_most(columns: Mapping[str, Column], name: str) -> str:
    """Return what most of the new values are: one value, or values that other documents or fields have."""
    values = Counter(_show(new) for *_, new in columns[name].changes)
    same, times = values.most_common(1)[0]
    kinds = {f"to {same}": times}
    for other, column in columns.items():
        live = {_show(old) for _, old, _ in column.changes}
        kind = f"to the {_label(other)} of another one" if other == name else f"to their {_label(other)}"
        kinds[kind] = sum(number for value, number in values.items() if value in live)
    kind, number = max(kinds.items(), key=lambda each: each[1])
    return f", {number} {kind}" if number > len(columns[name].changes) / 2 else ""


def _values(document: Document) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a document: texts, numbers, positions and lists; of a footprint its bounding box."""
    yield from ((name, document[name]) for name in TEXT_FIELDS if name in document)
    if "point" in document:
        yield "point", document["point"]
        yield "polygons", document["polygons"] and bounding_box(chain.from_iterable(document["polygons"]))
    facts = document.get("facts", {})
    yield from ((name, value) for name, value in facts.items() if name not in _NOT_COMPARED)
    for name, nutrient in facts.get("nutrients", {}).items():
        yield name, nutrient and nutrient["amount"]


def _is_another(name: str, old: Any, new: Any) -> bool:
    """Return whether a new value is empty or means something else than the old one."""
    if new in _EMPTY:
        return True
    if name == "point":
        return _has_moved(old, new)
    if name == "polygons":
        return _has_moved(old[:2], new[:2]) or _has_moved(old[2:], new[2:]) or _area(new) < _MIN_AREA_RATIO * _area(old)
    if name in TEXT_FIELDS and TEXT_FIELDS[name].is_image:
        return _path(old) != _path(new)
    if isinstance(old, str):
        return fold(old) != fold(new)
    if isinstance(old, int | float):
        return abs(old - new) > max(_MAX_NUMBER_CHANGE, _MAX_NUMBER_RATIO * old)
    return _codes(old) != _codes(new)


def _has_moved(old: Sequence[float], new: Sequence[float]) -> bool:
    """Return whether a position is over 100 meters away, within a percent (equirectangular projection of a sphere)."""
    north, east = new[0] - old[0], new[1] - old[1]
    kilometers = _KILOMETERS_PER_DEGREE * hypot(north, east * cos(radians((new[0] + old[0]) / 2)))
    return kilometers > _MAX_MOVE_KILOMETERS


def _area(box: Sequence[float]) -> float:
    south, west, north, east = box
    return (north - south) * (east - west)


def _path(url: str) -> str:
    """Return the path of a photo, which may move to another server, or have a new token every night."""
    return url.partition("?")[0].partition("://")[2].partition("/")[2]


def _codes(names: list[Any]) -> list[str]:
    """Return the allergens, or the codes of labels, whose names and implications come from the profile."""
    return [name["code"] if isinstance(name, dict) else fold(name) for name in names]


def _label(name: str) -> str:
    return _POSITIONS.get(name, name.replace("_", " "))


def _show(value: Any) -> str:
    return "nothing" if value in _EMPTY else truncate(repr(value), _MAX_VALUE_LENGTH)
