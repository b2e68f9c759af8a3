"""The servers that are measured: ours in several ways, and what others would use."""

import re
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import nginx
from bench.processes import ROOT, serving

WAITRESS, COLD, GRANIAN, CACHE = "ours-waitress", "ours-waitress-cold", "ours-granian", "ours-nginx-cache"
FILES, OPEN_FILES = "nginx-files", "nginx-open-files"
FASTAPI, KEPT, EVE = "fastapi", "fastapi-kept", "eve"

_BIN = Path(sys.executable).parent
_UVICORN = ("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning")
_NOTHING_KEPT = {"CAMPUS_ANSWERS_MEMORY_MB": "0"}


@dataclass
class Place:
    """What servers need: a folder, the database, answers as files by path, and the host:port of ours on waitress."""

    folder: Path
    uri: str
    bodies: Path
    names: Mapping[str, str]
    upstream: str = ""


Command = Callable[[Place, Path, int], list]


def _pserve(*options: str) -> Command:
    return lambda place, folder, port: [_BIN / "pserve", *options, ROOT / "production.ini", f"http_port={port}"]


def _uvicorn(app: str) -> Command:
    name = f"bench.peers.fastapi_app:{app}"
    return lambda place, folder, port: [_BIN / "uvicorn", name, "--port", f"{port}", *_UVICORN]


def _one_worker(place: Place, folder: Path, port: int) -> list:
    text = (ROOT / "production.ini").read_text(encoding="utf-8")
    ini = folder.with_suffix(".ini")
    ini.write_text(re.sub("(?m)^workers = .*", "workers = 1", text), encoding="utf-8")
    return [_BIN / "pserve", "--server-name", "granian", ini, f"http_port={port}"]


def _eve(place: Place, folder: Path, port: int) -> list:
    return [_BIN / "waitress-serve", f"--listen=127.0.0.1:{port}", "--threads=4", "bench.peers.eve_app:app"]


COMMANDS: Mapping[str, Command] = {
    WAITRESS: _pserve(),
    COLD: _pserve(),
    GRANIAN: _one_worker,
    CACHE: lambda place, folder, port: nginx.cache(folder, port, place.upstream),
    FILES: lambda place, folder, port: nginx.files(folder, port, place.names, place.bodies, opened=False),
    OPEN_FILES: lambda place, folder, port: nginx.files(folder, port, place.names, place.bodies, opened=True),
    FASTAPI: _uvicorn("app"),
    KEPT: _uvicorn("kept"),
    EVE: _eve,
}


@contextmanager
def started(name: str, place: Place) -> Iterator[str]:
    """Start a server on a free port and yield its URL; Unavailable when it cannot be started."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    command = COMMANDS[name](place, place.folder / name, port)
    settings = _NOTHING_KEPT if name == COLD else {}
    with serving(command, place.uri, settings, url, place.folder / f"{name}.log"):
        yield url


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
