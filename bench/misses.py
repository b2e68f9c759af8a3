"""python -m bench.misses: measure the CPU time of responses that are not cached, per request and per byte sent."""

import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import click

from bench import synthetic_data
from bench.mongod import MongoServer, run_mongod
from bench.processes import ROOT, serving
from bench.servers import free_port
from bench.table import as_markdown, as_text

_HEAD = ("request", "bytes", "MB sent", "CPU of the service", "CPU of MongoDB", "ns per byte sent")
# More days would have more menu rows than a response may have.
_BUILDINGS, _DAYS = 200_000, 230
# CSV costs at most twice what JSON of the same rows costs, dishes half as much again as the menu of their day.
_MAX_CSV_RATIO, _MAX_DISHES_RATIO = 2, 1.5
# The clock of a process has ticks of 10 ms.
_REPEATED, _REPEATS = "of a day", 40
_SETTINGS = {
    "CAMPUS_CACHE_MEMORY_MB": "0",
    "CAMPUS_CLOCK_FROZEN_AT": f"{synthetic_data.day(0)}T12:00:00-05:00",
    "CAMPUS_MONGO_TIMEOUT_MS": "60000",
}
_DESCRIPTION = (
    "{buildings:,} buildings, {days:,} days of 650 to 1,500 menu rows. One process of waitress without a cache; minima "
    "of {rounds} rounds."
)


@dataclass(frozen=True)
class _Figures:
    """The CPU seconds of the service and of mongod for a request, and the bytes sent."""

    service: float
    mongod: float
    sent: int

    def cells(self, name: str, target: str) -> tuple[str, ...]:
        """Return the cells of the row of a request."""
        cpu = f"{self.service * 1000:.1f} ms", f"{self.mongod * 1000:.1f} ms"
        total = self.service + self.mongod
        return name, str(len(target)), f"{self.sent / 1e6:.2f}", *cpu, f"{total / self.sent * 1e9:.0f}"


