"""How the service is: what it can answer, from which data, and what a person should look at."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from campus_api.db.revisions import NAMES, Datasets
from campus_api.domain.clock import Clock
from campus_api.http.lru import LRUCache


class Health:
    """The state of this process; asking for it asks no database."""

    def __init__(self, datasets: Datasets, kept: LRUCache, clock: Clock) -> None:
        """Take what is live, the answers in memory and the time."""
        self._datasets = datasets
        self._kept = kept
        self._clock = clock

    def report(self) -> dict[str, Any]:
        """Return the state: "status" is "ok", "warn" with reasons, or "error" when nothing can be answered."""
        datasets = {name: self._dataset(name) if self._datasets.is_known else None for name in NAMES}
        reasons = list(self._reasons(datasets))
        answers_nothing = self._datasets.is_down and not len(self._kept)
        return {
            "status": "error" if answers_nothing else "warn" if reasons else "ok",
            "reasons": reasons,
            "database": "down" if self._datasets.is_down else "up",
            "datasets": datasets,
            "answers": {"kept": len(self._kept), "bytes": self._kept.bytes},
        }

    def _dataset(self, name: str) -> dict[str, Any] | None:
        record = self._datasets.live(name)
        if record is None:
            return None
        loaded_at = record["loaded_at"]
        state = {
            "revision": record["revision"],
            "loaded_at": loaded_at.isoformat(timespec="seconds"),
            "age_seconds": int((datetime.now(UTC) - loaded_at).total_seconds()),
        }
        return state if name == "buildings" else state | self._menus()

    def _menus(self) -> dict[str, Any]:
        first, last = self._datasets.dates or (None, None)
        today = self._clock.today()
        days = (date.fromisoformat(last) - date.fromisoformat(today)).days + 1 if last else 0
        return {"first_date": first, "last_date": last, "days_ahead": max(days, 0)}

    def _reasons(self, datasets: dict[str, dict[str, Any] | None]) -> Iterator[str]:
        if self._datasets.is_down:
            yield "the database does not answer"
        for name, dataset in datasets.items():
            if dataset is None:
                yield f"{name}: nothing is known to be loaded"
        if datasets["dining"] and not datasets["dining"]["days_ahead"]:
            yield "dining: there are no menus for today or later"
