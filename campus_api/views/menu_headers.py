"""Headers of the menus of one date: links to other queries, and why a response is empty."""

from collections.abc import Sequence
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
    headers, dates = request.response.headers, request.filters["date"]
    date = dates[0] if len(dates) == 1 else ""
    diet = request.filters.get("diet", NO_DIET)
    if date and (links := _links(data_request(request).undated, stores, date, diet)):
        headers["Link"] = links
    if not rows and (reason := _empty_reason(stores, date, diet)):
        headers["X-Campus-Empty"] = reason


def _empty_reason(stores: Stores, date: str, diet: Diet) -> str:
    """Return why nothing matches; of several dates, only if an allergen is not stated."""
    if date and (reason := stores.menus.empty_reason(date)):
        return reason
    if diet.without and not stores.recipes.vocabulary().states(diet):
        return "not-stated"
    return "no-match" if date else ""


def _links(others: Pairs, stores: Stores, date: str, diet: Diet) -> str:
    """Return links to the adjacent dates and, if the query spells allergens otherwise, to their words (RFC 6596).

    They are relative to the path, so that they are valid behind any proxy.
    """
    if len(urlencode(others)) > _MAX_LINKED_QUERY:
        return ""
    words = [pair for pair in others if pair[0] != "without"]
    words += [("without", word) for word in diet.without or ()]
    before, after = stores.menus.adjacent_dates(date)
    targets = {
        "prev": (others, before),
        "next": (others, after),
        "canonical": (words, None if sorted(words) == sorted(others) else date),
    }
    return ", ".join(
        f'<?{urlencode(sorted([*query, ("date", day)]))}>; rel="{rel}"' for rel, (query, day) in targets.items() if day
    )
