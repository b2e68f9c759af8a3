"""Settings of building profiles: which features are buildings at all, and the fields of their position."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from loaders.profiles.values import parse_pattern, require_text, search
from loaders.text import parse_text

POSITION_FIELDS = ("latitude", "longitude", "geometry")


@dataclass(frozen=True)
class Condition:
    """A field whose value must be one of these texts, or match the pattern; an absent field is the empty text."""

    field: str
    values: frozenset[str] = frozenset()
    pattern: str | None = None

    def matches(self, attributes: Mapping[str, Any]) -> bool:
        """Return whether the value matches; InvalidValue if it is neither text, a number nor a boolean."""
        text = _as_text(self.field, attributes.get(self.field))
        if self.pattern is not None:
            return search(self.pattern, self.field, text) is not None
        return text in self.values


@dataclass(frozen=True)
class PositionFields:
    """The fields of a latitude and a longitude, or that of a geometry (GeoJSON or WKT)."""

    latitude: str = ""
    longitude: str = ""
    geometry: str = ""

    @property
    def names(self) -> dict[str, str]:
        """Return the names of the fields by what they have."""
        return {kind: name for kind, name in vars(self).items() if name}


def parse_filter(table: Mapping[str, Any]) -> tuple[Condition, ...]:
    """Return the conditions of a table of fields; ValueError if one is invalid."""
    return tuple(_parse_condition(field, value) for field, value in table.items())


def _parse_condition(field: str, value: object) -> Condition:
    key = f"filter.{field}"
    if isinstance(value, dict) and value.keys() == {"pattern"}:
        return Condition(field, pattern=parse_pattern(f"{key}.pattern", value["pattern"]))
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(each, str | int | float) for each in values):
        raise ValueError(f'{key} is neither a value, a list of values nor {{pattern = "..."}}')
    return Condition(field, frozenset(_as_text(key, each) for each in values))


def _as_text(field: str, value: object) -> str:
    """Return a value as text, in which exports and profiles are compared: 7 and "7", true and "true" are equal."""
    return str(value).lower() if isinstance(value, bool) else parse_text(field, value)


def parse_position_fields(fields: Mapping[str, Any]) -> PositionFields | None:
    """Return those of a table of fields, None if it has none; ValueError if it is incomplete."""
    named = {name: require_text(f"fields.{name}", fields[name]) for name in POSITION_FIELDS if name in fields}
    if not named:
        return None
    if not all(field.strip() for field in named.values()) or set(named) not in (
        {"latitude", "longitude"},
        {"geometry"},
    ):
        raise ValueError("fields has neither a latitude and a longitude, nor a geometry alone")
    return PositionFields(**named)
