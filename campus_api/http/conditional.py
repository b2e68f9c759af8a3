"""Headers that let caches and browsers keep an answer, and ask whether it is still the same."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

from campus_api.http.cache_key import Asked

_NOTHING = re.compile(r"\s*[qQ]=0(\.0*)?\s*")

Headers = list[tuple[str, str]]

# Caches on the way may answer with what is older: for so long while they ask again, for so long when that fails.
_WHILE_REVALIDATING, _IF_ERROR = 60, 86400
# An answer may look different in another version of the service.
_SERVICE = version("campus-api")


def etag(what: Asked, data_version: str) -> str:
    """Return the tag of an answer; weak, for it is that of the compressed form too."""
    said = f"{_SERVICE} {data_version} {what.form} {location(what)}".encode("ascii", "backslashreplace")
    return f'W/"{blake2b(said, digest_size=12).hexdigest()}"'


def validators(what: Asked, tag: str, record: Mapping[str, Any] | None) -> Headers:
    """Return the headers by which an answer of a data set is known again."""
    vary = "Accept, Accept-Encoding" if what.dataset == "buildings" else "Accept-Encoding"
    headers = [("ETag", tag), ("Vary", vary)]
    if record:
        headers.append(("Last-Modified", _http_date(record["loaded_at"])))
    return headers


@lru_cache(maxsize=8)
def _http_date(moment: datetime) -> str:
    return format_datetime(moment.replace(tzinfo=UTC), usegmt=True)


def matches(if_none_match: str, tag: str) -> bool:
    """Tell whether a client has the answer with this tag, whichever kind of tag it names, or `*` for any."""
    opaque = tag.removeprefix("W/")
    return if_none_match == "*" or any(each.strip().removeprefix("W/") == opaque for each in if_none_match.split(","))


def cache_control(max_age: int, ends_in: int | None = None) -> tuple[str, str]:
    """Return for how many seconds caches may keep an answer, which may be of no use after `ends_in` seconds."""
    revalidating, error = _WHILE_REVALIDATING, _IF_ERROR
    if ends_in is not None:
        max_age = min(max_age, ends_in)
        revalidating, error = (min(seconds, ends_in - max_age) for seconds in (revalidating, error))
    text = f"public, max-age={max_age}, stale-while-revalidate={revalidating}, stale-if-error={error}"
    return "Cache-Control", text


def location(what: Asked) -> str:
    """Return the URL of an answer, from the root of the service."""
    query = urlencode(what.parameters, errors="surrogateescape")
    return f"{what.path}?{query}" if query else what.path


def takes_gzip(accept_encoding: str) -> bool:
    """Tell whether a client accepts the compressed form."""
    for coding in accept_encoding.split(","):
        name, _, weight = coding.partition(";")
        if name.strip().lower() in ("gzip", "x-gzip", "*"):
            return not _NOTHING.fullmatch(weight)
    return False
