"""The heartbeat: database, live revisions, response cache and what needs attention."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from campus_api.db.connection import COLLECTIONS
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.snapshot import Snapshot
from campus_api.domain.clock import Clock, age_seconds
from campus_api.http.store import ResponseStore


class Health:
    """The state of this process, reported without a query."""

    def __init__(self, revisions: RevisionMonitor, store: ResponseStore, clock: Clock) -> None:
        self._revisions = revisions
        self._store = store
        self._clock = clock

    def report(self) -> dict[str, Any]:
        """Return the state; the status is `ok`, `warn`, or `error` if no response can be served."""
        live = self._revisions.latest
        datasets = {name: self._dataset(live, name) for name in COLLECTIONS}
        warnings = list(self._warnings(datasets))
        cannot_respond = self._revisions.is_down and not len(self._store)
        return {
            "status": "error" if cannot_respond else "warn" if warnings else "ok",
            "warnings": warnings,
            "database": "down" if self._revisions.is_down else "up",
            "datasets": datasets,
            "cache": {"entries": len(self._store), "bytes": self._store.bytes},
        }

    def _dataset(self, live: Snapshot, name: str) -> dict[str, Any] | None:
        dataset = live.datasets.get(name)
        if dataset is None:
            return None
        state = {
            "revision": dataset["revision"],
            "loaded_at": dataset["loaded_at"].isoformat(timespec="seconds"),
            "age_seconds": age_seconds(dataset["loaded_at"]),
        }
        if name != "dining":
            return state
        first, last = (live.dates[0], live.dates[-1]) if live.dates else (None, None)
        ahead = (date.fromisoformat(last) - self._clock.now().date()).days + 1 if last else 0
        return {**state, "first_date": first, "last_date": last, "days_ahead": max(ahead, 0)}

    def _warnings(self, datasets: dict[str, dict[str, Any] | None]) -> Iterator[str]:
        if self._revisions.is_down:
            yield f"the database is unavailable: {self._revisions.error}"
        yield from self._revisions.latest.missing.values()
        yield from (f"{name}: no load is known" for name, dataset in datasets.items() if dataset is None)
        if datasets["dining"] and not datasets["dining"]["days_ahead"]:
            yield "dining: no menus for today or later"
