"""python -m bench.growth: measure whether answers take longer when more is stored, and judge the limits."""

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
from bench.mongod import Server, running
from bench.table import Limit, Row, judge
from campus_api.datasets import Datasets
from campus_api.stores import Stores

_BUILDINGS, _DAYS = (1_000, 100_000, 1_000_000), (120, 3650)
_SEARCH, _MENU = Limit(3, sign="<="), Limit(1.3, sign="<=")
# A scan takes so long that it is measured in every tenth round only.
_SCAN_EVERY = 10

_SEARCHES = {
    "a word": {"name": ["wigglesworth"]},
    "three characters": {"name": ["ggl"]},
    "a text of 31 characters": {"name": ["wigglesworth science library zq"]},
    "name and address": {"name": ["gglesw"], "address": ["street"]},
    "37 texts": {"name": [*(f"{number}nowhere" for number in range(36)), "wigglesworth"]},
}
_MENUS = {"whole": {}, "one meal at two locations": {"meal": [1], "location": [2, 3]}}
# Questions that take longer the more buildings there are, for comparison.
_GROWING = {
    "search for trigrams that are all common": ["ence libr"],
    "search for two characters": ["zq"],
}
_SCAN = "a plain regex scan for a word"
_ABOUT = (
    "Every search finds {0} buildings; days of 650 to 1,500 rows. Medians of {1} rounds, every question to every "
    "database by turns in one process; p99 is what one in a hundred exceeded; each ratio is of figures of one round."
)

Figures = defaultdict[tuple[str, int], list[float]]


@click.command()
@click.option("--buildings", multiple=True, default=_BUILDINGS, show_default=True, help="How many buildings; repeated.")
@click.option("--days", multiple=True, default=_DAYS, show_default=True, help="How many days of menus; repeated.")
@click.option("--rounds", default=300, show_default=True, type=click.IntRange(1), help="How often to measure.")
@click.option("--write", type=click.Path(path_type=Path), help="Also write the table as Markdown to this file.")
def main(buildings, days, rounds, write):
    """Measure searches and menus in databases that differ only in how much is stored, by turns in one process.

    The exit status is 1 when a limit does not hold. Limits are about the default numbers of buildings and days: with
    others they are shown, not judged.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as temporary, running(Path(temporary) / "mongo") as server:
        rows = _rows(_measured(server, buildings, days, rounds), buildings, days)
        about = f"{server.about}\n{_ABOUT.format(synthetic_data.HITS, rounds)}"
    judge(about, rows, write, at_full_size=(buildings, days) == (_BUILDINGS, _DAYS))


def _stores(database: Database) -> Stores:
    return Stores(database, Datasets(database))


def _measured(server: Server, buildings: Sequence[int], days: Sequence[int], rounds: int) -> Figures:
    """Return the milliseconds of all rounds, those of some rounds before left out."""
    click.echo("filling the databases", err=True)
    full = {number: synthetic_data.buildings(server.client[f"buildings_{number}"], number) for number in buildings}
    kept = {number: _stores(synthetic_data.menus(server.client[f"menus_{number}"], number)).menus for number in days}
    asked = {number: _stores(database).buildings.containing for number, database in full.items()}
    figures: Figures = defaultdict(list)
    click.echo("measuring", err=True)
    for number in range(-(rounds // 10), rounds):
        into = defaultdict(list) if number < 0 else figures
        # Who comes second finds the processors awake.
        turns = reversed if number % 2 else list
        for name, texts in _SEARCHES.items():
            for size in turns(buildings):
                into[name, size].append(_timed(asked[size], **texts))
        for size in turns(buildings) if number % _SCAN_EVERY == 0 else ():
            for name, texts in _GROWING.items():
                into[name, size].append(_timed(asked[size], name=texts))
            into[_SCAN, size].append(_timed(synthetic_data.scan, full[size], "wigglesworth"))
        for name, filters in _MENUS.items():
            for size in turns(days):
                day = synthetic_data.day(number % min(days))
                into[name, size].append(_timed(kept[size].matching, date=[day], **filters))
    return figures


def _timed(ask: Callable[..., Sequence[Any]], *arguments: Any, **questions: Any) -> float:
    """Return how many milliseconds a question took; it must have as many answers as it should."""
    start = time.perf_counter()
    rows = ask(*arguments, **questions)
    milliseconds = (time.perf_counter() - start) * 1000
    if not rows or ("date" not in questions and len(rows) != synthetic_data.HITS):
        sys.exit(f"{questions or arguments} found {len(rows)} rows")
    return milliseconds


def _rows(figures: Figures, buildings: Sequence[int], days: Sequence[int]) -> list[Row]:
    """Return a row for each question and number: the first number is what the others stand beside."""
    few, fewest = buildings[0], days[0]
    rows = []
    for name in _SEARCHES:
        for size in buildings[1:]:
            limit = _SEARCH if size == buildings[-1] else None
            what = f"search for {name}: {size:,} buildings"
            rows.append(Row(what, "ms", figures[name, size], figures[name, few], f"with {few:,}", limit))
    for name in (*_GROWING, _SCAN):
        rows += [Row(f"{name}: {size:,} buildings", "ms", figures[name, size]) for size in buildings]
    for name in _MENUS:
        for size in days[1:]:
            what = f"menu of a day, {name}: {size:,} days"
            rows.append(Row(what, "ms", figures[name, size], figures[name, fewest], f"with {fewest:,}", _MENU))
    return rows


if __name__ == "__main__":
    main()
