"""What loads changed as an Atom feed: an entry for each load.

https://www.rfc-editor.org/rfc/rfc4287
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

MEDIA_TYPE = "application/atom+xml"

# For an encoding of bytes, `tostring` takes twice as long.
_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'


class Load(NamedTuple):
    """A load whose changes are stored; `counts` are the numbers of documents by collection.

    `changed_ids` are the "first" and the "last" of the dates or buildings that it changed, empty of earlier versions.
    """

    id: Any
    dataset: str
    revision: int
    loaded_at: datetime
    counts: Mapping[str, Mapping[str, int]]
    changed_ids: Mapping[str, Any]


def feed(loads: Sequence[Load], database_id: str, url: str) -> bytes:
    """Return the feed of loads, newest first; links are relative without the URL of the service."""
    base = url and f"{url}/"
    namespace = ":".join(filter(None, ("urn:campus-api", database_id)))
    root = Element("feed", xmlns="http://www.w3.org/2005/Atom")
    updated = loads[0].loaded_at if loads else datetime.fromtimestamp(0, UTC)
    _fill(root, f"{namespace}:changes", "Changes of campus data", updated, self=f"{base}changes.atom")
    SubElement(SubElement(root, "author"), "name").text = "Campus data API"
    for _, dataset, revision, loaded_at, counts, changed_ids in loads:
        entry = SubElement(root, "entry")
        title = f"{dataset.capitalize()}, revision {revision}"
        page = base + _page(dataset, **changed_ids)
        changes = f"{base}changes?dataset={dataset}&since={revision - 1}"
        _fill(entry, f"{namespace}:{dataset}:{revision}", title, loaded_at, alternate=page, related=changes)
        SubElement(entry, "content").text = "; ".join(filter(None, map(describe_counts, counts, counts.values())))
    return f"{_DECLARATION}{tostring(root, encoding='unicode')}".encode()


def _page(dataset: str, first: int | str | None = None, last: int | str | None = None) -> str:
    """Return the page of the first date that has changed, or of the one building."""
    view, name = ("menus", "date") if dataset == "dining" else ("buildings", "id")
    is_shown = first is not None and (name == "date" or first == last)
    return f"explore?view={view}" + (f"&{name}={first}" if is_shown else "")


def _fill(element: Element, id_: str, title: str, updated: datetime, **links: str) -> None:
    """Add what a feed and an entry have; `links` are URLs by their relation."""
    for name, text in (("id", id_), ("title", title), ("updated", updated.isoformat(timespec="milliseconds"))):
        SubElement(element, name).text = text
    for rel, href in links.items():
        SubElement(element, "link", rel=rel, href=href)


def describe_counts(name: str, counts: Mapping[str, int]) -> str:
    """Return for example "recipes: 3 added, 1 removed", "" if nothing has changed."""
    changed = [f"{counts[kind]:,} {kind}" for kind in ("added", "changed", "removed") if counts[kind]]
    return f"{name}: {', '.join(changed)}" if changed else ""
