"""Headers of the menus of one date: links to other queries, and why a response is empty."""

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlencode

from pyramid.request import Request

from campus_api.db.stores import Stores
from campus_api.domain.allergens.vocabulary import NO_DIET, Diet
from campus_api.http.cache_key import Pairs, data_request

# Links repeat the query, and proxies limit the size of headers.
_MAX_LINKED_QUERY = 2000


def add_menu_headers(request: Request, stores: Stores, rows: Sequence[Any]) -> None:
    """Add Link for the menus of one date, and X-Campus-Empty if there are no rows."""
    dates, diet, others = request.filters["date"], request.filters.get("diet", NO_DIET), data_request(request).undated
    is_one = len(dates) == 1
    headers = {
        "Link": _links(others, dates[0], diet.without or (), *stores.menus.adjacent_dates(dates[0])) if is_one else "",
        "X-Campus-Empty": "" if rows else _empty_reason(stores, dates, diet),
    }
    request.response.headers.update({name: value for name, value in headers.items() if value})


def _empty_reason(stores: Stores, dates: Sequence[str], diet: Diet) -> str:
    """Return why nothing matches; of several dates, only if an allergen is not stated."""
    reason = stores.menus.empty_reason(dates[0]) if len(dates) == 1 else ""
    if not reason and diet.without and not stores.recipes.vocabulary().states(diet):
        return "not-stated"
    return reason or ("no-match" if len(dates) == 1 else "")


def _links(others: Pairs, date: str, without: Collection[str], before: str | None, after: str | None) -> str:
    """Return links to the adjacent dates and, if the query spells allergens otherwise, to their words (RFC 6596).

    They are relative to the path, so that they are valid behind any proxy.
    """
    words = [pair for pair in others if pair[0] != "without"] + [("without", word) for word in without]
    if len(urlencode(others)) > _MAX_LINKED_QUERY:
        return ""
    targets = {
        "prev": (others, before),
        "next": (others, after),
        "canonical": (words, None if sorted(words) == sorted(others) else date),
    }
    return ", ".join(
        f'<?{urlencode(sorted([*query, ("date", day)]))}>; rel="{rel}"' for rel, (query, day) in targets.items() if day
    )
