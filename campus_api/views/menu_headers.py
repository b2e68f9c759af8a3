"""What the headers of menus of one date say: which days are beside it and, of an empty answer, why it is empty."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from campus_api.db.stores import MenuSnapshot
from campus_api.validation import schemas

# A link repeats the query: the head of an answer must not grow with it.
_LONGEST_LINKED = 2000
_WHY_EMPTY = {True: "no-match", False: "closed", None: "not-loaded"}


def headers(menus: MenuSnapshot, query_string: str, dates: Sequence[str], rows: Sequence[Any]) -> dict[str, str]:
    """Return the headers of what a proper query for `dates` is answered; none when it asks for several."""
    if len(dates) > 1:
        return {}
    found = {"Link": _links(query_string, *menus.adjacent_dates(dates[0]))}
    if not rows:
        found["X-Campus-Empty"] = _WHY_EMPTY[menus.is_open(dates[0])]
    return {name: value for name, value in found.items() if value}


def _links(query_string: str, before: str | None, after: str | None) -> str:
    """Return links to the same menus of other days: of the query only, so that they hold behind every proxy."""
    if len(query_string) > _LONGEST_LINKED:
        return ""
    others = [pair for pair in schemas.menu_pairs(query_string) if pair[0] != "date"]
    dates = {rel: date for rel, date in (("prev", before), ("next", after)) if date}
    return ", ".join(f'<?{urlencode(sorted([*others, ("date", date)]))}>; rel="{rel}"' for rel, date in dates.items())
