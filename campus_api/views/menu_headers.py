"""Headers of the menus of one date: links to the adjacent dates, and why a response is empty."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from campus_api.db.stores import MenuSnapshot
from campus_api.validation import schemas

# Links repeat the query, and proxies limit the size of headers.
_MAX_LINKED_QUERY = 2000
_EMPTY_REASONS = {True: "no-match", False: "closed", None: "not-loaded"}


def link_headers(menus: MenuSnapshot, query_string: str, dates: Sequence[str], rows: Sequence[Any]) -> dict[str, str]:
    """Return Link and, for an empty response, X-Campus-Empty; no headers for several dates."""
    if len(dates) > 1:
        return {}
    headers = {"Link": _links(query_string, *menus.adjacent_dates(dates[0]))}
    if not rows:
        headers["X-Campus-Empty"] = _EMPTY_REASONS[menus.is_open(dates[0])]
    return {name: value for name, value in headers.items() if value}


def _links(query_string: str, before: str | None, after: str | None) -> str:
    """Return links to the adjacent dates, relative to the path, so that they are valid behind any proxy."""
    if len(query_string) > _MAX_LINKED_QUERY:
        return ""
    others = [pair for pair in schemas.menu_pairs(query_string) if pair[0] != "date"]
    dates = {rel: date for rel, date in (("prev", before), ("next", after)) if date}
    return ", ".join(f'<?{urlencode(sorted([*others, ("date", date)]))}>; rel="{rel}"' for rel, date in dates.items())
