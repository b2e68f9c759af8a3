"""The measured servers: the service in several configurations, and its peers."""

import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import nginx
from bench.processes import ROOT, serving

WAITRESS = "campus-waitress"
UNCACHED = "campus-waitress-uncached"
GRANIAN = "campus-granian"
NGINX_CACHE = "campus-nginx-cache"
NGINX_FILES = "nginx-files"
NGINX_OPEN_FILES = "nginx-open-files"
FASTAPI = "fastapi"
FASTAPI_CACHED = "fastapi-cached"
EVE = "eve"

_BIN = Path(sys.executable).parent
_UVICORN = ("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning")
_GRANIAN = ("--interface", "wsgi", "--http", "1", "--no-ws", "--blocking-threads", "1", "--backlog", "2048")
_SETTINGS = {UNCACHED: {"CAMPUS_CACHE_MEMORY_MB": "0"}, GRANIAN: {"CAMPUS_INI": str(ROOT / "production.ini")}}


@dataclass
class Environment:
    """The resources of the servers: a folder, the database, bodies as files, and the host:port of the upstream."""

    folder: Path
    uri: str
    bodies: Path
    file_names: Mapping[str, str]
    upstream: str = ""


Command = Callable[[Environment, Path, int], list[str | Path]]


def _pserve(*options: str) -> Command:
    return lambda environment, folder, port: [_BIN / "pserve", *options, ROOT / "production.ini", f"http_port={port}"]


def _uvicorn(app: str) -> Command:
    name = f"bench.peers.fastapi_app:{app}"
    return lambda environment, folder, port: [_BIN / "uvicorn", name, "--port", f"{port}", *_UVICORN]


def _granian(environment: Environment, folder: Path, port: int) -> list[str | Path]:
    return [_BIN / "granian", *_GRANIAN, "--port", f"{port}", "campus_api.wsgi:app"]


def _eve(environment: Environment, folder: Path, port: int) -> list[str | Path]:
    return [_BIN / "waitress-serve", f"--listen=127.0.0.1:{port}", "--threads=4", "bench.peers.eve_app:app"]


def _nginx_files(*, open_file_cache: bool) -> Command:
    return lambda environment, folder, port: nginx.files(
        folder, port, environment.file_names, environment.bodies, open_file_cache=open_file_cache
    )


COMMANDS: Mapping[str, Command] = {
    WAITRESS: _pserve(),
    UNCACHED: _pserve(),
    GRANIAN: _granian,
    NGINX_CACHE: lambda environment, folder, port: nginx.cache(folder, port, environment.upstream),
    NGINX_FILES: _nginx_files(open_file_cache=False),
    NGINX_OPEN_FILES: _nginx_files(open_file_cache=True),
    FASTAPI: _uvicorn("app"),
    FASTAPI_CACHED: _uvicorn("cached_app"),
    EVE: _eve,
}


@contextmanager
def run_server(name: str, environment: Environment) -> Iterator[str]:
    """Run a server on a free port and yield its URL; ServerUnavailable if it does not start."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = COMMANDS[name](environment, environment.folder / name, port)
    with serving(command, environment.uri, _SETTINGS.get(name, {}), url, environment.folder / f"{name}.log"):
        yield url


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
