"""The fields of a building: documents, responses, profiles, corrections and comparisons derive from this table."""

from dataclasses import dataclass, field, fields
from typing import Any

from campus_api.domain.models import Position

# The id, the texts and the geometry of a building, as the API returns them.
BuildingRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TextField:
    """A text of buildings, which is `unknown` where an export has none.

    `/map/buildings` has a parameter for one that is searchable, of which the value is a part unless it is exact. An
    image is a URL. Only the search of the campus reads one that is not served.
    """

    unknown: str | None
    is_searchable: bool = False
    is_exact: bool = False
    is_image: bool = False
    is_served: bool = True


def _text(unknown: str | None, **properties: bool) -> Any:
    return field(default=unknown, metadata={"text": TextField(unknown, **properties)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """A building; positions are (latitude, longitude) in degrees (WGS 84).

    `polygons` are the closed outer rings of the footprint, empty if only the point is known. `code` is how timetables
    name it, such as "ESJ". `aliases` are other names, `tags` words for its kind, such as "university;library", with
    semicolons between them.
    """

    id: int
    name: str | None = _text(None, is_searchable=True)
    address: str = _text("", is_searchable=True)
    city: str = _text("")
    image: str | None = _text(None, is_image=True)
    code: str | None = _text(None, is_searchable=True, is_exact=True)
    aliases: str = _text("", is_served=False)
    tags: str = _text("", is_served=False)
    point: Position
    polygons: tuple[tuple[Position, ...], ...]


TEXT_FIELDS: dict[str, TextField] = {
    each.name: each.metadata["text"] for each in fields(Building) if "text" in each.metadata
}
SERVED_FIELDS = {name: text for name, text in TEXT_FIELDS.items() if text.is_served}
SEARCHABLE_FIELDS = tuple(name for name, text in TEXT_FIELDS.items() if text.is_searchable)
