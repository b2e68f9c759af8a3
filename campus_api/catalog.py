"""Every public endpoint, once: cache keys, the index, the warm-up and the tests of openapi.yaml read this table."""

import re
from dataclasses import dataclass
from functools import cached_property

from campus_api.domain.calendars import MEDIA_TYPE as CALENDAR
from campus_api.domain.feeds import MEDIA_TYPE as ATOM
from campus_api.domain.geojson import MEDIA_TYPE as GEOJSON
from campus_api.domain.tables import MEDIA_TYPE as CSV
from campus_api.validation import schemas

JSON = "application/json"
HTML = "text/html"
PLAIN_TEXT = "text/plain"

_BUILDINGS, _DINING = ("buildings",), ("dining",)
_BOTH = _DINING + _BUILDINGS


@dataclass(frozen=True, eq=False)
class Endpoint:
    """A public endpoint; `datasets` are those that its responses are rendered from.

    `children` are the names of the resources below each of its items. `section` is the part of the index that links it,
    unless that is `resources`. With `is_dated`, responses are those of today unless the query has dates, with
    `is_timed` those of now; with `is_prerendered`, the warm-up renders the list, or that of today and that of tomorrow;
    with `has_urls`, responses contain the path under which the service is mounted.
    """

    path: str
    datasets: tuple[str, ...] = ()
    query: schemas.Query | None = None
    media_types: tuple[str, ...] = (JSON,)
    has_items: bool = False
    children: tuple[str, ...] = ()
    section: str = ""
    is_dated: bool = False
    is_timed: bool = False
    is_prerendered: bool = False
    has_urls: bool = False

    @property
    def name(self) -> str:
        """Return the name in the index, such as "openapi" for /openapi.json, "version" for /__version__."""
        return self.path.rpartition("/")[2].strip("_").partition(".")[0]

    @property
    def is_strict(self) -> bool:
        """Return whether an unknown or an empty parameter is an error: lists, buildings and the page ignore it."""
        return self.query not in (None, schemas.BUILDINGS, schemas.PAGE)

    @property
    def item_paths(self) -> list[str]:
        """Return the path of an item, such as "/map/buildings/{id}.geojson", and those of its children, if any."""
        collection, dot, extension = self.path.partition(".")
        item = f"{collection}/{{id}}{dot}{extension}"
        return [item, *(f"{item}/{child}" for child in self.children)] if self.has_items else []

    @cached_property
    def parameters(self) -> list[str]:
        """Return the names of the query parameters."""
        return [] if self.query is None else [node.name for node in self.query.schema]


ENDPOINTS = (
    Endpoint("/map/buildings", _BUILDINGS, schemas.BUILDINGS, (JSON, GEOJSON), has_items=True, is_prerendered=True),
    Endpoint("/map/buildings.geojson", _BUILDINGS, schemas.BUILDINGS, (GEOJSON,), has_items=True),
    Endpoint("/map/buildings.csv", _BUILDINGS, schemas.BUILDINGS, (CSV,)),
    Endpoint("/dining/categories", _DINING, has_items=True, is_prerendered=True),
    Endpoint("/dining/locations", _BOTH, has_items=True, is_prerendered=True),
    Endpoint("/dining/locations.geojson", _BOTH, media_types=(GEOJSON,)),
    Endpoint("/dining/recipes", _DINING, has_items=True, children=("facts",), is_prerendered=True),
    Endpoint("/dining/recipes.csv", _DINING, None, (CSV,)),
    # Not pre-rendered: ten times as large as all other lists.
    Endpoint("/dining/facts", _DINING, schemas.FACTS),
    Endpoint("/dining/menus", _DINING, schemas.MENUS, is_dated=True, is_prerendered=True),
    Endpoint("/dining/menus.csv", _DINING, schemas.MENUS, (CSV,), is_dated=True),
    Endpoint("/dining/menus.ics", _BOTH, schemas.CALENDAR, (CALENDAR,), is_dated=True),
    Endpoint("/dining/dishes", _DINING, schemas.DISHES, is_dated=True, is_prerendered=True),
    Endpoint("/dining/dishes.csv", _DINING, schemas.DISHES, (CSV,), is_dated=True),
    Endpoint("/dining/hours", _DINING, schemas.HOURS, is_dated=True, is_prerendered=True),
    Endpoint("/search", _BOTH, schemas.SEARCH, (JSON, HTML), is_dated=True, is_timed=True, has_urls=True),
    Endpoint("/changes", _BOTH, schemas.CHANGES),
    Endpoint("/changes.atom", _BOTH, schemas.FEED, (ATOM,)),
    Endpoint("/", media_types=(JSON, HTML)),
    Endpoint("/openapi.json", section="documents"),
    Endpoint("/llms.txt", media_types=(PLAIN_TEXT,), section="documents"),
    Endpoint("/robots.txt", media_types=(PLAIN_TEXT,)),
    Endpoint("/docs", media_types=(HTML,), section="documents"),
    Endpoint("/docs/clients.md", media_types=(HTML,)),
    Endpoint("/docs/stability.md", media_types=(HTML,)),
    Endpoint("/explore", (), schemas.PAGE, (HTML,), section="documents"),
    Endpoint("/__lbheartbeat__"),
    Endpoint("/__heartbeat__", section="service"),
    Endpoint("/__version__", section="service"),
    Endpoint("/__metrics__", media_types=(PLAIN_TEXT,), section="service"),
)
DATA = {endpoint.path: endpoint for endpoint in ENDPOINTS if endpoint.datasets}
# The data endpoints by their own path and by those of their items.
ROUTES = DATA | {path: endpoint for endpoint in DATA.values() for path in endpoint.item_paths}
# Those of which the query is parsed.
QUERIES = ROUTES | {endpoint.path: endpoint for endpoint in ENDPOINTS if endpoint.query}
# All paths, of items as in ROUTES.
PATHS = {endpoint.path for endpoint in ENDPOINTS} | ROUTES.keys()

# The path of a list, and the id of an item.
_ITEM = re.compile(r"^(/[^/]*/[^/]*/)[^/.]*")


def route(path: str) -> str:
    """Return the path, or that of all items like it: "/map/buildings/{id}.geojson" for "/map/buildings/7.geojson"."""
    return _ITEM.sub(r"\1{id}", path)
