"""The port of the service: of the ini file, or of the command line, which wins."""

from collections.abc import Mapping

_HIGHEST = 65535


def chosen(global_conf: Mapping[str, str], port: str, lowest: int = 0) -> int:
    """Return the port number; `http_port=8000` on the command line beats the ini file's `port`."""
    name, given = ("http_port", global_conf["http_port"]) if "http_port" in global_conf else ("port", port)
    if not (given.isascii() and given.isdigit() and len(given) <= 5 and lowest <= int(given) <= _HIGHEST):
        raise ValueError(f"{name} {given!r} is not a port number from {lowest} to {_HIGHEST}.")
    return int(given)
