"""A MongoDB of the measurement's own, gone with it, and what a load leaves in a database."""

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

from campus_api import embedded


@dataclass(frozen=True)
class Server:
    """A running mongod, for this process and, by its URI, for others."""

    client: MongoClient
    uri: str

    @property
    def about(self) -> str:
        """Return the date, the machine and the versions, as one line."""
        versions = f"pymongo {pymongo.version}, MongoDB {self.client.server_info()['version']}"
        machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
        return f"{date.today()}: {machine}, {versions}"

    @contextmanager
    def empty(self, name: str) -> Iterator[str]:
        """Drop a database before and after its use; yield its URI."""
        self.client.drop_database(name)
        yield f"{self.uri}/{name}"
        self.client.drop_database(name)


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """Run a mongod with its data in `folder`; at the end it has stopped, so that the folder can be deleted."""
    lease = embedded.lease(folder)
    try:
        with MongoClient(lease.uri, w="majority") as client:
            yield Server(client, lease.uri)
    finally:
        lease.release()
        # The guardian of mongod keeps this lock until mongod has ended.
        with (folder / "guardian.lock").open("a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)


def state(database: Database) -> tuple[Any, ...]:
    """Return what no load of an unchanged export may change: the collections and the revisions."""
    return sorted(database.list_collection_names()), list(database.datasets.find().sort("_id"))
