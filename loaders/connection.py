"""The database that loads write to: the one of the service's ini file, for long and safe writes."""

from collections.abc import Iterator
from configparser import Error as ConfigParserError
from contextlib import contextmanager
from typing import Any

import pymongo
from bson.errors import BSONError
from plaster.exceptions import PlasterError
from pymongo.database import Database
from pymongo.errors import PyMongoError
from pyramid.paster import get_appsettings

from campus_api import database, settings

_REACHABLE_SECONDS = 8
_OPERATION_MS = 30_000


@contextmanager
def connected(config: str) -> Iterator[Database]:
    """Open the database of an ini file; SettingError or DatabaseUnavailable when it cannot be used.

    What is written is on most members of a replica set, and no operation takes longer than 30 seconds.
    """
    values = _settings(config)
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


def _settings(config: str) -> dict[str, Any]:
    try:
        return settings.read(get_appsettings(config))
    except (ConfigParserError, UnicodeDecodeError):
        # What the parser says quotes the line, which may hold a password.
        raise settings.SettingError(
            f"{config} is not an ini file of the service: it cannot be parsed (is a % written %%?)"
        ) from None
    except (OSError, LookupError, ImportError, PlasterError) as error:
        raise settings.SettingError(f"{config} is not an ini file of the service: {error}") from error
