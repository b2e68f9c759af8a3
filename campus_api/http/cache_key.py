"""What a request asks for: the same for all requests that must have the same answer."""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from webob.acceptparse import create_accept_header

from campus_api.domain import geojson
from campus_api.validation import schemas

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
# So many requests are remembered as they came, unless they are longer than this: a few megabytes at most.
_REMEMBERED, _LONGEST_REMEMBERED = 4096, 1000
_JSON = "application/json"


class _Key(NamedTuple):
    path: str
    parameters: tuple[tuple[str, str], ...] = ()
    form: str = JSON


class Asked(_Key):
    """A canonical request: the path, the parameters that count, sorted, and the form; menus always have a date."""

    @cached_property
    def endpoint(self) -> str:
        """Return the path with `{id}` for an id."""
        if self.path in _LISTS_AND_MENUS:
            return self.path
        return f"{self.path.rpartition('/')[0]}/{{id}}"

    @cached_property
    def dataset(self) -> str:
        """Return the name of the data set that answers."""
        return "buildings" if self.path.startswith("/map/") else "dining"


def asked(environ: Mapping[str, Any], today: Callable[[], str]) -> tuple[Asked, bool] | None:
    """Return what a request asks for, and whether it means `today` by giving no date; None for what is no data."""
    path, query, accept = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", ""), environ.get("HTTP_ACCEPT", "")
    is_short = len(path) + len(query) + len(accept) <= _LONGEST_REMEMBERED
    what, undated = (_understood if is_short else _understand)(path, query, accept)
    if what is None:
        return None
    if undated:
        what = what._replace(parameters=tuple(sorted([*what.parameters, ("date", today())])))
    return what, undated


def form(environ: Mapping[str, Any]) -> str:
    """Return the form that a client takes buildings in: GeoJSON when it is named and nothing is preferred to it."""
    return _form(environ.get("HTTP_ACCEPT", ""))


def _form(accept: str) -> str:
    # To parse the header takes longer than to answer.
    if "geo+json" not in accept.lower():
        return JSON
    wanted = create_accept_header(accept)
    named = any(media_range.lower() == geojson.MEDIA_TYPE for media_range, *_ in wanted.parsed or ())
    offers = [media_type for media_type, _ in wanted.acceptable_offers([geojson.MEDIA_TYPE, _JSON])]
    return GEOJSON if named and offers[:1] == [geojson.MEDIA_TYPE] else JSON


def _understand(path: str, query: str, accept: str) -> tuple[Asked | None, bool]:
    """Return what is asked for, None for what is no data, and whether a date is missing in it."""
    path = path.rstrip("/")
    kind = _form(accept) if path.startswith("/map/") else JSON
    if path == MENUS:
        pairs = schemas.menu_pairs(query)
        return Asked(MENUS, tuple(sorted(pairs))), all(name != "date" for name, _ in pairs)
    if path in _PARAMETERS:
        names = _PARAMETERS[path]
        counting = sorted(pair for pair in schemas.pairs_of(query) if pair[0] in names and pair[1])
        return Asked(path, tuple(counting), kind), False
    folder, _, _ = path.rpartition("/")
    return (Asked(path, form=kind) if folder in _PARAMETERS else None), False


# To read a query takes longer than an answer from memory.
_understood = lru_cache(_REMEMBERED)(_understand)
