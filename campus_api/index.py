"""What there is here and how new it is: the index for programs, the start page for people."""

from datetime import datetime
from importlib.metadata import version
from typing import Any

import orjson

from campus_api import catalog
from campus_api.assets import Assets, File, file
from campus_api.catalog import Endpoint
from campus_api.db.revisions import NAMES, RevisionMonitor
from campus_api.domain.clock import Clock

_DOCUMENTS = {"openapi": "openapi.json", "docs": "docs", "explore": "explore"}
_SERVICE = {"heartbeat": "__heartbeat__", "version": "__version__", "metrics": "__metrics__"}
_VARY = "Accept, Accept-Encoding"
_UNKNOWN = {"state": "unknown", "revision": None, "loaded_at": None, "counts": None}
_NEVER_LOADED = {**_UNKNOWN, "state": "never-loaded"}
_DOWN = "The database is unavailable. Some responses may be out of date."


class Index:
    """The two forms of what is at the root; neither asks the database."""

    def __init__(self, revisions: RevisionMonitor, clock: Clock, assets: Assets) -> None:
        """Take what is live, the time, and the files of the start page."""
        self._revisions = revisions
        self._clock = clock
        self._assets = assets

    def file(self, base: str) -> File:
        """Return the index as JSON; its links begin with `base`."""
        return file(orjson.dumps(self.document(base)), "application/json", vary=_VARY)

    def page(self, base: str) -> File:
        """Return the start page; its addresses begin with `base`."""
        document = self.document(base)
        said = {name: _sentence(document["datasets"][name]) for name in NAMES}
        note = _DOWN if document["database"] == "down" else ""
        return self._assets.page("start", base, _VARY, version=document["version"], note=note, **said)

    def document(self, base: str) -> dict[str, Any]:
        """Return the links, and of each data set what is live."""
        return {
            "name": "campus-api",
            "version": version("campus-api"),
            "today": self._clock.today(),
            "database": "down" if self._revisions.is_down else "up",
            "datasets": {"buildings": self._dataset("buildings"), "dining": self._dining()},
            "resources": {endpoint.name: _links(base, endpoint) for endpoint in catalog.DATA.values()},
            "documents": {name: base + path for name, path in _DOCUMENTS.items()},
            "service": {name: base + path for name, path in _SERVICE.items()},
        }

    def _dataset(self, name: str) -> dict[str, Any]:
        if not self._revisions.is_known:
            return _UNKNOWN
        record = self._revisions.record(name)
        if record is None:
            return _NEVER_LOADED
        loaded_at = record["loaded_at"].isoformat(timespec="seconds")
        state = {"state": "loaded", "revision": record["revision"], "loaded_at": loaded_at}
        return {**state, "counts": record["counts"]}

    def _dining(self) -> dict[str, Any]:
        first, last = (self._revisions.is_known and self._revisions.date_range) or (None, None)
        return {**self._dataset("dining"), "first_date": first, "last_date": last}


def _links(base: str, endpoint: Endpoint) -> dict[str, str | None]:
    href = base + endpoint.path.removeprefix("/")
    return {"href": href, "item": f"{href}/{{id}}" if endpoint.has_items else None}


def _sentence(dataset: dict[str, Any]) -> str:
    """Return for people what is loaded."""
    if dataset["state"] == "never-loaded":
        return "Not loaded yet."
    if dataset["state"] == "unknown":
        return "Unknown: the database has not responded yet."
    return f"{_content(dataset)}, loaded on {_spoken(dataset['loaded_at'])}."


def _content(dataset: dict[str, Any]) -> str:
    if "buildings" in dataset["counts"]:
        return f"{dataset['counts']['buildings']:,} buildings"
    if dataset["first_date"] is None:
        return "No menus"
    return f"From {_spoken(dataset['first_date'])} to {_spoken(dataset['last_date'])}"


def _spoken(moment: str) -> str:
    day = datetime.fromisoformat(moment)
    return f"{day:%B} {day.day}, {day.year}"
