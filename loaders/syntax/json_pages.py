"""Pages of a response: its members say how many records there are, or that there is a next page."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from loaders.errors import UnreadableFileError
from loaders.sources.files import Export

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


def require_all(export: Export, records: int, members: Mapping[str, Any], items: str) -> None:
    """Raise UnreadableFileError if a response has a next page, or more records than these, as its members say."""
    pages = [*_page_members(members)]
    total = max((value for name, _, value in pages if _TOTAL.fullmatch(name) and type(value) is int), default=0)
    next_member = next((path for name, path, value in pages if _has_next(name, value)), None)
    if next_member or records < total:
        part = f"a next page, by its {next_member}" if next_member else f"only {records} of {total} {items}"
        raise UnreadableFileError(export.path, f"has {part}: save the {items} of all pages in one list")


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
