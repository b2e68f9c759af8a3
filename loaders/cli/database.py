"""The database of the service's ini file, connected for writing, and its clock."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import pymongo
from bson.errors import BSONError
from pymongo.database import Database
from pymongo.errors import PyMongoError

from campus_api import settings
from campus_api.db.connection import DatabaseUnavailable, connect, translate_errors
from campus_api.domain.clock import Clock

OpenDatabase = Callable[[], Database]

_CONNECT_SECONDS = 8
_OPERATION_MS = 30_000


def campus_today(config: str) -> str:
    """Return today's date on the campus as YYYY-MM-DD."""
    values = settings.load(settings.read_ini(config))
    return Clock(values["clock.time_zone"], values["clock.frozen_at"]).today()


@contextmanager
def connected(config: str) -> Iterator[Database]:
    """Open the database of an ini file; SettingError or DatabaseUnavailable if it cannot be used.

    Writes wait for a majority of the replica set; operations time out after 30 seconds.
    """
    values = settings.load(settings.read_ini(config))
    if values["mongo.uri"].startswith("mongomock:"):
        raise settings.SettingError("mongo.uri is a database in memory: everything loaded would be lost at once.")
    connection = connect(values, w="majority", timeoutMS=_OPERATION_MS)
    try:
        with translate_errors():
            with pymongo.timeout(_CONNECT_SECONDS):
                connection.database.client.admin.command("ping")
            yield connection.database
    except (PyMongoError, BSONError) as error:
        # For example a full disk, an account that may not write, a document that is too large.
        raise DatabaseUnavailable(f"it refuses: {error}") from error
    finally:
        connection.close()


@contextmanager
def connected_on_demand(config: str) -> Iterator[OpenDatabase]:
    """Yield a function that opens the database at its first call, as `connected` does."""
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(connected(config)))
