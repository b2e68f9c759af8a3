"""The id of a request: the client's or a new one, on its answer and on every log line that is made meanwhile."""

import logging
import os
import re
import secrets
import textwrap
from collections.abc import Mapping
from contextvars import ContextVar
from itertools import count
from typing import Any

HEADER = "X-Request-Id"

# What ends a line, or moves the cursor of a terminal.
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")

# What a server logs about an answer while it sends it belongs to the request too: an id stays until its thread begins
# with another request.
current: ContextVar[str] = ContextVar("request_id")


class _Ids:
    """Ids that no other process makes: a text by chance, and a number."""

    def __init__(self) -> None:
        self._start()
        os.register_at_fork(after_in_child=self._start)

    def _start(self) -> None:
        self.prefix = f"{secrets.token_hex(8)}-"
        self.numbers = count(1)


_ids = _Ids()


def begin(environ: Mapping[str, Any]) -> str:
    """Return the id of the request that begins, the client's when it is well formed; it is `current` from now on."""
    request_id = environ.get("HTTP_X_REQUEST_ID")
    if not request_id or not _WELL_FORMED.fullmatch(request_id):
        request_id = f"{_ids.prefix}{next(_ids.numbers)}"
    current.set(request_id)
    return request_id


class Record(logging.LogRecord):
    """A log record that carries the id of the request being answered, as its attribute `request_id`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        request_id = current.get(None)
        if request_id is not None:
            self.request_id = request_id


class ReadableFormatter(logging.Formatter):
    """Text for people: one line for a record, with the id of its request at the end; a traceback is indented below it.

    No text of a client can look like another record: waitress logs decoded paths, in which %0a is a line break.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name that logging calls
        """Return the line of a record."""
        line = _CONTROL_CHARACTER.sub(_escaped, super().formatMessage(record))
        request_id = getattr(record, "request_id", None)
        return f"{line} [{request_id}]" if request_id else line

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name that logging calls
        """Return a traceback, indented."""
        return textwrap.indent(super().formatException(ei), "  ")


def _escaped(character: re.Match[str]) -> str:
    return repr(character[0])[1:-1]
