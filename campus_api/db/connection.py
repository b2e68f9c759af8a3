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

from campus_api.db import embedded
from campus_api.settings import SettingError

DATASETS, LOADS, LOAD_CHANGES = "datasets", "loads", "load_changes"
BUILDINGS = "buildings"
CATEGORIES, LOCATIONS, RECIPES, MENUS = "categories", "locations", "recipes", "menus"
# The collections of each data set; a revision has its own, such as menus_7, named in its record.
COLLECTIONS = {"buildings": (BUILDINGS,), "dining": (CATEGORIES, LOCATIONS, RECIPES, MENUS)}
# Version of the layout of the database; in version 1 loads changed the collections of dining in place.
LAYOUT = 2

_DEFAULT_NAME = "campus"
_UNUSABLE = "is not a connection string that MongoDB's driver takes, or names a file or host that is not there"
_NOT_ALLOWED = {13, 18}  # Unauthorized, AuthenticationFailed
# A member of the deployment is away, or does not know yet what the majority has.
_NOT_NOW = {6, 7, 89, 134, 262, 9001}
# Unless the URI says otherwise: without a primary the others answer, with what no election takes back.
_READING = {"readPreference": "primaryPreferred", "readConcernLevel": "majority"}

Record = dict[str, Any]

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
        if is_mongomock(database):
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


def read_records(database: Database, session: ClientSession | None = None) -> dict[str, Record]:
    """Return the record of each data set by name, without the revision that it replaced."""
    records = database[DATASETS].find({}, {"previous": False}, session=session)
    return {record["_id"]: _upgraded(record) for record in records}


def read_record(database: Database, dataset: str) -> Record | None:
    """Return the record of a data set with the revision that it replaced; None before the first load."""
    record = database[DATASETS].find_one({"_id": dataset})
    return record and _upgraded(record)


def _upgraded(record: Record) -> Record:
    """Add the names of the collections to a record of layout 1."""
    if "collections" in record:
        return record
    names = {name: name for name in COLLECTIONS[record["_id"]]}
    if record["_id"] == "buildings":
        names[BUILDINGS] = record["collection"]
    return {**record, "collections": names, "layout": 1}


def is_mongomock(database: Database) -> bool:
    """Return whether this is mongomock, which lacks sessions, index options and raw BSON."""
    return not isinstance(database.client, MongoClient)


def index_trigrams(buildings: Collection) -> None:
    """Create the index that a search for buildings uses; of a replica set most members are enough."""
    database = buildings.database
    replicated = not is_mongomock(database) and database.client.topology_description.replica_set_name
    # Unless told otherwise MongoDB waits for all members, also for those that are away; a single one takes no option.
    options = {"commitQuorum": "majority"} if replicated else {}
    buildings.create_indexes([IndexModel("search.trigrams")], **options)


def _connect(uri: str, options: Mapping[str, Any], release: Callable[[], None], started: bool = False) -> Connection:
    try:
        client: MongoClient = MongoClient(uri, appname="campus-api", tz_aware=True, **options)
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
    client = mongomock.MongoClient(tz_aware=True)
    database = client[_DEFAULT_NAME]
    for name in (DATASETS, *(f"{name}_0" for name in COLLECTIONS["dining"])):
        # mongomock fails to list collections while another thread reads one for the first time.
        database[name].find_one()
    return Connection(database, client.close)
