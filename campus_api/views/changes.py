"""Views of what the last loads changed."""

from urllib.parse import urlencode

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import feeds
from campus_api.domain.models import ChangeRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Root


@view_config(context=Root, name="changes", renderer="json")
def changes(context: Root, request: Request) -> list[ChangeRow]:
    """Return what has changed after a revision or a time, newest first."""
    rows, has_more = context.stores.changes.find(**request.filters)
    if has_more:
        _add_next(request, request.filters["start"] + request.filters["count"])
    return rows


def _add_next(request: Request, start: int) -> None:
    """Add a link to the changes from a number on."""
    others = [pair for pair in data_request(request).pairs if pair[0] != "start"]
    query = urlencode([*others, ("start", start)])
    request.response.headers["Link"] = f'<?{query}>; rel="next"'


@view_config(context=Root, name="changes.atom", renderer="feed")
def change_feed(context: Root, request: Request) -> bytes:
    """Return the last loads as a feed."""
    loads = context.stores.changes.loads(request.filters["dataset"])
    return feeds.feed(loads, context.stores.snapshot.database_id, request.registry.settings["pages.url"])
