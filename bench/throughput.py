"""python -m bench.throughput: measure HTTP throughput relative to FastAPI, with and without the response cache."""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from bench import exports, report
from bench.processes import BIN, ROOT, campus_load, fetch, free_port, run_mongod, serving

_PEER = "FastAPI"
_SERVERS = ("waitress", "granian", _PEER)
_HEAD = ("response", "server", "warm", "cold", f"warm / {_PEER}", f"cold / {_PEER}")
_GRANIAN = ("--interface", "wsgi", "--http", "1", "--no-ws", "--blocking-threads", "1", "--backlog", "2048")
_TEMPERATURES = {"warm": {}, "cold": {"CAMPUS_CACHE_MEMORY_MB": "0"}}
_INI = str(ROOT / "production.ini")
_CONNECTIONS = 16
_MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}

# Response, server and temperature.
Key = tuple[str, str, str]


class Figure(NamedTuple):
    """Requests per second, and the 99th percentile of latency in milliseconds."""

    rate: float
    p99: float


@click.command()
@click.option("--buildings", default=1000, show_default=True, type=click.IntRange(1), help="Number of buildings.")
@click.option("--days", default=120, show_default=True, type=click.IntRange(1), help="Number of days with menus.")
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1), help="Number of rounds.")
@click.option("--seconds", default=2, show_default=True, type=click.IntRange(1), help="Seconds for each figure.")
def main(buildings: int, days: int, rounds: int, seconds: int) -> None:
    """Measure throughput relative to a peer in FastAPI, and print a table as Markdown; requires wrk."""
    if shutil.which("wrk") is None:
        raise click.ClickException("wrk is not on the PATH")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    paths = {
        "a building": f"/map/buildings/{buildings}",
        f"a day of {exports.ROWS_A_DAY} menu rows": f"/dining/menus?date={exports.FIRST_DAY}",
        "a search of buildings": "/map/buildings?name=garden+h",
        "all recipes": "/dining/recipes",
        f"all {buildings:,} buildings": "/map/buildings",
    }
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="campus-bench-")))
        uri = f"{stack.enter_context(run_mongod(folder / 'mongo'))}/campus"
        _load(folder, uri, buildings, days)
        urls = {key: stack.enter_context(server) for key, server in _servers(folder, uri)}
        figures = _measure(urls, paths, rounds, seconds)
    rows = [_row(response, server, figures) for response in paths for server in _SERVERS]
    print(f"{report.environment()}\n\n{report.table(_HEAD, rows)}")


def _load(folder: Path, uri: str, buildings: int, days: int) -> None:
    exports.write_buildings(folder / "buildings.geojson", buildings)
    exports.write_menus(folder / "menus.csv", days)
    campus_load("buildings", folder / "buildings.geojson", uri)
    campus_load("dining", folder / "menus.csv", uri)


def _servers(folder: Path, uri: str) -> Iterator[tuple[tuple[str, str], AbstractContextManager[str]]]:
    """Yield the context in which each server runs, with one process, by its name and temperature."""
    for temperature, settings in _TEMPERATURES.items():
        for name in _SERVERS:
            port = free_port()
            commands = {
                "waitress": [str(BIN / "pserve"), _INI, f"http_port={port}"],
                "granian": [str(BIN / "granian"), *_GRANIAN, "--port", str(port), "campus_api.wsgi:app"],
                _PEER: [str(BIN / "uvicorn"), "--no-access-log", "--port", str(port), "bench.peer:app"],
            }
            environment = {"CAMPUS_INI": _INI, "CAMPUS_MONGO_URI": uri, **settings}
            log = folder / f"{name}-{temperature}.log"
            yield (name, temperature), serving(commands[name], port, environment, log)


def _measure(
    urls: Mapping[tuple[str, str], str], paths: Mapping[str, str], rounds: int, seconds: int
) -> Mapping[Key, list[Figure]]:
    figures: defaultdict[Key, list[Figure]] = defaultdict(list)
    for _ in range(rounds):
        for response, path in paths.items():
            if len({fetch(url + path) for url in urls.values()}) > 1:
                raise click.ClickException(f"the responses of {path} differ")
            for key, url in urls.items():
                figures[response, *key].append(_wrk(url + path, seconds))
    return figures


def _wrk(url: str, seconds: int) -> Figure:
    """Run wrk; a single failed request ends the benchmark."""
    command = ["wrk", "--threads", "1", "--connections", str(_CONNECTIONS), "--duration", f"{seconds}s", "--latency"]
    output = subprocess.run([*command, "--timeout", "60s", url], capture_output=True, text=True).stdout
    rate = re.search(r"Requests/sec: +([0-9.]+)", output)
    p99 = re.search(r" 99% +([0-9.]+)(us|ms|s|m)\s", output)
    if rate is None or p99 is None or "Socket errors" in output or "Non-2xx" in output:
        raise click.ClickException(f"{url}\n{output}")
    return Figure(float(rate[1]), float(p99[1]) * _MILLISECONDS[p99[2]])


def _row(response: str, server: str, figures: Mapping[Key, list[Figure]]) -> tuple[str, ...]:
    warm, cold = (figures[response, server, temperature] for temperature in _TEMPERATURES)
    ratios = [
        report.ratio(*([figure.rate for figure in figures[response, each, temperature]] for each in (server, _PEER)))
        for temperature in _TEMPERATURES
    ]
    return response, server, _cell(warm), _cell(cold), *ratios


def _cell(figures: list[Figure]) -> str:
    rate, p99 = (median(values) for values in zip(*figures, strict=True))
    return f"{rate:,.0f}/s, p99 {p99:.0f} ms"


if __name__ == "__main__":
    main()
