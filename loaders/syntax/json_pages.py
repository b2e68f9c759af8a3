"""Pages of a response: the members that say how many records there are, and whether there is a next page."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

# What servers call a member with the next page, and one that is true if there is one.
_NEXT = re.compile(r"(@odata\.)?next(_?(page|link|url|cursor|token))*", re.IGNORECASE)
_HAS_NEXT = re.compile(r"exceededTransferLimit|has_?(more|next)(_?page)?", re.IGNORECASE)
# Objects with such members, next to the records.
_PAGE_OBJECT = re.compile(r"links|meta(data)?|page|paging|pagination|page_?info|properties", re.IGNORECASE)
# What servers call the number of all records, or of those of a page. OGC API - Features has numberMatched.
_TOTAL = re.compile(
    r"numberMatched|count|total(_?(count|number|elements|features|hits|items|objects|records|results|rows))?",
    re.IGNORECASE,
)
# Of the objects around such a member.
_MAX_DEPTH = 2


class Page(NamedTuple):
    """The records of a response, those of all pages (0 if unknown), and the member that says there is a next page."""

    records: int
    total: int
    next_member: str | None


def read_page(records: int, members: Mapping[str, Any]) -> Page:
    """Return what members say about pages, of a response with this number of records."""
    pages = [*_page_members(members)]
    totals = [value for name, _, value in pages if _TOTAL.fullmatch(name) and type(value) is int]
    next_members = (path for name, path, value in pages if _has_next(name, value))
    return Page(records, max(totals, default=0), next(next_members, None))


def _page_members(members: Mapping[str, Any], parents: tuple[str, ...] = ()) -> Iterator[tuple[str, str, Any]]:
    """Yield the name, the path and the value of each member that may be about pages."""
    for name, value in members.items():
        path = (*parents, name)
        if isinstance(value, dict) and _PAGE_OBJECT.fullmatch(name) and len(parents) < _MAX_DEPTH:
            yield from _page_members(value, path)
        else:
            yield name, ".".join(path), value


def _has_next(name: str, value: Any) -> bool:
    if isinstance(value, list) and any(isinstance(each, dict) and each.get("rel") == "next" for each in value):
        return True
    return bool(_NEXT.fullmatch(name) and value) or bool(_HAS_NEXT.fullmatch(name) and value is True)
