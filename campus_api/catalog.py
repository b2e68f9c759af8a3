"""Every public endpoint, once: cache keys, the index, the warm-up and the tests of openapi.yaml read this table."""

from dataclasses import dataclass
from pathlib import PurePosixPath

import colander

from campus_api.domain.calendars import MEDIA_TYPE as CALENDAR
from campus_api.domain.geojson import MEDIA_TYPE as GEOJSON
from campus_api.domain.tables import MEDIA_TYPE as CSV
from campus_api.validation import schemas

JSON = "application/json"
HTML = "text/html"
PLAIN_TEXT = "text/plain"


@dataclass(frozen=True)
class Endpoint:
    """A public endpoint; `dataset` is the data set that its responses are rendered from, "" if none.

    `other_datasets` are those of which the responses contain data, too.
    `children` are the names of the resources below each of its items.
    """

    path: str
    dataset: str = ""
    query: colander.MappingSchema | None = None
    media_types: tuple[str, ...] = (JSON,)
    has_items: bool = False
    children: tuple[str, ...] = ()
    other_datasets: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the last segment of the path."""
        return self.path.rpartition("/")[2]

    @property
    def item_path(self) -> str:
        """Return the path of an item, with `{id}` for its id: "/map/buildings/{id}.geojson"."""
        collection, dot, extension = self.path.partition(".")
        return f"{collection}/{{id}}{dot}{extension}"

    @property
    def item_paths(self) -> list[str]:
        """Return the path of an item and of each of its children, none if there are no items."""
        return [self.item_path, *(f"{self.item_path}/{child}" for child in self.children)] if self.has_items else []

    @property
    def is_for_menus(self) -> bool:
        """Return whether the query is one of menus, dishes or hours, which are of today by default."""
        return self.query in (schemas.MENUS, schemas.CALENDAR, schemas.HOURS, schemas.DISHES)

    @property
    def is_strict(self) -> bool:
        """Return whether an invalid or unknown parameter is an error."""
        return self.is_for_menus or self.query is schemas.FACTS

    @property
    def parameters(self) -> list[str]:
        """Return the names of the query parameters."""
        return [] if self.query is None else [node.name for node in self.query]


ENDPOINTS = (
    Endpoint("/map/buildings", "buildings", schemas.BUILDINGS, (JSON, GEOJSON), has_items=True),
    Endpoint("/map/buildings.geojson", "buildings", schemas.BUILDINGS, (GEOJSON,), has_items=True),
    Endpoint("/map/buildings.csv", "buildings", schemas.BUILDINGS, (CSV,)),
    Endpoint("/dining/categories", "dining", has_items=True),
    Endpoint("/dining/locations", "dining", has_items=True),
    Endpoint("/dining/locations.geojson", "dining", media_types=(GEOJSON,), other_datasets=("buildings",)),
    Endpoint("/dining/recipes", "dining", has_items=True, children=("facts",)),
    Endpoint("/dining/recipes.csv", "dining", None, (CSV,)),
    Endpoint("/dining/facts", "dining", schemas.FACTS),
    Endpoint("/dining/menus", "dining", schemas.MENUS),
    Endpoint("/dining/menus.csv", "dining", schemas.MENUS, (CSV,)),
    Endpoint("/dining/menus.ics", "dining", schemas.CALENDAR, (CALENDAR,)),
    Endpoint("/dining/dishes", "dining", schemas.DISHES),
    Endpoint("/dining/dishes.csv", "dining", schemas.DISHES, (CSV,)),
    Endpoint("/dining/hours", "dining", schemas.HOURS),
    Endpoint("/", media_types=(JSON, HTML)),
    Endpoint("/openapi.json"),
    Endpoint("/llms.txt", media_types=(PLAIN_TEXT,)),
    Endpoint("/robots.txt", media_types=(PLAIN_TEXT,)),
    Endpoint("/docs", media_types=(HTML,)),
    Endpoint("/explore", media_types=(HTML,)),
    Endpoint("/__lbheartbeat__"),
    Endpoint("/__heartbeat__"),
    Endpoint("/__version__"),
    Endpoint("/__metrics__", media_types=(PLAIN_TEXT,)),
)
DATA = {endpoint.path: endpoint for endpoint in ENDPOINTS if endpoint.dataset}
# Of which today and tomorrow are pre-rendered.
DAILY = ("/dining/menus", "/dining/dishes", "/dining/hours")
# Each in its main format.
RESOURCES = tuple(endpoint for endpoint in DATA.values() if JSON in endpoint.media_types)
# Facts are ten times as large as all other lists.
LISTS = tuple(endpoint.path for endpoint in RESOURCES if not endpoint.is_strict)
# The data endpoints by their own path and by those of their items.
ROUTES = DATA | {path: endpoint for endpoint in DATA.values() for path in endpoint.item_paths}

# The position of an id in the segments of a path, of which the first is empty.
_ID = 3


def route(path: str) -> str:
    """Return the path, or that of all items like it: "/map/buildings/{id}.geojson" for "/map/buildings/7.geojson"."""
    segments = path.split("/")
    if len(segments) > _ID:
        segments[_ID] = f"{{id}}{PurePosixPath(segments[_ID]).suffix}"
    return "/".join(segments)
