"""python -m bench.loads: measure loads against bare pymongo, as ratios, and judge the limits of the requirement."""

import signal
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import click

from bench import exports
from bench.mongod import Server, running
from bench.rounds import Figures, load_twice, measure, prepare
from bench.table import Limit, Row, judge

_BUILDINGS, _DAYS = 100_000, 365
_TWICE = Limit(2, sign="<=")
_LESS = Limit(1)
_MEMORY = Limit(600, "MB")
_FILES = {"buildings": "buildings.geojson", "dining": "menus.csv"}
_LARGE = {
    "buildings": ("large.geojson", "GeoJSON", exports.write_large_buildings),
    "dining": ("large.json", "FoodPro JSON", exports.write_large_menus),
}


@click.command()
@click.option("--buildings", default=_BUILDINGS, show_default=True, type=click.IntRange(1), help="How many buildings.")
@click.option("--days", default=_DAYS, show_default=True, type=click.IntRange(1), help="How many days of menus.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="How often to measure.")
@click.option("--large-mb", default=200, show_default=True, help="The size of the large exports; 0 for none.")
@click.option("--write", type=click.Path(path_type=Path), help="Also write the table as Markdown to this file.")
def main(buildings, days, rounds, large_mb, write):
    """Measure loads against bare pymongo.

    The exit status is 1 when a limit does not hold. Limits are about the default numbers of buildings and days: with
    others they are shown, not judged.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as temporary:
        folder = Path(temporary)
        with running(folder / "mongo") as server:
            about, rows = _measure(server, folder, buildings, days, rounds, large_mb)
    judge(about, rows, write, at_full_size=(buildings, days) == (_BUILDINGS, _DAYS))


def _measure(server: Server, folder: Path, buildings: int, days: int, rounds: int, large_mb: int):
    """Return what the table is about and its rows."""
    files = {dataset: folder / name for dataset, name in _FILES.items()}
    exports.write_buildings(files["buildings"], buildings)
    exports.write_menus(files["dining"], days)
    figures: Figures = defaultdict(list)
    click.echo("warming up", err=True)
    prepare(server, files)
    for number in range(1, rounds + 1):
        click.echo(f"round {number} of {rounds}", err=True)
        measure(server, files, figures, bare_first=number % 2 == 0)
    rows = [*_database_rows(figures), *_command_rows(figures), *_memory_rows(figures)]
    for dataset in _LARGE if large_mb else ():
        click.echo(f"{large_mb} MB of {dataset}", err=True)
        rows += _large_rows(server, folder, dataset, large_mb)
    sizes = [f"{files[dataset].stat().st_size / 1_000_000:.1f} MB" for dataset in _FILES]
    return _about(server, f"{buildings} buildings ({sizes[0]})", f"{days} days of menus ({sizes[1]})", rounds), rows


def _about(server: Server, buildings: str, menus: str, rounds: int) -> str:
    return (
        f"{server.about}\n"
        f"{buildings} with footprints of {exports.CORNERS} corners, {menus} with {exports.ROWS_A_DAY} rows a day; "
        f"medians of {rounds} rounds, the most of all rounds for memory; each ratio is of figures of one round.\n"
        "Bare with index: insert_many of the same documents, trigrams included, then the same index for searches; "
        "what is bare beside campus-load inserts what stands in the file, without either."
    )


def _database_rows(figures: Figures) -> list[Row]:
    """Return the rows of records in memory that become documents in MongoDB, comparison included."""
    parts = {name: {what: figures["database", name, what] for what in ("first", "reload", "bare")} for name in _FILES}
    pairs = {what: zip(*(part[what] for part in parts.values()), strict=True) for what in parts["dining"]}
    parts["both"] = {what: list(map(sum, pair)) for what, pair in pairs.items()}
    rows = []
    for name, part in parts.items():
        limits = (_TWICE, _LESS) if name == "both" else (None, None)
        whose = "bare" if name == "dining" else "bare with index"
        rows.append(Row(f"database part, {name}: first load", "s", part["first"], part["bare"], whose, limits[0]))
        rows.append(_reload(f"database part, {name}: reload", part["reload"], part["first"], limits[1]))
    return rows


def _command_rows(figures: Figures) -> list[Row]:
    """Return the rows of whole processes, from a file to MongoDB."""
    rows = []
    for dataset in _FILES:
        first, again, bare = (figures["command", dataset, what] for what in ("first", "reload", "bare"))
        rows.append(Row(f"campus-load {dataset}: first load", "s", first, bare))
        rows.append(_reload(f"campus-load {dataset}: reload", again, first, _LESS))
    return rows


def _reload(what: str, again: list[float], first: list[float], limit: Limit | None) -> Row:
    return Row(what, "s", again, first, whose="first load", limit=limit)


def _memory_rows(figures: Figures) -> list[Row]:
    rows = []
    for dataset, limit in (("buildings", _MEMORY), ("dining", None)):
        bare = figures["memory", dataset, "bare"]
        for what, name in (("first", "first load"), ("reload", "reload")):
            figure = figures["memory", dataset, what]
            rows.append(Row(f"memory of campus-load {dataset}: {name}", "MB", figure, bare, limit=limit))
    return rows


def _large_rows(server: Server, folder: Path, dataset: str, megabytes: int) -> list[Row]:
    name, kind, write = _LARGE[dataset]
    write(folder / name, megabytes)
    first, again = load_twice(server, dataset, folder / name)
    what = f"campus-load {dataset}, {megabytes} MB of {kind}"
    return [
        Row(f"{what}: first load", "s", [first.seconds]),
        _reload(f"{what}: reload", [again.seconds], [first.seconds], None),
        Row(f"memory of {what}: first load", "MB", [first.megabytes]),
        Row(f"memory of {what}: reload", "MB", [again.megabytes]),
    ]


if __name__ == "__main__":
    main()
