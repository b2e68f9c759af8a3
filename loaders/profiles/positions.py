"""Where the position of a building comes from, if not from the geometry of its record: two fields, or one of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from loaders.profiles.values import require_text

POSITION_FIELDS = ("latitude", "longitude", "geometry")


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
