"""Redact credentials in MongoDB URIs."""

import re

REDACTED = "***"
# Lower case: the names of options are case-insensitive.
SAFE_OPTIONS = {"authsource", "directconnection", "readpreference", "replicaset", "ssl", "tls", "tlscafile"}

_URI = re.compile(r"(mongodb(?:\+srv)?://)([^/?]*)(?:/([^?]*))?(?:\?(.*))?", re.DOTALL)


def redact_uri(uri: str) -> str:
    """Return `uri` without credentials and without options that may be secret."""
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
    return f"{redacted}?{'&'.join(map(_redact_option, re.split('[&;]', options)))}" if options else redacted


def _redact_option(option: str) -> str:
    return option if option.partition("=")[0].lower() in SAFE_OPTIONS else REDACTED
