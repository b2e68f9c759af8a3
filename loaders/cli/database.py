"""The database that loads write to: the one of the service's ini file, for long and safe writes."""

from collections.abc import Iterator
from contextlib import contextmanager

import pymongo
from bson.errors import BSONError
from pymongo.database import Database
from pymongo.errors import PyMongoError

from campus_api import database, ini_file, settings

_REACHABLE_SECONDS = 8
_OPERATION_MS = 30_000


@contextmanager
def connected(config: str) -> Iterator[Database]:
    """Open the database of an ini file; SettingError or DatabaseUnavailable when it cannot be used.

    What is written is on most members of a replica set, and no operation takes longer than 30 seconds.
    """
    values = settings.read(ini_file.read(config))
    if values["mongo.uri"].startswith("mongomock:"):
        raise settings.SettingError("mongo.uri is a database in memory: nothing that is loaded would be kept.")
    connection = database.connect(values, w="majority", timeoutMS=_OPERATION_MS)
    try:
        with database.available():
            with pymongo.timeout(_REACHABLE_SECONDS):
                connection.database.client.admin.command("ping")
            yield connection.database
    except (PyMongoError, BSONError) as error:
        # Such as a full disk, an account that may not write, a document that is too large.
        raise database.DatabaseUnavailable(f"it refuses: {error}") from error
    finally:
        connection.close()
