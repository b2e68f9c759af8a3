"""python -m bench.growth: measure how response times grow with the size of the database."""

import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from pymongo.database import Database

from bench import synthetic_data
from bench.mongod import MongoServer, run_mongod
from bench.table import Row, Threshold, report
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores

_BUILDINGS = (1_000, 100_000, 1_000_000)
_DAYS = (120, 3650)
_MAX_SEARCH_RATIO = Threshold(3, sign="<=")
_MAX_MENU_RATIO = Threshold(1.3, sign="<=")
# Scans are slow: measure them every tenth round only.
_SCAN_INTERVAL = 10

_SEARCHES = {
    "a word": {"name": ["wigglesworth"]},
    "three characters": {"name": ["ggl"]},
    "a text of 31 characters": {"name": ["wigglesworth science library zq"]},
    "name and address": {"name": ["gglesw"], "address": ["street"]},
    "37 texts": {"name": [*(f"{number}nowhere" for number in range(36)), "wigglesworth"]},
}
_MENUS = {"whole": {}, "one meal at two locations": {"meal": [1], "location": [2, 3]}}
# Searches that cannot use the index, for comparison.
_UNINDEXED = {
    "search for trigrams that are all common": ["ence libr"],
    "search for two characters": ["zq"],
}
_SCAN = "a plain regex scan for a word"
_DESCRIPTION = (
    "Every search matches {0} buildings; days have 650 to 1,500 rows. Medians of {1} rounds that alternate between the "
    "databases, in one process; ratios are calculated within a round."
)

Figures = defaultdict[tuple[str, int], list[float]]
Databases = dict[int, Database]
Query = Callable[..., Sequence[Any]]


@click.command()
@click.option("--buildings", multiple=True, default=_BUILDINGS, show_default=True, help="Buildings; repeatable.")
@click.option("--days", multiple=True, default=_DAYS, show_default=True, help="Days with menus; repeatable.")
@click.option("--rounds", default=300, show_default=True, type=click.IntRange(1), help="Number of rounds.")
@click.option("--write", type=click.Path(path_type=Path), help="Also write the table as Markdown to this file.")
def main(buildings: tuple[int, ...], days: tuple[int, ...], rounds: int, write: Path | None) -> None:
    """Measure searches and menus in databases that differ only in size.

    The exit status is 1 if a threshold is missed. Thresholds apply to the default numbers of buildings and days; with
    other numbers they are shown but not checked.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as folder, run_mongod(Path(folder) / "mongo") as server:
        click.echo("filling the databases", err=True)
        databases = _fill(server, buildings, days)
        click.echo("measuring", err=True)
        rows = _rows(_measure(*databases, rounds), buildings, days)
        description = f"{server.description}\n{_DESCRIPTION.format(synthetic_data.HITS, rounds)}"
    report(description, rows, write, at_full_size=(buildings, days) == (_BUILDINGS, _DAYS))


def _stores(database: Database) -> Stores:
    return Stores(RevisionMonitor(database).snapshot())


def _fill(server: MongoServer, buildings: Sequence[int], days: Sequence[int]) -> tuple[Databases, Databases]:
    """Return the databases of buildings and of menus by their size."""
    building_databases = {size: server.client[f"buildings_{size}"] for size in buildings}
    for size, database in building_databases.items():
        synthetic_data.load_buildings(database, size)
    menu_databases = {size: server.client[f"menus_{size}"] for size in days}
    for size, database in menu_databases.items():
        synthetic_data.insert_menus(database, size)
    return building_databases, menu_databases


def _measure(building_databases: Databases, menu_databases: Databases, rounds: int) -> Figures:
    """Return the milliseconds of all rounds, after some rounds of warm-up."""
    figures: Figures = defaultdict(list)
    searches = {size: _stores(database).buildings.search for size, database in building_databases.items()}
    menus = {size: _stores(database).menus for size, database in menu_databases.items()}
    for number in range(-(rounds // 10), rounds):
        results: Figures = defaultdict(list) if number < 0 else figures
        # The first measurement after a pause is slower: alternate the order.
        order = reversed if number % 2 else list
        for name, texts in _SEARCHES.items():
            for size in order(searches):
                results[name, size].append(_timed(searches[size], **texts))
        if number % _SCAN_INTERVAL == 0:
            for size in order(searches):
                _measure_scans(results, size, searches[size], building_databases[size])
        day = synthetic_data.day(number % min(menus))
        for name, filters in _MENUS.items():
            for size in order(menus):
                results[name, size].append(_timed(menus[size].find, date=[day], **filters))
    return figures


def _measure_scans(results: Figures, size: int, search: Query, database: Database) -> None:
    for name, texts in _UNINDEXED.items():
        results[name, size].append(_timed(search, name=texts))
    results[_SCAN, size].append(_timed(synthetic_data.scan, database, "wigglesworth"))


def _timed(query: Query, *arguments: Any, **filters: Any) -> float:
    """Return the milliseconds of a query, and exit unless it returns the expected number of rows."""
    start = time.perf_counter()
    rows = query(*arguments, **filters)
    milliseconds = (time.perf_counter() - start) * 1000
    if not rows or ("date" not in filters and len(rows) != synthetic_data.HITS):
        sys.exit(f"{filters or arguments} returned {len(rows)} rows")
    return milliseconds


def _rows(figures: Figures, buildings: Sequence[int], days: Sequence[int]) -> list[Row]:
    """Return a row for each query and size; the first size is the baseline of the others."""
    base = buildings[0]
    rows = []
    for name in _SEARCHES:
        for size in buildings[1:]:
            threshold = _MAX_SEARCH_RATIO if size == buildings[-1] else None
            title = f"search for {name}: {size:,} buildings"
            rows.append(Row(title, "ms", figures[name, size], figures[name, base], f"with {base:,}", threshold))
    for name in (*_UNINDEXED, _SCAN):
        rows += [Row(f"{name}: {size:,} buildings", "ms", figures[name, size]) for size in buildings]
    base = days[0]
    for name in _MENUS:
        for size in days[1:]:
            title = f"menu of a day, {name}: {size:,} days"
            rows.append(Row(title, "ms", figures[name, size], figures[name, base], f"with {base:,}", _MAX_MENU_RATIO))
    return rows


if __name__ == "__main__":
    main()
