"""The server that `pserve` starts: waitress, on a port that the command line may choose."""

from collections.abc import Callable, Mapping
from typing import Any

import waitress

_HIGHEST_PORT = 65535


def serve(app: Callable, global_conf: Mapping[str, str], *, port: str = "6543", **options: Any) -> None:
    """Serve `app` until the process ends; `http_port=8000` on the command line beats the ini file's `port`."""
    name, given = ("http_port", global_conf["http_port"]) if "http_port" in global_conf else ("port", port)
    if not (given.isascii() and given.isdigit() and len(given) <= 5 and int(given) <= _HIGHEST_PORT):
        raise ValueError(f"{name} {given!r} is not a port number from 0 to {_HIGHEST_PORT}.")
    waitress.serve(app, port=given, **options)
