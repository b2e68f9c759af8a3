"""The way to MongoDB: a server that others run, an embedded one, or one in memory."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bson import Timestamp
from pymongo import IndexModel, MongoClient
from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import ConfigurationError, ConnectionFailure, InvalidURI, OperationFailure, PyMongoError

from campus_api import embedded
from campus_api.settings import SettingError

DATASETS, IMPORTS, LOCKS, MENUS = "datasets", "imports", "locks", "menus"
CHANGES, REPLACED = "changes", "replaced"
CATEGORIES, LOCATIONS, RECIPES = "categories", "locations", "recipes"
BUILDINGS = "buildings_{revision}"

_DEFAULT_NAME = "campus"
_UNUSABLE = "is not a connection string that MongoDB's driver takes, or names a file or host that is not there"
_NOT_ALLOWED = {13, 18}  # Unauthorized, AuthenticationFailed
# A member of the deployment is away, or does not know yet what the majority has.
_NOT_NOW = {6, 7, 89, 134, 262, 9001}
# Unless the URI says otherwise: without a primary the others answer, with what no election takes back.
_READING = {"readPreference": "primaryPreferred", "readConcernLevel": "majority"}

log = logging.getLogger(__name__)


class DatabaseUnavailable(Exception):
    """MongoDB cannot be reached, does not answer in time or does not let us in."""


@dataclass(frozen=True)
class Connection:
    """An open database, and what ends it."""

    database: Database
    close: Callable[[], None]
    # Whether an embedded MongoDB was started for it.
    started: bool = False


def connect(settings: Mapping[str, Any], **client_options: Any) -> Connection:
    """Return a connection to what `mongo.uri` names; it is opened at the first query.

    SettingError for a URI that pymongo does not take, DatabaseUnavailable when no embedded MongoDB can be started.
    """
    uri = settings["mongo.uri"]
    if uri.startswith("mongomock:"):
        return _in_memory()
    if not uri.startswith("embedded:"):
        return _connect(uri, client_options, lambda: None)
    try:
        lease = embedded.lease(Path(uri.removeprefix("embedded:")))
    except embedded.EmbeddedUnavailable as error:
        raise DatabaseUnavailable(str(error)) from error
    return _connect(lease.uri, client_options, lease.release, lease.started)


def connect_to_read(settings: Mapping[str, Any]) -> Connection:
    """Return a connection for answers: every call ends within `mongo.timeout_ms`; memory stands in for embedded."""
    timeout = settings["mongo.timeout_ms"]
    said = settings["mongo.uri"].partition("?")[2].lower()
    options = {name: value for name, value in _READING.items() if f"{name.lower()}=" not in said}
    options |= dict.fromkeys(("timeoutMS", "connectTimeoutMS", "serverSelectionTimeoutMS"), timeout)
    try:
        return connect(settings, **options)
    except DatabaseUnavailable as error:
        log.warning("No embedded MongoDB: %s. Serving from memory: what is loaded elsewhere is not seen.", error)
        return _in_memory()


@contextmanager
def reading(database: Database, since: Timestamp | None = None) -> Iterator[ClientSession | None]:
    """Open a session for reads, all of which see what was there at the moment `since`; DatabaseUnavailable.

    A member of a replica set that has not come so far yet waits for it. A database in memory has no sessions.
    """
    with available():
        if not isinstance(database.client, MongoClient):
            yield None
            return
        with database.client.start_session() as session:
            if since:
                session.advance_operation_time(since)
            yield session


@contextmanager
def available() -> Iterator[None]:
    """Turn the errors of a MongoDB that is away, slow or closed to us into DatabaseUnavailable."""
    try:
        yield
    except PyMongoError as error:
        refused = isinstance(error, OperationFailure) and error.code in _NOT_ALLOWED | _NOT_NOW
        if isinstance(error, ConnectionFailure) or error.timeout or refused:
            raise DatabaseUnavailable(str(error)) from error
        raise


def index_trigrams(buildings: Collection) -> None:
    """Create the index that a search for buildings uses; of a replica set most members are enough."""
    client = buildings.database.client
    replicated = isinstance(client, MongoClient) and client.topology_description.replica_set_name
    # Unless told otherwise MongoDB waits for all members, also for those that are away; a single one takes no option.
    options = {"commitQuorum": "majority"} if replicated else {}
    buildings.create_indexes([IndexModel("search.trigrams")], **options)


def _connect(uri: str, options: Mapping[str, Any], release: Callable[[], None], started: bool = False) -> Connection:
    try:
        client: MongoClient = MongoClient(uri, appname="campus-api", **options)
        database = client.get_default_database(_DEFAULT_NAME)
    except (ConfigurationError, InvalidURI, OSError, ValueError):
        # The reason that pymongo gives may quote a part of the password.
        raise SettingError(f"mongo.uri {_UNUSABLE}.") from None

    def close() -> None:
        client.close()
        release()

    return Connection(database, close, started)


def _in_memory() -> Connection:
    try:
        import mongomock
    except ImportError:
        raise SettingError("mongo.uri needs the extra 'embedded' for a database in memory.") from None
    client = mongomock.MongoClient()
    database = client[_DEFAULT_NAME]
    for name in (DATASETS, MENUS, CATEGORIES, LOCATIONS, RECIPES):
        # Whoever lists the collections fails when another thread is the first to read one.
        database[name].find_one()
    return Connection(database, client.close)
