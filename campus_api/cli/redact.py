"""Redact credentials in MongoDB URIs."""

import re

REDACTED = "***"

_URI = re.compile(r"(mongodb(?:\+srv)?://)([^/?]*)(?:/([^?]*))?(?:\?(.*))?", re.DOTALL)


def redact_uri(uri: str) -> str:
    """Return `uri` without credentials and options, which may be secret."""
    if not uri.startswith("mongodb"):
        return uri
    match = _URI.fullmatch(uri)
    # An unescaped password may contain / or ?, so a later @ makes its end uncertain.
    if not match or "@" in uri[match.end(2) :]:
        return REDACTED
    scheme, authority, database, options = match.groups()
    credentials, _, hosts = authority.rpartition("@")
    redacted = f"{scheme}{REDACTED}@{hosts}" if credentials else f"{scheme}{hosts}"
    if database:
        redacted += f"/{database}"
    return f"{redacted}?{REDACTED}" if options else redacted
