"""Cache keys: equal for requests with equal responses."""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from webob.acceptparse import create_accept_header

from campus_api.catalog import DATA, GEOJSON, JSON, MENUS, Endpoint
from campus_api.validation import schemas

# Longer requests are parsed each time, so that the memo takes a few megabytes at most.
_MEMO_SIZE = 4096
_MAX_MEMO_LENGTH = 1000


class _Key(NamedTuple):
    path: str
    parameters: tuple[tuple[str, str], ...] = ()
    media_type: str = JSON


class CacheKey(_Key):
    """The canonical path, the significant parameters, sorted, and the media type; menus always have a date."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, Any], today: Callable[[], str]) -> "tuple[CacheKey, bool] | None":
        """Return the cache key and whether its date was defaulted to today; None if not cacheable."""
        path, query = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
        accept = environ.get("HTTP_ACCEPT", "")
        is_short = len(path) + len(query) + len(accept) <= _MAX_MEMO_LENGTH
        key, is_default_date = (_parse_memoized if is_short else _parse)(path, query, accept)
        if key is None:
            return None
        if is_default_date:
            key = key._replace(parameters=tuple(sorted([*key.parameters, ("date", today())])))
        return key, is_default_date

    @cached_property
    def endpoint(self) -> str:
        """Return the path, with `{id}` for an id."""
        return self.path if self.path in DATA else f"{self.path.rpartition('/')[0]}/{{id}}"

    @cached_property
    def dataset(self) -> str:
        """Return the name of the data set."""
        return DATA[self.endpoint.removesuffix("/{id}")].dataset


def negotiate(environ: Mapping[str, Any]) -> str:
    """Return the media type for buildings: GeoJSON if the client names it and prefers nothing else."""
    return _negotiate(environ.get("HTTP_ACCEPT", ""))


def _negotiate(accept: str) -> str:
    # Parsing the header takes longer than the rest of a cached response.
    if "geo+json" not in accept.lower():
        return JSON
    header = create_accept_header(accept)
    is_named = any(media_range.lower() == GEOJSON for media_range, *_ in header.parsed or ())
    offers = [media_type for media_type, _ in header.acceptable_offers([GEOJSON, JSON])]
    return GEOJSON if is_named and offers[:1] == [GEOJSON] else JSON


def _parse(path: str, query: str, accept: str) -> tuple[CacheKey | None, bool]:
    """Return the key of a request, None if it is not cacheable, and whether it lacks a date."""
    path = path.rstrip("/")
    if path == MENUS:
        pairs = schemas.menu_pairs(query)
        return CacheKey(path, tuple(sorted(pairs))), all(name != "date" for name, _ in pairs)
    endpoint = DATA.get(path) or DATA.get(path.rpartition("/")[0])
    if endpoint is None or (path != endpoint.path and not endpoint.has_items):
        return None, False
    parameters = _significant_pairs(endpoint, query) if path == endpoint.path else ()
    return CacheKey(path, parameters, _negotiate(accept) if GEOJSON in endpoint.media_types else JSON), False


def _significant_pairs(endpoint: Endpoint, query: str) -> tuple[tuple[str, str], ...]:
    pairs = schemas.parse_query_string(query) if endpoint.parameters else ()
    return tuple(sorted((name, value) for name, value in pairs if name in endpoint.parameters and value))


_parse_memoized = lru_cache(_MEMO_SIZE)(_parse)
