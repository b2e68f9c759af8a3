"""What a request asks for: the same for all requests that must have the same answer."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from webob.acceptparse import create_accept_header

from campus_api import schemas

MENUS = "/dining/menus"
JSON, GEOJSON = "json", "geojson"

# The lists, the parameters that count for each, and what is one of its items.
_PARAMETERS = {
    "/map/buildings": ("name", "address"),
    "/dining/categories": (),
    "/dining/locations": (),
    "/dining/recipes": (),
}
_LISTS_AND_MENUS = {*_PARAMETERS, MENUS}
_GEOJSON, _JSON = "application/geo+json", "application/json"


class Asked(NamedTuple):
    """A canonical request: the path, the parameters that count, sorted, and the form; menus always have a date."""

    path: str
    parameters: tuple[tuple[str, str], ...] = ()
    form: str = JSON

    @property
    def endpoint(self) -> str:
        """Return the path with `{id}` for an id."""
        if self.path in _LISTS_AND_MENUS:
            return self.path
        return f"{self.path.rpartition('/')[0]}/{{id}}"

    @property
    def dataset(self) -> str:
        """Return the name of the data set that answers."""
        return "buildings" if self.path.startswith("/map/") else "dining"


def asked(environ: Mapping[str, Any], today: Callable[[], str]) -> tuple[Asked, bool] | None:
    """Return what a request asks for, and whether it means `today` by giving no date; None for what is no data."""
    path, query = environ.get("PATH_INFO", "").rstrip("/"), environ.get("QUERY_STRING", "")
    if path == MENUS:
        return _menus(query, today)
    if path in _PARAMETERS:
        names = _PARAMETERS[path]
        pairs = schemas.pairs_of(query) if query and names else ()
        counting = tuple(sorted(pair for pair in pairs if pair[0] in names and pair[1]))
        return Asked(path, counting, _form(path, environ)), False
    folder, _, _ = path.rpartition("/")
    return (Asked(path, form=_form(path, environ)), False) if folder in _PARAMETERS else None


def form(environ: Mapping[str, Any]) -> str:
    """Return the form that a client takes buildings in: GeoJSON when it is named and nothing is preferred to it."""
    accept = environ.get("HTTP_ACCEPT", "")
    # To parse the header takes longer than an answer from memory.
    if "geo+json" not in accept.lower():
        return JSON
    wanted = create_accept_header(accept)
    named = any(media_range.lower() == _GEOJSON for media_range, *_ in wanted.parsed or ())
    best = wanted.acceptable_offers([_GEOJSON, _JSON])[:1]
    return GEOJSON if named and [media_type for media_type, _ in best] == [_GEOJSON] else JSON


def _form(path: str, environ: Mapping[str, Any]) -> str:
    return form(environ) if path.startswith("/map/") else JSON


def _menus(query: str, today: Callable[[], str]) -> tuple[Asked, bool]:
    pairs = [pair for pair in schemas.pairs_of(query) if not pair[0].startswith("_")] if query else []
    undated = all(name != "date" for name, _ in pairs)
    if undated:
        pairs.append(("date", today()))
    return Asked(MENUS, tuple(sorted(pairs))), undated
