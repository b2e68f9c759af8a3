"""A temporary mongod, and snapshots of its databases."""

import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pymongo
from pymongo import MongoClient
from pymongo.database import Database

from campus_api.db import embedded


@dataclass(frozen=True)
class MongoServer:
    """A running mongod: a client for this process, a URI for others."""

    client: MongoClient
    uri: str

    @property
    def description(self) -> str:
        """Return the date, the machine and the versions in one line."""
        versions = f"pymongo {pymongo.version}, MongoDB {self.client.server_info()['version']}"
        machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
        return f"{date.today()}: {machine}, {versions}"

    @contextmanager
    def empty_database(self, name: str) -> Iterator[str]:
        """Yield the URI of a database that is dropped before and after its use."""
        self.client.drop_database(name)
        yield f"{self.uri}/{name}"
        self.client.drop_database(name)


@contextmanager
def run_mongod(folder: Path) -> Iterator[MongoServer]:
    """Run a mongod with its data in `folder`, and wait for its end, so that the folder can be deleted."""
    lease = embedded.lease(folder)
    try:
        with MongoClient(lease.uri, w="majority", tz_aware=True) as client:
            yield MongoServer(client, lease.uri)
    finally:
        lease.release()
        # The supervisor holds this lock until mongod has stopped.
        with (folder / "supervisor.lock").open("a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)


def snapshot(database: Database) -> tuple[Any, ...]:
    """Return the collections and the revisions, which loading an unchanged export must not change."""
    return sorted(database.list_collection_names()), list(database.datasets.find().sort("_id"))
