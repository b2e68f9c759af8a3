"""Which revision of each data set is live, read from MongoDB at most once a second."""

import time
from typing import Any

from pymongo.database import Database

from campus_api.database import DATASETS, available

_SECONDS = 1.0


class Datasets:
    """The live revisions; `dining` and `buildings` are None until a first load."""

    def __init__(self, database: Database) -> None:
        """Take the database; nothing is read before the first question."""
        self._database = database
        self._read_at = float("-inf")
        self._live: dict[str, dict[str, Any]] = {}

    def live(self, name: str) -> dict[str, Any] | None:
        """Return the record of the data set `name`, at most a second old; None when it was never loaded."""
        if time.monotonic() - self._read_at >= _SECONDS:
            with available():
                self._live = {document["_id"]: document for document in self._database[DATASETS].find()}
            self._read_at = time.monotonic()
        return self._live.get(name)
