"""The index: links to all resources, and the state of the data sets."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from campus_api import catalog
from campus_api.catalog import JSON, Endpoint
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.snapshot import Snapshot
from campus_api.domain.allergens.spellings import spellings
from campus_api.domain.clock import Clock
from campus_api.domain.models import SAMPLES_NOTE, are_samples
from campus_api.http.conditional import SERVICE_VERSION

_UNKNOWN = {"state": "unknown", "revision": None, "loaded_at": None, "samples": None, "counts": None}
_NEVER_LOADED = {**_UNKNOWN, "state": "never-loaded"}
_DOWN = "The database is unavailable. Some responses may be out of date."


class Index:
    """The index, but for what is served now computed without a query."""

    def __init__(self, revisions: RevisionMonitor, clock: Clock, settings: Mapping[str, Any]) -> None:
        self._revisions = revisions
        self._clock = clock
        self._about = {name: settings[f"data.{name}"] or None for name in ("license", "attribution", "contact")}

    def summary(self) -> dict[str, str]:
        """Return a sentence about each data set, the version of the service, and a note if the database is down."""
        sentences = {name: self._sentence(name, dataset) for name, dataset in self._datasets().items()}
        return {**sentences, "version": SERVICE_VERSION, "note": _DOWN if self._revisions.is_down else ""}

    def document(self, base: str, now: datetime, serving: Mapping[str, Any]) -> dict[str, Any]:
        """Return the links, which start with `base`, what is served now, and the live revision of each data set."""
        return {
            "name": "campus-api",
            "version": SERVICE_VERSION,
            "today": now.date().isoformat(),
            "now": now.isoformat(timespec="minutes"),
            "serving": serving,
            "time_zone": self._clock.time_zone.key,
            "database": "down" if self._revisions.is_down else "up",
            **self._about,
            "datasets": self._datasets(),
            # Each in its main format.
            "resources": {each.name: _links(base, each) for each in catalog.DATA.values() if JSON in each.media_types},
            "documents": _section(base, "documents"),
            "service": _section(base, "service"),
        }

    def _datasets(self) -> dict[str, dict[str, Any]]:
        live = self._revisions.latest
        dates = live.dates or (None,)
        meals = live.datasets["dining"].get("meals") if "dining" in live.datasets else None
        dining = {"first_date": dates[0], "last_date": dates[-1], "meals": meals, "allergens": _allergens(live)}
        return {"buildings": self._dataset(live, "buildings"), "dining": self._dataset(live, "dining") | dining}

    def _dataset(self, live: Snapshot, name: str) -> dict[str, Any]:
        if not self._revisions.is_known:
            return _UNKNOWN
        dataset = live.datasets.get(name)
        if dataset is None:
            return _NEVER_LOADED
        loaded_at = dataset["loaded_at"].isoformat(timespec="seconds")
        state = {"state": "loaded", "revision": dataset["revision"], "loaded_at": loaded_at}
        return {**state, "samples": are_samples(dataset), "counts": dataset["counts"]}

    def _sentence(self, name: str, dataset: dict[str, Any]) -> str:
        if dataset["state"] == "never-loaded":
            return f"No data yet. Next, an operator runs “campus-load {name}” with an export, or “campus-load samples”."
        if dataset["state"] == "unknown":
            return "Unknown: the database has not responded yet."
        loaded_at = datetime.fromisoformat(dataset["loaded_at"]).astimezone(self._clock.time_zone)
        note = f" {SAMPLES_NOTE}" if dataset["samples"] else ""
        return f"{_content(dataset)}, updated on {_long_date(loaded_at)}.{note}"


def _allergens(live: Snapshot) -> dict[str, Any]:
    """Return the vocabulary, and the words that the providers state, None if unknown."""
    table, allergens = spellings(), live.vocabulary.without if live.vocabulary and "dining" in live.datasets else None
    return {
        "words": table.words,
        "others": sorted({*table.others, *(allergens.own if allergens else ())}),
        "stated": sorted(allergens.stated) if allergens else None,
    }


def _links(base: str, endpoint: Endpoint) -> dict[str, str | None]:
    href = base + endpoint.path.removeprefix("/")
    return {"href": href, "item": f"{href}/{{id}}" if endpoint.has_items else None}


def _section(base: str, section: str) -> dict[str, str]:
    """Return the URLs of a section by name, such as "openapi" for /openapi.json, "version" for /__version__."""
    endpoints = [endpoint for endpoint in catalog.ENDPOINTS if endpoint.section == section]
    return {each.name.strip("_").partition(".")[0]: base + each.path.removeprefix("/") for each in endpoints}


def _content(dataset: dict[str, Any]) -> str:
    buildings = dataset["counts"].get("buildings")
    if buildings is not None:
        return f"{buildings:,} {'building' if buildings == 1 else 'buildings'}"
    if dataset["first_date"] is None:
        return "No menus"
    first, last = (date.fromisoformat(dataset[name]) for name in ("first_date", "last_date"))
    return f"Menus from {_long_date(first)} to {_long_date(last)}"


def _long_date(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
