"""Request ids: in the response header, and on every log line of the request."""

import logging
import re
import textwrap
from collections.abc import Mapping
from contextvars import ContextVar
from random import getrandbits
from time import gmtime
from typing import Any

from pythonjsonlogger.json import JsonFormatter

HEADER = "X-Request-Id"

# Characters that end a line or move the cursor of a terminal.
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")

# Not reset after a request: the server may log something while it sends the response. Empty in the polling thread.
request_id_var: ContextVar[str] = ContextVar("request_id", default="")


def bind_request_id(environ: Mapping[str, Any]) -> str:
    """Return the client's request id if it is well formed, else a new one, and set `request_id_var`."""
    request_id = environ.get("HTTP_X_REQUEST_ID") or ""
    if not _WELL_FORMED.fullmatch(request_id):
        request_id = f"{getrandbits(96):024x}"
    request_id_var.set(request_id)
    return request_id


class RequestIdLogRecord(logging.LogRecord):
    """A log record with the attribute `request_id`, if a request is being served."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if request_id := request_id_var.get():
            self.request_id = request_id


class _UtcTimes(logging.Formatter):
    """Formats times as in RFC 3339, in UTC."""

    converter = staticmethod(gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"


class JsonLines(_UtcTimes, JsonFormatter):
    """A JSON object per record."""


class ReadableFormatter(_UtcTimes):
    """Readable text: a line per record that ends with the request id; tracebacks are indented.

    Control characters are escaped, so that clients cannot forge lines: waitress logs decoded paths (`%0a`).
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name that logging calls
        """Return the line of a record."""
        line = _CONTROL_CHARACTER.sub(lambda match: repr(match[0])[1:-1], super().formatMessage(record))
        request_id = getattr(record, "request_id", None)
        return f"{line} [{request_id}]" if request_id else line

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name that logging calls
        """Return a traceback, indented."""
        return textwrap.indent(super().formatException(ei), "  ")
