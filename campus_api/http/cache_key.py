"""Requests for data, and their cache keys: equal for requests with equal responses."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

from pyramid.decorator import reify
from pyramid.exceptions import URLDecodeError
from pyramid.request import Request
from pyramid.traversal import traversal_path_info
from webob.acceptparse import create_accept_header

from campus_api import catalog
from campus_api.catalog import JSON, Endpoint
from campus_api.domain.clock import Clock
from campus_api.validation import schemas
from campus_api.validation.date_ranges import PARAMETERS, Pairs, default_dates

# A parsed request takes up to 35 bytes per character. Longer requests are parsed each time.
_MEMO_SIZE = 1024
_MAX_MEMO_LENGTH = 200
# Pyramid memoizes the segments of a thousand paths, in 25 bytes per character.
_MAX_PATH_LENGTH = 1000

# The key of the environ under which the views find the parsed request.
DATA_REQUEST = "campus.data_request"


class CacheKey(NamedTuple):
    """The canonical path, the significant parameters, sorted, and the media type; menus always have a date.

    `prefix` is the path under which the service is mounted, if the response contains it.
    """

    path: str
    parameters: Pairs = ()
    media_type: str = JSON
    prefix: str = ""


class DataRequest(NamedTuple):
    """A request with a query, parsed: its cache key, the parameters of that, and the endpoint.

    `defaults` are those of the key that complete its dates by `today`, which is empty if the endpoint has no dates;
    `pairs` are the others. They are sorted, but for strict endpoints, whose errors name them in the order of the query.
    `route` is the path, with `{id}` for an id.
    """

    key: CacheKey
    endpoint: Endpoint
    route: str
    pairs: Pairs
    defaults: Pairs = ()
    today: str = ""

    @classmethod
    def from_environ(cls, environ: Mapping[str, Any], clock: Clock) -> "DataRequest | None":
        """Parse a request; None if its path has no query."""
        path, query = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
        accept, prefix = environ.get("HTTP_ACCEPT", ""), mount_path(environ)
        is_short = len(path) + len(query) + len(accept) + len(prefix) <= _MAX_MEMO_LENGTH
        request = (_parse if is_short else _parse.__wrapped__)(path, query, accept, prefix)
        if request is None or not request.endpoint.is_dated:
            return request
        now = clock.minute() if request.endpoint.is_timed else clock.today()
        return (_complete if is_short else _complete.__wrapped__)(request, now)

    @property
    def undated(self) -> Pairs:
        """Return the parameters that are no dates."""
        return tuple(pair for pair in self.pairs if pair[0] not in PARAMETERS)


def data_request(request: Request) -> DataRequest:
    """Return the parsed request, which the response cache leaves in the environ."""
    return request.environ[DATA_REQUEST]


class FilterRequest(Request):
    """A request with the filters of its query: add_request_method() would make a class for each request."""

    @reify
    def filters(self) -> dict[str, Any]:
        """Return the filters by the schema in the catalog; BadQuery if the query is invalid."""
        data, vocabulary = data_request(self), self.root.stores.recipes.vocabulary
        query = data.endpoint.query
        return {} if query is None else query.parse(data.pairs, data.defaults, data.today, vocabulary)


def mount_path(environ: Mapping[str, Any]) -> str:
    """Return the path under which the service is mounted, "" if it is the root of the host."""
    return quote(environ.get("SCRIPT_NAME", ""), encoding="latin-1")


def resource_path(path: str) -> str:
    """Return the canonical path, as Pyramid traverses it; "" if it is not UTF-8, or too long for any resource."""
    if len(path) > _MAX_PATH_LENGTH:
        return ""
    try:
        # Empty segments are ignored, dots are resolved.
        return "/" + "/".join(traversal_path_info(path))
    except URLDecodeError:
        return ""


@lru_cache(_MEMO_SIZE)
def _parse(path: str, query: str, accept: str, prefix: str) -> DataRequest | None:
    path = resource_path(path)
    route = catalog.route(path)
    endpoint = catalog.QUERIES.get(route)
    if endpoint is None:
        return None
    pairs = schemas.parse_query_string(query)
    if endpoint.is_strict:
        # Names that start with an underscore are cache busters.
        pairs = tuple(pair for pair in pairs if not pair[0].startswith("_"))
    else:
        names = endpoint.parameters if path == endpoint.path else ()
        pairs = tuple(sorted(pair for pair in pairs if pair[0] in names and pair[1]))
    media_type = _negotiate(accept, endpoint.media_types)
    key = CacheKey(path, tuple(sorted(pairs)), media_type, prefix if endpoint.has_urls else "")
    return DataRequest(key, endpoint, route, pairs)


def _negotiate(accept: str, media_types: Sequence[str]) -> str:
    """Return the first media type, or the second one if the client names and prefers it."""
    # Parsing the header takes longer than the rest of a cached response.
    other = media_types[-1]
    if len(media_types) == 1 or other.partition("/")[2] not in accept.lower():
        return media_types[0]
    header = create_accept_header(accept)
    is_named = any(media_range.lower() == other for media_range, *_ in header.parsed or ())
    offers = [media_type for media_type, _ in header.acceptable_offers([other, JSON])]
    return other if is_named and offers[:1] == [other] else JSON


@lru_cache(_MEMO_SIZE)
def _complete(request: DataRequest, now: str) -> DataRequest:
    """Return the request with the dates, or the time, that its query leaves out."""
    endpoint, today = request.endpoint, now.partition("T")[0]
    pairs = [pair for pair in request.pairs if pair[0] in endpoint.parameters]
    defaults = (("now", now),) if endpoint.is_timed else default_dates(pairs, today)
    key = request.key._replace(parameters=tuple(sorted([*request.key.parameters, *defaults])))
    return request._replace(key=key, defaults=defaults, today=today)
