"""The index and the heartbeat: links to all resources, and the state of the data sets, the database and the cache."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from campus_api import catalog
from campus_api.db.connection import COLLECTIONS
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.snapshot import Snapshot
from campus_api.domain.allergens.spellings import spellings
from campus_api.domain.clock import Clock, age_seconds
from campus_api.domain.models import DatasetDocument, are_samples
from campus_api.http.conditional import SERVICE_VERSION
from campus_api.http.store import ResponseStore

_STATE = dict.fromkeys(("state", "revision", "loaded_at", "samples", "counts"))


class Index:
    """The index, but for what is served now computed without a query; `about` is what the settings say of the data."""

    def __init__(
        self, revisions: RevisionMonitor, store: ResponseStore, clock: Clock, settings: Mapping[str, Any]
    ) -> None:
        self.revisions = revisions
        self._store = store
        self._clock = clock
        names = ("license", "attribution", "contact")
        self.about = {name: settings[f"data.{name}"] or None for name in names}

    def summary(self) -> dict[str, Any]:
        """Return what the start page says of the data: the state of the data sets, and the times of their loads."""
        live = self.revisions.latest
        return {
            "version": SERVICE_VERSION,
            "is_down": self.revisions.is_down,
            "datasets": self._datasets(live),
            "loads": {name: dataset["loaded_at"] for name, dataset in live.datasets.items()},
        }

    def document(self, base: str, now: datetime, serving: Mapping[str, Any]) -> dict[str, Any]:
        """Return the links, which start with `base`, what is served now, and the live revision of each data set."""
        # Each in its main format.
        resources = [each for each in catalog.DATA.values() if catalog.JSON in each.media_types]
        return {
            "name": "campus-api",
            "version": SERVICE_VERSION,
            "today": now.date().isoformat(),
            "now": now.isoformat(timespec="minutes"),
            "serving": serving,
            "time_zone": self._clock.time_zone.key,
            "database": self._database,
            **self.about,
            "datasets": self._datasets(self.revisions.latest),
            "resources": {each.name: _links(base, each) for each in resources},
            "documents": _section(base, "documents"),
            "service": _section(base, "service"),
        }

    def health(self) -> dict[str, Any]:
        """Return the heartbeat; the status is `ok`, `warn`, or `error` if no response can be served."""
        live = self.revisions.latest
        datasets = {name: self._health(live, name) for name in COLLECTIONS}
        warnings = list(self._warnings(datasets))
        cannot_respond = self.revisions.is_down and not len(self._store)
        return {
            "status": "error" if cannot_respond else "warn" if warnings else "ok",
            "warnings": warnings,
            "database": self._database,
            "datasets": datasets,
            "cache": {"entries": len(self._store), "bytes": self._store.bytes},
        }

    @property
    def _database(self) -> str:
        return "down" if self.revisions.is_down else "up"

    def _datasets(self, live: Snapshot) -> dict[str, dict[str, Any]]:
        buildings, dining = map(live.datasets.get, ("buildings", "dining"))
        meals = dining.get("meals") if dining else None
        served = {**_dates(live), "meals": meals, "allergens": _allergens(live)}
        return {"buildings": self._state(buildings), "dining": self._state(dining) | served}

    def _state(self, dataset: DatasetDocument | None) -> dict[str, Any]:
        if dataset is None:
            return {**_STATE, "state": "never-loaded" if self.revisions.is_known else "unknown"}
        samples = are_samples(dataset)
        return {"state": "loaded", **_revision(dataset), "samples": samples, "counts": dataset["counts"]}

    def _health(self, live: Snapshot, name: str) -> dict[str, Any] | None:
        dataset = live.datasets.get(name)
        if dataset is None:
            return None
        state = {**_revision(dataset), "age_seconds": age_seconds(dataset["loaded_at"])}
        if name != "dining":
            return state
        dates = _dates(live)
        last = dates["last_date"]
        ahead = (date.fromisoformat(last) - self._clock.now().date()).days + 1 if last else 0
        return {**state, **dates, "days_ahead": max(ahead, 0)}

    def _warnings(self, datasets: dict[str, dict[str, Any] | None]) -> Iterator[str]:
        if self.revisions.is_down:
            yield f"the database is unavailable: {self.revisions.error}"
        yield from self.revisions.latest.missing.values()
        yield from (f"{name}: no load is known" for name, dataset in datasets.items() if dataset is None)
        if datasets["dining"] and not datasets["dining"]["days_ahead"]:
            yield "dining: no menus for today or later"


def _revision(dataset: DatasetDocument) -> dict[str, Any]:
    return {"revision": dataset["revision"], "loaded_at": dataset["loaded_at"].isoformat(timespec="seconds")}


def _dates(live: Snapshot) -> dict[str, str | None]:
    dates = live.dates or (None,)
    return {"first_date": dates[0], "last_date": dates[-1]}


def _allergens(live: Snapshot) -> dict[str, Any]:
    """Return the vocabulary, and the words that the providers state, None if unknown."""
    table = spellings()
    allergens = live.vocabulary.without if live.vocabulary and "dining" in live.datasets else None
    return {
        "words": table.words,
        "others": sorted({*table.others, *(allergens.own if allergens else ())}),
        "stated": sorted(allergens.stated) if allergens else None,
    }


def _links(base: str, endpoint: catalog.Endpoint) -> dict[str, str | None]:
    href = base + endpoint.path
    return {"href": href, "item": f"{href}/{{id}}" if endpoint.has_items else None}


def _section(base: str, section: str) -> dict[str, str]:
    return {each.name: base + each.path for each in catalog.ENDPOINTS if each.section == section}
