"""The database of the service's settings, connected for writing, and its clock."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pymongo
from pymongo.database import Database

from campus_api import settings
from campus_api.db.connection import connect
from campus_api.db.errors import translate_errors
from campus_api.domain.clock import Clock

OpenDatabase = Callable[[], Database]

_DEFAULT_INI = "development.ini"
_VARIABLES = {"CAMPUS_MONGO_URI", "CAMPUS_MONGO_URI_FILE"}
_CONNECT_SECONDS = 8
_OPERATION_MS = 30_000


def campus_clock(config: str | None) -> Clock:
    """Return the clock of the service."""
    values = _read_settings(config)
    return Clock(values["clock.time_zone"], values["clock.frozen_at"])


@contextmanager
def connected(config: str | None) -> Iterator[Database]:
    """Open the database of an ini file or the environment; SettingError or DatabaseUnavailable if it cannot be used.

    Writes wait for a majority of the replica set; operations time out after 30 seconds.
    """
    values = _read_settings(config)
    if values["mongo.uri"].startswith("mongomock:"):
        raise settings.SettingError("mongo.uri is a database in memory: everything loaded would be lost at once.")
    connection = connect(values, w="majority", timeoutMS=_OPERATION_MS)
    try:
        with translate_errors():
            with pymongo.timeout(_CONNECT_SECONDS):
                connection.database.client.admin.command("ping")
            yield connection.database
    finally:
        connection.close()


@contextmanager
def connected_on_demand(config: str | None) -> Iterator[OpenDatabase]:
    """Yield a function that opens the database at its first call, as `connected` does."""
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(connected(config)))


def is_configured() -> bool:
    """Return whether the environment names a database."""
    return not _VARIABLES.isdisjoint(os.environ)


def _read_settings(config: str | None) -> dict[str, Any]:
    """Return the settings of an ini file, or of the environment alone if there is no ini file."""
    if config is not None or Path(_DEFAULT_INI).exists():
        return settings.load(settings.read_ini(_DEFAULT_INI if config is None else config))
    if not is_configured():
        hint = "name the ini file with --config, or set CAMPUS_MONGO_URI"
        raise settings.SettingError(f"There is no {_DEFAULT_INI} here: {hint}")
    return settings.load({})
