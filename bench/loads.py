"""python -m bench.loads: measure campus-load relative to pymongo's insert_many."""

import signal
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import click

from bench import exports
from bench.mongod import MongoServer, run_mongod
from bench.rounds import Figures, load_twice, measure, prepare
from bench.table import Row, Threshold, report

_BUILDINGS, _DAYS = 100_000, 365
_MAX_FIRST_LOAD = Threshold(2, sign="<=")
_MAX_RELOAD = Threshold(1)
_MAX_MEMORY = Threshold(600, "MB")
_STEPS = ("first", "reload", "baseline")
_FILES = {"buildings": "buildings.geojson", "dining": "menus.csv"}
_LARGE = {
    "buildings": ("large.geojson", "GeoJSON", exports.write_large_buildings),
    "dining": ("large.json", "FoodPro JSON", exports.write_large_menus),
}


@click.command()
@click.option("--buildings", default=_BUILDINGS, show_default=True, type=click.IntRange(1), help="Number of buildings.")
@click.option("--days", default=_DAYS, show_default=True, type=click.IntRange(1), help="Number of days with menus.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="Number of rounds.")
@click.option("--large-mb", default=200, show_default=True, help="Size of the large exports; 0 to skip them.")
@click.option("--write", type=click.Path(path_type=Path), help="Also write the table as Markdown to this file.")
def main(buildings: int, days: int, rounds: int, large_mb: int, write: Path | None) -> None:
    """Measure loads relative to pymongo's insert_many.

    The exit status is 1 if a threshold is missed. Thresholds apply to the default numbers of buildings and days; with
    other numbers they are shown but not checked.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as temporary:
        folder = Path(temporary)
        with run_mongod(folder / "mongo") as server:
            description, rows = _measure(server, folder, buildings, days, rounds, large_mb)
    report(description, rows, write, at_full_size=(buildings, days) == (_BUILDINGS, _DAYS))


def _measure(
    server: MongoServer, folder: Path, buildings: int, days: int, rounds: int, large_mb: int
) -> tuple[str, list[Row]]:
    """Return the description and the rows of the table."""
    files = {dataset: folder / name for dataset, name in _FILES.items()}
    exports.write_buildings(files["buildings"], buildings)
    exports.write_menus(files["dining"], days)
    figures: Figures = defaultdict(list)
    click.echo("warming up", err=True)
    prepare(server, files)
    for number in range(1, rounds + 1):
        click.echo(f"round {number} of {rounds}", err=True)
        measure(server, files, figures, baseline_first=number % 2 == 0)
    rows = [*_database_rows(figures), *_command_rows(figures), *_memory_rows(figures)]
    for dataset in _LARGE if large_mb else ():
        click.echo(f"{large_mb} MB of {dataset}", err=True)
        rows += _large_rows(server, folder, dataset, large_mb)
    sizes = [f"{files[dataset].stat().st_size / 1_000_000:.1f} MB" for dataset in _FILES]
    return _describe(server, f"{buildings} buildings ({sizes[0]})", f"{days} days of menus ({sizes[1]})", rounds), rows


def _describe(server: MongoServer, buildings: str, menus: str, rounds: int) -> str:
    return (
        f"{server.description}\n"
        f"{buildings} with footprints of {exports.CORNERS} corners, {menus} with {exports.ROWS_A_DAY} rows a day. "
        f"Medians of {rounds} rounds, maximum of all rounds for memory; ratios are calculated within a round.\n"
        "The baseline `insert_many with index` inserts the same documents, including trigrams, and creates the same "
        "search index; `insert_many` for campus-load inserts the records of the file without either."
    )


def _database_rows(figures: Figures) -> list[Row]:
    """Return the rows of loads from memory, including the comparison with the live data."""
    parts = {name: {step: figures["database", name, step] for step in _STEPS} for name in _FILES}
    pairs = {step: zip(*(part[step] for part in parts.values()), strict=True) for step in _STEPS}
    parts["both"] = {step: [sum(pair) for pair in pairs[step]] for step in _STEPS}
    rows = []
    for name, part in parts.items():
        is_total = name == "both"
        baseline_name = "insert_many" if name == "dining" else "insert_many with index"
        threshold = _MAX_FIRST_LOAD if is_total else None
        title = f"database part, {name}"
        rows.append(Row(f"{title}: first load", "s", part["first"], part["baseline"], baseline_name, threshold))
        rows.append(_reload(title, part["reload"], part["first"], _MAX_RELOAD if is_total else None))
    return rows


def _command_rows(figures: Figures) -> list[Row]:
    """Return the rows of whole processes, from a file to MongoDB."""
    rows = []
    for dataset in _FILES:
        first, reload, baseline = (figures["command", dataset, step] for step in _STEPS)
        rows.append(Row(f"campus-load {dataset}: first load", "s", first, baseline))
        rows.append(_reload(f"campus-load {dataset}", reload, first, _MAX_RELOAD))
    return rows


def _reload(title: str, reload: list[float], first: list[float], threshold: Threshold | None) -> Row:
    return Row(f"{title}: reload", "s", reload, first, baseline_name="first load", threshold=threshold)


def _memory_rows(figures: Figures) -> list[Row]:
    rows = []
    for dataset, threshold in (("buildings", _MAX_MEMORY), ("dining", None)):
        baseline = figures["memory", dataset, "baseline"]
        for step, title in (("first", "first load"), ("reload", "reload")):
            values = figures["memory", dataset, step]
            rows.append(Row(f"memory of campus-load {dataset}: {title}", "MB", values, baseline, threshold=threshold))
    return rows


def _large_rows(server: MongoServer, folder: Path, dataset: str, megabytes: int) -> list[Row]:
    name, file_format, write = _LARGE[dataset]
    write(folder / name, megabytes)
    first, reload = load_twice(server, dataset, folder / name)
    title = f"campus-load {dataset}, {megabytes} MB of {file_format}"
    return [
        Row(f"{title}: first load", "s", [first.seconds]),
        _reload(title, [reload.seconds], [first.seconds], None),
        Row(f"memory of {title}: first load", "MB", [first.megabytes]),
        Row(f"memory of {title}: reload", "MB", [reload.megabytes]),
    ]


if __name__ == "__main__":
    main()
