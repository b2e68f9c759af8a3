"""Connections to MongoDB: an external server, an embedded one, or mongomock, known to this module alone."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from bson import Timestamp
from pymongo import MongoClient
from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import ConfigurationError, OperationFailure

from campus_api.db import embedded
from campus_api.db.errors import DatabaseUnavailable, NewerLayout, translate_errors
from campus_api.domain.models import DatasetDocument
from campus_api.settings import SettingError

DATASETS, LOADS, LOAD_CHANGES = "datasets", "loads", "load_changes"
BUILDINGS = "buildings"
# The states of loads that made a revision, and the number of those of a data set whose changes stay stored.
PUBLISHED_STATES = ["published", "undone"]
LOADS_WITH_CHANGES = 100
# The integers assigned to the text ids of providers.
BUILDING_IDS = "building_ids"
DINING_IDS = "dining_ids"
CATEGORIES, LOCATIONS, RECIPES, MENUS = "categories", "locations", "recipes", "menus"
# A document with the UUID of the database.
IDENTITY = "identity"
# The collections of each data set; every revision has its own, such as menus_7, named in the document of the data set.
COLLECTIONS = {"buildings": (BUILDINGS,), "dining": (CATEGORIES, LOCATIONS, RECIPES, MENUS)}
# Of the documents in the database; that of a data set has the number of its layout.
LAYOUT = 2

_DEFAULT_NAME = "campus"
_INVALID_URI = "this is not a connection string that MongoDB's driver takes, or names a file or host that it cannot use"
# https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
_NO_COLLECTION = {26, 40481}  # NamespaceNotFound, and what MongoDB 4.4 returns for $collStats
# Defaults that the URI can override: secondaries serve reads while there is no primary, and no read is rolled back.
_READ_DEFAULTS = {"readPreference": "primaryPreferred", "readConcernLevel": "majority"}


class Connection(NamedTuple):
    """A database and the function that closes it."""

    database: Database
    close: Callable[[], None]


def connect(settings: Mapping[str, Any], **client_options: Any) -> Connection:
    """Return a connection to the database of `mongo.uri`, opened lazily by the first query.

    Raise SettingError for an invalid URI, DatabaseUnavailable if no embedded MongoDB can be started.
    """
    uri = settings["mongo.uri"]
    if uri.startswith("mongomock:"):
        return _in_memory()
    if not uri.startswith("embedded:"):
        return _connect(uri, lambda: None, client_options)
    return _connect(*embedded.lease(Path(uri.removeprefix("embedded:"))), client_options)


def connect_read_only(settings: Mapping[str, Any]) -> Connection:
    """Return a connection for reads, which time out after `mongo.timeout_ms`."""
    timeout = settings["mongo.timeout_ms"]
    uri_options = settings["mongo.uri"].partition("?")[2].lower()
    options = {name: value for name, value in _READ_DEFAULTS.items() if f"{name.lower()}=" not in uri_options}
    options |= dict.fromkeys(("timeoutMS", "connectTimeoutMS", "serverSelectionTimeoutMS"), timeout)
    return connect(settings, **options)


@contextmanager
def causal_session(database: Database, after: Timestamp | None) -> Iterator[ClientSession | None]:
    """Open a causally consistent session whose reads reflect everything up to the operation time `after`.

    A lagging member of a replica set waits until it has caught up. Yield None for mongomock, which has no sessions.
    https://www.mongodb.com/docs/manual/core/causal-consistency-read-write-concerns/
    """
    with translate_errors():
        opened = nullcontext() if _is_mongomock(database) else database.client.start_session()
        with opened as session:
            if session and after:
                session.advance_operation_time(after)
            yield session


def read_datasets(database: Database, session: ClientSession | None = None) -> dict[str, DatasetDocument]:
    """Return the documents of the data sets by name, without the previous revisions."""
    documents = database[DATASETS].find({}, {"previous": False}, session=session)
    return {document["_id"]: _checked(document) for document in documents}


def read_dataset(database: Database, dataset: str) -> DatasetDocument | None:
    """Return the document of a data set, with the previous revision; None before the first load."""
    document = database[DATASETS].find_one({"_id": dataset})
    return document and _checked(document)


def read_database_id(database: Database, session: ClientSession | None = None) -> str:
    """Return the UUID that the database has from its first load on, "" before that."""
    return (database[IDENTITY].find_one({}, session=session) or {}).get("uuid", "")


def _checked(document: DatasetDocument) -> DatasetDocument:
    """Return a dataset document; NewerLayout, or DatabaseUnavailable if it is not complete or has other types."""
    dataset, layout = document["_id"], document.get("layout", 0)
    if isinstance(layout, int | float) and layout > LAYOUT:
        raise NewerLayout(f"{dataset} was loaded by a newer version of campus-api (layout {layout}): upgrade this one")
    try:
        # Without the last argument, text would do as a time.
        msgspec.convert(document, DatasetDocument, builtin_types=(datetime,))
        if missing := set(COLLECTIONS.get(dataset, ())) - document["collections"].keys():
            raise msgspec.ValidationError(f"it names no collection for {', '.join(sorted(missing))}")
    except msgspec.ValidationError as error:
        advice = f"delete it and load {dataset} again"
        raise DatabaseUnavailable(f"the document of {dataset} in datasets is not valid, {error}: {advice}") from None
    return document


def collection_exists(collection: Collection, session: ClientSession | None = None) -> bool:
    """Return whether a collection exists, by a read with the concern and preference of other reads."""
    if _is_mongomock(collection.database):
        return collection.name in collection.database.list_collection_names()
    try:
        list(collection.aggregate([{"$collStats": {"count": {}}}], session=session))
    except OperationFailure as error:
        if error.code in _NO_COLLECTION:
            return False
        raise
    return True


def _is_mongomock(database: Database) -> bool:
    return not isinstance(database.client, MongoClient)


def _connect(uri: str, release: Callable[[], None], options: Mapping[str, Any]) -> Connection:
    try:
        # The driver only warns of an option that is repeated, or that it drops, such as `tls=True`.
        with warnings.catch_warnings(action="error", category=UserWarning):
            # The hosts of mongodb+srv are looked up by the first query, too: DNS may be down like a database.
            client: MongoClient = MongoClient(uri, appname="campus-api", tz_aware=True, connect=False, **options)
        database = client.get_default_database(_DEFAULT_NAME)
    except UserWarning:
        raise SettingError("mongo.uri: MongoDB's driver would ignore an option, or a value of one.") from None
    except (ConfigurationError, OSError, ValueError):
        # The message of pymongo may quote a part of the password.
        raise SettingError(f"mongo.uri: {_INVALID_URI}.") from None

    def close() -> None:
        client.close()
        release()

    return Connection(database, close)


def _in_memory() -> Connection:
    try:
        import mongomock
    except ImportError:
        raise SettingError("mongo.uri needs the extra 'embedded' for a database in memory.") from None
    client: mongomock.MongoClient = mongomock.MongoClient(tz_aware=True)
    return Connection(client[_DEFAULT_NAME], client.close)
