"""The address of a database without what nobody may see."""

import re

HIDDEN = "***"

_ADDRESS = re.compile(r"(mongodb(?:\+srv)?://)([^/?]*)(?:/([^?]*))?(?:\?(.*))?", re.DOTALL)
_HARMLESS = {"authsource", "directconnection", "readpreference", "replicaset", "ssl", "tls"}


def without_secrets(uri: str) -> str:
    """Return `uri` without its account and without the values of options that may be secret."""
    if not uri.startswith("mongodb"):
        return uri
    match = _ADDRESS.fullmatch(uri)
    # A password that was not escaped may reach as far as the last @.
    if not match or "@" in uri[match.end(2) :]:
        return HIDDEN
    scheme, authority, name, options = match.groups()
    account, _, hosts = authority.rpartition("@")
    shown = f"{scheme}{HIDDEN}@{hosts}" if account else f"{scheme}{hosts}"
    shown += f"/{name}" if name else ""
    return f"{shown}?{'&'.join(map(_option, re.split('[&;]', options)))}" if options else shown


def _option(option: str) -> str:
    return option if option.partition("=")[0].lower() in _HARMLESS else HIDDEN
