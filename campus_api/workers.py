"""The server that `pserve --server-name granian` starts: processes, each with an application of its own."""

import multiprocessing
import signal
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

import plaster

from campus_api import interpreter, port

_STOP_SECONDS = 20
# A connection on which no whole header comes in this time is closed, an idle one too.
_HEADER_SECONDS = 10
# The loggers are those of the ini file; granian's own goes to them.
_LOGGING = {"incremental": True, "handlers": {}, "loggers": {}}
_ASCII = "".join(map(chr, range(128)))


def serve(app: Any, global_conf: Mapping[str, str], **options: str) -> None:
    """Serve the application of the ini file in `workers` processes until a signal ends this one."""
    # With port 0 each worker would choose one of its own.
    number = port.chosen(global_conf, options.pop("port", "6543"), lowest=1)
    # It has shown that the settings are right; the connections and threads in it would not survive a new process.
    app.registry["datasets"].close()
    multiprocessing.set_start_method("spawn", force=True)
    server = _granian(number, **options)
    server.serve(target_loader=partial(load, global_conf["__file__"], dict(global_conf)), wrap_loader=False)


def load(ini: str, global_conf: Mapping[str, str]) -> Callable:
    """Return the application of an ini file in a worker process, which ends when the one that started it does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    loader = plaster.get_loader(ini, protocols=["wsgi"])
    loader.setup_logging(global_conf)
    app = loader.get_wsgi_app(defaults=global_conf)
    interpreter.serve_well()
    return _encoded(app)


def _granian(number: int, *, host: str = "127.0.0.1", workers: str = "1", threads: str = "4", backlog: str = "1024"):
    try:
        from granian.constants import HTTPModes, Interfaces
        from granian.http import HTTP1Settings
        from granian.server import Server
    except ImportError:
        raise ValueError("This server needs the extra 'granian'.") from None
    return Server(
        "campus-api",
        address=host,
        port=number,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=_HEADER_SECONDS * 1000),
        websockets=False,
        workers=_count("workers", workers),
        blocking_threads=_count("threads", threads),
        backlog=_count("backlog", backlog),
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_SECONDS,
        log_dictconfig=_LOGGING,
    )


def _count(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) > 0):
        raise ValueError(f"{name} {text!r} is not a number from 1 to 99999.")
    return int(text)


def _encoded(app: Callable) -> Callable:
    """Return `app` for queries as people type them: granian leaves `?name=café` as it stands."""

    def encoded(environ, start_response):
        query = environ["QUERY_STRING"]
        if not query.isascii():
            environ["QUERY_STRING"] = quote(query, safe=_ASCII, encoding="latin-1")
        return app(environ, start_response)

    return encoded


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)
