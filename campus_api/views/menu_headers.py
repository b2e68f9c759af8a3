"""Headers of the menus of one date: links to the adjacent dates, and why a response is empty."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from campus_api.db.stores import MenuStore
from campus_api.validation.schemas import Pairs

# Links repeat the query, and proxies limit the size of headers.
_MAX_LINKED_QUERY = 2000
_EMPTY_REASONS = {True: "no-match", False: "closed", None: "not-loaded"}
_NO_MENUS = ("closed", "not-loaded")


def link_headers(
    menus: MenuStore, pairs: Pairs, dates: Sequence[str], rows: Sequence[Any], *, is_stated: bool = True
) -> dict[str, str]:
    """Return Link and, for an empty response, X-Campus-Empty; for several dates, only if an allergen is not stated."""
    is_one = len(dates) == 1
    headers = {"Link": _links(pairs, *menus.adjacent_dates(dates[0])) if is_one else ""}
    if not rows:
        reason = _EMPTY_REASONS[menus.is_open(dates[0])] if is_one else ""
        headers["X-Campus-Empty"] = reason if is_stated or reason in _NO_MENUS else "not-stated"
    return {name: value for name, value in headers.items() if value}


def _links(pairs: Pairs, before: str | None, after: str | None) -> str:
    """Return links to the adjacent dates, relative to the path, so that they are valid behind any proxy."""
    others = [pair for pair in pairs if pair[0] != "date"]
    if len(urlencode(others)) > _MAX_LINKED_QUERY:
        return ""
    dates = {rel: date for rel, date in (("prev", before), ("next", after)) if date}
    return ", ".join(f'<?{urlencode(sorted([*others, ("date", date)]))}>; rel="{rel}"' for rel, date in dates.items())
