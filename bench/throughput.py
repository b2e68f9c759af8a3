"""python -m bench.throughput: measure answers over HTTP against what others would use, and judge the limits."""

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
from bench.mongod import running
from bench.requests import NAMES, questions
from bench.servers import COMMANDS, Place
from bench.table import HEAD, as_markdown, as_text

_BUILDINGS, _DAYS = 1000, 120
_ROWS_A_DAY, _RECIPES, _CORNERS = 1500, 8000, range(10, 41)
_PACKAGES = ("pyramid", "waitress", "granian", "fastapi", "uvicorn", "eve", "pymongo")


@click.command()
@click.option("--buildings", default=_BUILDINGS, show_default=True, type=click.IntRange(2), help="How many buildings.")
@click.option("--days", default=_DAYS, show_default=True, type=click.IntRange(1), help="How many days of menus.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="How often to measure.")
@click.option("--seconds", default=1, show_default=True, type=click.IntRange(1), help="How long to ask one question.")
@click.option("--only", multiple=True, type=click.Choice(list(COMMANDS)), help="Measure only this server.")
@click.option("--ask", multiple=True, type=click.Choice(NAMES), help="Ask only this question.")
@click.option("--write", type=click.Path(path_type=Path), help="Also write the tables as Markdown to this file.")
def main(buildings, days, rounds, seconds, only, ask, write):
    """Measure answers over HTTP against what others would use; it needs wrk, and nginx for two of the servers.

    The exit status is 1 when a limit does not hold or could not be measured. With other data than usual, or only some
    servers or questions, limits are shown, not judged.
    """
    if shutil.which("wrk") is None:
        raise click.ClickException("there is no wrk on the PATH")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    asked = [question for question in questions(buildings, days) if not ask or question.name in ask]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="campus-bench-")))
        mongod = stack.enter_context(running(folder / "mongo"))
        place = _place(folder, f"{mongod.uri}/campus", buildings, days)
        urls, missing = comparison.start(stack, place, questions(buildings, days), only)
        figures = comparison.measure(urls, asked, rounds, seconds)
        about = _about(mongod.client.server_info()["version"], buildings, days, rounds)
    at_full_size = (buildings, days, only, ask) == (_BUILDINGS, _DAYS, (), ())
    rows = thresholds.rows(figures)
    tables = [("Limits", HEAD, [row.cells(at_full_size=at_full_size) for row in rows])]
    tables += thresholds.tables(figures, list(urls), missing, [question.name for question in asked])
    _show(about, tables, write)
    if at_full_size and not all(row.is_met for row in rows):
        sys.exit(1)


def _place(folder: Path, uri: str, buildings: int, days: int) -> Place:
    """Load made up data with campus-load; return where servers find it."""
    click.echo("loading", err=True)
    exports.write_buildings(folder / "buildings.geojson", buildings, corners=_CORNERS)
    exports.write_menus(folder / "menus.csv", days, rows_a_day=_ROWS_A_DAY, recipes=_RECIPES)
    processes.campus_load("buildings", folder / "buildings.geojson", uri)
    processes.campus_load("dining", folder / "menus.csv", uri)
    bodies = folder / "bodies"
    bodies.mkdir()
    paths = [question.path for question in questions(buildings, days)]
    return Place(folder, uri, bodies, {path: f"{number}.json" for number, path in enumerate(paths)})


def _about(mongod: str, buildings: int, days: int, rounds: int) -> str:
    return (
        f"{date.today()}: {platform.machine()}, {os.cpu_count()} CPUs, which wrk, the server and MongoDB share; "
        f"Python {platform.python_version()}, MongoDB {mongod}, {', '.join(_versions())}\n\n"
        f"{buildings} buildings with footprints of {_CORNERS[0]} to {_CORNERS[-1]} corners, {days} days of menus with "
        f"{_ROWS_A_DAY} rows each, {_RECIPES} recipes, in one MongoDB. One process for each server (nginx: one "
        f"worker), all running, asked by turns over 127.0.0.1; medians of {rounds} rounds, each ratio of figures of "
        f"one round. All answer the same bytes, never packed, as nobody asks for gzip; but Eve has a form of its own."
    )


def _versions() -> Iterator[str]:
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            yield f"{package} {version(package)}"


def _show(about: str, tables: list, write: Path | None) -> None:
    """Print the tables, and write them as Markdown."""
    click.echo("\n\n".join([about, *(f"{title}\n\n{as_text(lines, head)}" for title, head, lines in tables)]))
    if write:
        parts = [f"## {title}\n\n{as_markdown(lines, head)}" for title, head, lines in tables]
        write.write_text("\n\n".join(["# Answers", about, *parts]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
