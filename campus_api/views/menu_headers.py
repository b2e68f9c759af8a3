"""Headers of the menus of one date: links to other queries, and why a response is empty."""

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlencode

from campus_api.db.stores import MenuStore
from campus_api.domain.allergens.vocabulary import NO_DIET, Diet
from campus_api.validation.date_ranges import PARAMETERS, Pairs

# Links repeat the query, and proxies limit the size of headers.
_MAX_LINKED_QUERY = 2000


def link_headers(
    menus: MenuStore,
    pairs: Pairs,
    dates: Sequence[str],
    rows: Sequence[Any],
    diet: Diet = NO_DIET,
    *,
    is_stated: bool = True,
) -> dict[str, str]:
    """Return Link and, for an empty response, X-Campus-Empty; for several dates, only if an allergen is not stated."""
    is_one = len(dates) == 1
    headers = {"Link": _links(pairs, dates[0], diet.without or (), *menus.adjacent_dates(dates[0])) if is_one else ""}
    if not rows:
        reason = menus.empty_reason(dates[0]) if is_one else ""
        no_match = "no-match" if is_one else ""
        headers["X-Campus-Empty"] = reason or (no_match if is_stated else "not-stated")
    return {name: value for name, value in headers.items() if value}


def _links(pairs: Pairs, date: str, without: Collection[str], before: str | None, after: str | None) -> str:
    """Return links to the adjacent dates and, if the query spells allergens otherwise, to their words (RFC 6596).

    They are relative to the path, so that they are valid behind any proxy.
    """
    others = [pair for pair in pairs if pair[0] not in PARAMETERS]
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
