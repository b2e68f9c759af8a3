"""Errors of MongoDB: what the driver raises, translated into what callers distinguish."""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from bson.errors import BSONError
from pymongo import errors

# MongoDB repeats the command, with the values of a query and the ID of a session: its name and collection suffice.
_COMMAND = re.compile(r"(?<=to execute command) \{ (\w+: [^ ,]+),? .*", re.DOTALL)
_DRIVER_DETAILS = re.compile(r" \(configured timeouts: [^)]*\)|, Timeout: .*|, full error: .*", re.DOTALL)


class DatabaseUnavailable(Exception):
    """MongoDB cannot be reached."""


class NewerLayout(DatabaseUnavailable):
    """A data set was loaded by a newer version, whose documents this one may not understand."""


class QueryFailed(DatabaseUnavailable):
    """MongoDB refuses a query; the message of a snapshot begins with the collection: "menus: "."""


class QueryTimeout(QueryFailed):
    """A query exceeded its time limit: it is expensive, or MongoDB does not respond."""


@contextmanager
def translate_errors() -> Iterator[None]:
    """Translate every error of the driver: QueryTimeout, QueryFailed, or DatabaseUnavailable for the connection."""
    try:
        yield
    except (errors.ExecutionTimeout, errors.NetworkTimeout) as error:
        raise QueryTimeout(_message(error)) from error
    except BSONError as error:
        raise QueryFailed(f"a document cannot be decoded: {error}") from error
    except errors.PyMongoError as error:
        # ConfigurationError: the hosts of mongodb+srv are not known, or MongoDB is too old for the driver.
        if isinstance(error, errors.ConnectionFailure | errors.ConfigurationError) or error.timeout:
            raise DatabaseUnavailable(_message(error)) from error
        raise QueryFailed(f"MongoDB refuses this: {_message(error)}") from error
    except Exception as error:
        if not _is_of_driver(error):
            raise
        raise QueryFailed(f"a reply cannot be decoded: {type(error).__name__}: {error}") from error


def _is_of_driver(error: Exception) -> bool:
    """Return whether an error was raised in pymongo, where garbled replies are errors of any type, such as KeyError."""
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_globals.get("__name__", "").startswith("pymongo") for frame, _ in frames)


def _message(error: errors.PyMongoError) -> str:
    if isinstance(error, errors.BulkWriteError):
        # Its own message has no reason before the details.
        details = error.details
        reasons = [*details.get("writeErrors", ()), *details.get("writeConcernErrors", ())]
        return reasons[0]["errmsg"] if reasons else "a bulk write failed"
    return _COMMAND.sub(r" \1", _DRIVER_DETAILS.sub("", str(error)))
