"""What loads changed as an Atom feed: an entry for each load.

https://www.rfc-editor.org/rfc/rfc4287
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

MEDIA_TYPE = "application/atom+xml"

_TITLE = "Changes of campus data"
# Of a feed without entries.
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def feed(loads: Iterable[tuple[str, int, datetime, Mapping[str, Mapping[str, int]]]], database_id: str) -> bytes:
    """Return the feed of loads, newest first: data set, revision, time, and numbers of documents by collection."""
    loads = list(loads)
    namespace = ":".join(filter(None, ("urn:campus-api", database_id)))
    root = Element("feed", xmlns="http://www.w3.org/2005/Atom")
    updated = max((loaded_at for _, _, loaded_at, _ in loads), default=_BEGINNING)
    _fill(root, f"{namespace}:changes", _TITLE, updated, "changes.atom", rel="self")
    SubElement(SubElement(root, "author"), "name").text = "Campus data API"
    for dataset, revision, loaded_at, counts in loads:
        entry = SubElement(root, "entry")
        title = f"{dataset.capitalize()}, revision {revision}"
        href = f"changes?dataset={dataset}&since={revision - 1}"
        _fill(entry, f"{namespace}:{dataset}:{revision}", title, loaded_at, href, rel="alternate")
        SubElement(entry, "content").text = "; ".join(filter(None, map(describe_counts, counts, counts.values())))
    return tostring(root, encoding="utf-8", xml_declaration=True)


def _fill(element: Element, id_: str, title: str, updated: datetime, href: str, rel: str) -> None:
    """Add what a feed and an entry have; the link is relative to the feed."""
    for name, text in (("id", id_), ("title", title), ("updated", updated.isoformat(timespec="milliseconds"))):
        SubElement(element, name).text = text
    SubElement(element, "link", rel=rel, href=href)


def describe_counts(name: str, counts: Mapping[str, int]) -> str:
    """Return for example "recipes: 3 added, 1 removed", "" if nothing has changed."""
    changed = [f"{counts[kind]:,} {kind}" for kind in ("added", "changed", "removed") if counts[kind]]
    return f"{name}: {', '.join(changed)}" if changed else ""
