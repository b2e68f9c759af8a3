"""Loads, undos, refused loads and kills, one after the other, and the revisions that they publish."""

import json
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.nightly.consistency import exports

ACTIONS = {"load", "undo", "refuse", "kill"}
REFUSED = 3


@dataclass(frozen=True)
class Revision:
    """A revision that was live, and the load that its content is from: an older one after an undo."""

    dataset: str
    number: int
    load: int
    loaded_at: datetime


class Publisher:
    """Publishes revisions of a data set with `campus-load`; all else must leave the live revision as it is."""

    def __init__(self, dataset, database, run, folder, random):
        self.dataset = dataset
        self.revisions = []
        self.outcomes = Counter()
        self._database, self._run, self._folder, self._random = database, run, folder, random
        self._loads = 0
        self._seconds = 1

    @property
    def actions(self):
        return {action for action, _ in self.outcomes}

    @property
    def age(self):
        """Return for how long the live revision has been live."""
        return datetime.now(UTC) - self.revisions[-1].loaded_at

    def do_everything(self):
        """Load, undo, be refused and be killed twice, in random order."""
        actions = [self.load, self.undo, self.refuse, self.kill]
        for action in self._random.sample(actions, counts=[1, 1, 1, 2], k=5):
            action()

    def load(self):
        started_at = time.monotonic()
        self._finish(self._start_load(), 0)
        self._seconds = time.monotonic() - started_at
        assert self._record("load") == self._loads

    def undo(self):
        """Undo the last load; load instead of an undo, which cannot be undone."""
        if not self._can_undo():
            self.load()
            return
        before = self.revisions[-2].load
        self._finish(self._run("undo", self.dataset), 0)
        assert self._record("undo") == before

    def refuse(self):
        """Load an export that lacks most records."""
        self._loads += 1
        self._finish(self._start(exports.incomplete(self.dataset, self._loads)), REFUSED)
        assert self._record("refuse") is None

    def kill(self):
        """Kill a load or an undo at a random moment, before or after its revision is live."""
        if self._can_undo() and self._random.random() < 0.3:
            process, load = self._run("undo", self.dataset), self.revisions[-2].load
        else:
            process, load = self._start_load(), self._loads
        try:
            process.wait(self._random.uniform(0.2, 1.1) * self._seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert self._record("kill") in (None, load)

    def _start_load(self):
        self._loads += 1
        # All names of a load have its number, so that a response of two loads is recognized.
        return self._start(exports.EXPORTS[self.dataset](self._loads), "--override", "changed-values")

    def _start(self, export, *options):
        path = self._folder / f"{self.dataset}-{self._loads}.json"
        path.write_text(json.dumps(export))
        return self._run(self.dataset, path, *options)

    def _finish(self, process, status):
        # Beside all the clients.
        assert process.wait(60) == status, process.output()

    def _can_undo(self):
        record = self._live_record()
        return record["revision"] > 1 and "reverts" not in record

    def _live_record(self):
        return self._database.datasets.find_one({"_id": self.dataset})

    def _record(self, action):
        """Record the live revision; return the load that its content is from, None if it was live before."""
        record = self._live_record()
        load = int(record["sources"][0]["file"].removeprefix(f"{self.dataset}-").removesuffix(".json"))
        revision = Revision(self.dataset, record["revision"], load, record["loaded_at"])
        is_new = revision not in self.revisions
        self.outcomes[action, "published" if is_new else "unchanged"] += 1
        if not is_new:
            assert revision == self.revisions[-1]
            return None
        self.revisions.append(revision)
        return load
