"""python -m bench.throughput: measure HTTP throughput and latency relative to other servers."""

import os
import platform
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from bench import comparison, exports, processes, thresholds
from bench.mongod import run_mongod
from bench.requests import NAMES, requests
from bench.servers import COMMANDS, Environment
from bench.table import HEAD, as_markdown, as_text

_BUILDINGS = 1000
_DAYS = 120
_ROWS_A_DAY = 1500
_RECIPES = 8000
_CORNERS = range(10, 41)
_PACKAGES = ("pyramid", "waitress", "granian", "fastapi", "uvicorn", "eve", "pymongo")


@click.command()
@click.option("--buildings", default=_BUILDINGS, show_default=True, type=click.IntRange(2), help="Number of buildings.")
@click.option("--days", default=_DAYS, show_default=True, type=click.IntRange(1), help="Number of days with menus.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="Number of rounds.")
@click.option("--seconds", default=1, show_default=True, type=click.IntRange(1), help="Seconds for each request.")
@click.option(
    "--only",
    "only_servers",
    multiple=True,
    type=click.Choice(list(COMMANDS)),
    help="Only this server; repeatable.",
)
@click.option(
    "--request", "only_requests", multiple=True, type=click.Choice(NAMES), help="Only this request; repeatable."
)
@click.option("--write", type=click.Path(path_type=Path), help="Also write the tables as Markdown to this file.")
def main(
    buildings: int,
    days: int,
    rounds: int,
    seconds: int,
    only_servers: tuple[str, ...],
    only_requests: tuple[str, ...],
    write: Path | None,
) -> None:
    """Measure HTTP throughput relative to other servers; requires wrk, and nginx for some of the servers.

    The exit status is 1 if a threshold is missed or could not be measured. Thresholds apply to all servers and requests
    with the default data; otherwise they are shown but not checked.
    """
    if shutil.which("wrk") is None:
        raise click.ClickException("wrk is not on the PATH")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    all_requests = requests(buildings, days)
    measured = [request for request in all_requests if not only_requests or request.name in only_requests]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="campus-bench-")))
        mongod = stack.enter_context(run_mongod(folder / "mongo"))
        environment = _load(folder, f"{mongod.uri}/campus", buildings, days)
        urls, unavailable = comparison.start(stack, environment, all_requests, only_servers)
        figures = comparison.measure(urls, measured, rounds, seconds)
        description = _describe(mongod.client.server_info()["version"], buildings, days, rounds)
    at_full_size = (buildings, days, only_servers, only_requests) == (_BUILDINGS, _DAYS, (), ())
    rows = thresholds.rows(figures)
    tables = [("Thresholds", HEAD, [row.cells(at_full_size=at_full_size) for row in rows])]
    tables += thresholds.tables(figures, list(urls), unavailable, [request.name for request in measured])
    _print(description, tables, write)
    if at_full_size and not all(row.is_met for row in rows):
        sys.exit(1)


def _load(folder: Path, uri: str, buildings: int, days: int) -> Environment:
    """Load synthetic data with campus-load."""
    click.echo("loading", err=True)
    exports.write_buildings(folder / "buildings.geojson", buildings, corners=_CORNERS)
    exports.write_menus(folder / "menus.csv", days, rows_a_day=_ROWS_A_DAY, recipes=_RECIPES)
    exports.write_menus(folder / "first_day.csv", 1, rows_a_day=_ROWS_A_DAY, recipes=_RECIPES, with_facts=True)
    processes.campus_load("buildings", folder / "buildings.geojson", uri)
    processes.campus_load("dining", folder / "menus.csv", uri)
    processes.campus_load("dining", folder / "first_day.csv", uri)
    bodies = folder / "bodies"
    bodies.mkdir()
    file_names = {request.path: f"{number}.json" for number, request in enumerate(requests(buildings, days))}
    return Environment(folder, uri, bodies, file_names)


def _describe(mongod: str, buildings: int, days: int, rounds: int) -> str:
    return (
        f"{date.today()}: {platform.machine()}, {os.cpu_count()} CPUs, shared by wrk, the server and MongoDB; "
        f"Python {platform.python_version()}, MongoDB {mongod}, {', '.join(_versions())}\n\n"
        f"{buildings} buildings with footprints of {_CORNERS[0]} to {_CORNERS[-1]} corners, {days} days of menus with "
        f"{_ROWS_A_DAY} rows each and {_RECIPES} recipes, in one MongoDB. Each server has one process (nginx: one "
        f"worker); all of them run at the same time and are measured in turn over 127.0.0.1. Medians of {rounds} "
        "rounds; ratios are calculated within a round. All servers return the same bytes, without gzip; Eve has its "
        "own format."
    )


def _versions() -> Iterator[str]:
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            yield f"{package} {version(package)}"


def _print(description: str, tables: list[thresholds.Table], write: Path | None) -> None:
    """Print the tables, and optionally write them as Markdown."""
    click.echo("\n\n".join([description, *(f"{title}\n\n{as_text(rows, head)}" for title, head, rows in tables)]))
    if write:
        parts = [f"## {title}\n\n{as_markdown(rows, head)}" for title, head, rows in tables]
        write.write_text("\n\n".join(["# HTTP throughput", description, *parts]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
