"""Access log: a line for each request."""

import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

_MAX_LENGTH = 1000
_SAFE_IN_QUERY = "/?%&=+:;,@!$'()*[]|"

log = logging.getLogger("campus_api.access")


def log_request(environ: Mapping[str, Any], status: int, size: int, seconds: float) -> None:
    """Log a request, and the status, the size in bytes and the duration of its response."""
    fields = {
        "method": environ["REQUEST_METHOD"],
        "path": _printable(environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", ""), "/"),
        "query": _printable(environ.get("QUERY_STRING", ""), _SAFE_IN_QUERY),
        "status": status,
        "bytes": size,
        "duration_ms": round(seconds * 1000, 3),
        "user_agent": environ.get("HTTP_USER_AGENT", "")[:_MAX_LENGTH],
    }
    url = f"{fields['path']}?{fields['query']}" if fields["query"] else fields["path"]
    log.info("%s %s: %s, %s bytes in %s ms", fields["method"], url, status, size, fields["duration_ms"], extra=fields)


def _printable(text: str, safe: str) -> str:
    """Return a part of a URL, percent-encoded so that it cannot break the line, and truncated."""
    encoded = quote(text[:_MAX_LENGTH], safe, "latin-1", "replace")
    return encoded if len(text) <= _MAX_LENGTH else f"{encoded}…"