@click.command()
@click.option("--buildings", default=_BUILDINGS, show_default=True, help="Number of buildings.")
@click.option("--days", default=_DAYS, show_default=True, help="Number of days with menus.")
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1), help="Number of rounds.")
@click.option("--write", type=click.Path(path_type=Path), help="Also write the table as Markdown to this file.")
def main(buildings: int, days: int, rounds: int, write: Path | None) -> None:
    """Measure the CPU time of requests that no cache can serve, the dearest first.

    The exit status is the number of responses that cost too much, with the default numbers of buildings and days.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    targets = _targets(days)
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as folder, run_mongod(Path(folder) / "mongo") as server:
        click.echo("filling the database", err=True)
        synthetic_data.load_buildings(server.client["misses"], buildings)
        synthetic_data.insert_menus(server.client["misses"], days)
        click.echo("measuring", err=True)
        figures = _measure(server, targets, rounds, Path(folder) / "pserve.log")
        description = f"{server.description}\n{_DESCRIPTION.format(buildings=buildings, days=days, rounds=rounds)}"
    dearest_first = sorted(figures, key=lambda name: -(figures[name].service + figures[name].mongod))
    rows = [figures[name].cells(name, targets[name]) for name in dearest_first]
    click.echo(f"{description}\n\n{as_text(rows, _HEAD)}")
    if write:
        write.write_text(f"{description}\n\n{as_markdown(rows, _HEAD)}\n", encoding="utf-8")
    is_full_size = (buildings, days) == (_BUILDINGS, _DAYS)
    sys.exit(is_full_size and _missed_ratios(figures))


def _missed_ratios(figures: Mapping[str, _Figures]) -> int:
    """Print the CPU time of CSV relative to JSON, and of dishes to menus; return how many ratios are too high."""
    limits = {(name, name.removesuffix(", CSV")): _MAX_CSV_RATIO for name in figures if name.endswith(", CSV")}
    limits["dishes of a day, ten halls each", "menu of a day, ten halls each"] = _MAX_DISHES_RATIO
    missed = 0
    for (name, other), limit in limits.items():
        ratio = figures[name].service / (figures[other].service or inf)
        click.echo(f"{name}: {ratio:.2f} times {other}, at most {limit}")
        missed += ratio > limit
    return missed


def _targets(days: int) -> dict[str, str]:
    """Return the measured request targets by name; those that end with "gzipped" are requested with gzip."""
    dates = urlencode({"date": [synthetic_data.day(number) for number in range(days)]}, doseq=True)
    return {
        "all buildings": "/map/buildings",
        "all buildings, gzipped": "/map/buildings",
        "buildings with a letter": "/map/buildings?name=e",
        "buildings with a letter, GeoJSON": "/map/buildings.geojson?name=e",
        "buildings with a letter, CSV": "/map/buildings.csv?name=e",
        "20 buildings with two letters": "/map/buildings?name=zq",
        "20 buildings with a word": "/map/buildings?name=wigglesworth",
        "menus of all days": f"/dining/menus?{dates}",
        "menus of all days, CSV": f"/dining/menus.csv?{dates}",
        "lunches of all days": f"/dining/menus?meal=1&{dates}",
        "calendar": "/dining/menus.ics",
        "calendar of lunches": "/dining/menus.ics?meal=1",
        "menu of a day": f"/dining/menus?date={synthetic_data.day(1)}",
        "menu of a day, ten halls each": f"/dining/menus?date={synthetic_data.DAY_IN_HALLS}",
        "dishes of a day": f"/dining/dishes?date={synthetic_data.day(1)}",
        "dishes of a day, ten halls each": f"/dining/dishes?date={synthetic_data.DAY_IN_HALLS}",
        "vegan dishes of a day": f"/dining/dishes?label=vegan&date={synthetic_data.day(1)}",
        "dishes of a day without milk": f"/dining/dishes?without=milk&date={synthetic_data.day(1)}",
        "all recipes": "/dining/recipes",
        "all facts": "/dining/facts",
        "all facts, CSV": "/dining/recipes.csv",
    }


def _measure(server: MongoServer, targets: Mapping[str, str], rounds: int, log: Path) -> dict[str, _Figures]:
    """Return the minimum CPU times of all rounds by name."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [Path(sys.executable).with_name("pserve"), ROOT / "production.ini", f"http_port={port}"]
    figures: dict[str, list[_Figures]] = {name: [] for name in targets}
    with serving(command, f"{server.uri}/misses", _SETTINGS, url, log) as process:
        for _ in range(rounds):
            for name, target in targets.items():
                headers = {"Accept-Encoding": "gzip"} if name.endswith("gzipped") else {}
                request = Request(f"{url}{target}", headers=headers)
                repeats = _REPEATS if _REPEATED in name else 1
                figures[name].append(_fetch(request, process.pid, server, repeats))
    return {
        name: _Figures(min(each.service for each in values), min(each.mongod for each in values), values[0].sent)
        for name, values in figures.items()
    }


def _fetch(request: Request, pid: int, server: MongoServer, repeats: int) -> _Figures:
    """Return the figures of one of several equal requests."""
    service, mongod = _cpu_seconds(pid), _mongod_seconds(server)
    for _ in range(repeats):
        with urlopen(request) as response:
            sent = sum(map(len, iter(lambda: response.read(1 << 20), b"")))
    cpu = _cpu_seconds(pid) - service, _mongod_seconds(server) - mongod
    return _Figures(cpu[0] / repeats, cpu[1] / repeats, sent)


def _cpu_seconds(pid: int) -> float:
    """Return the user and system time of a process, from Linux's /proc/PID/stat."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _mongod_seconds(server: MongoServer) -> float:
    info = server.client.admin.command("serverStatus")["extra_info"]
    return (info["user_time_us"] + info["system_time_us"]) / 1e6


if __name__ == "__main__":
    main()
