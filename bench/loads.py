"""python -m bench.loads: measure campus-load relative to insert_many of the same records."""

import csv
import json
import os
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import click
from pymongo import MongoClient

from bench import exports, report
from bench.processes import Run, campus_load, run, run_mongod

_HEAD = ("load", "campus-load", "insert_many", "time, ratio", "memory, ratio")
# The baseline, in a process like campus-load.
_INSERT = "import sys; from bench.loads import insert; insert(*sys.argv[1:])"


@click.command()
@click.option("--buildings", default=20_000, show_default=True, type=click.IntRange(1), help="Number of buildings.")
@click.option("--days", default=365, show_default=True, type=click.IntRange(1), help="Number of days with menus.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="Number of rounds.")
def main(buildings: int, days: int, rounds: int) -> None:
    """Measure loads relative to pymongo's insert_many, and print a table as Markdown."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    runs: defaultdict[tuple[str, str], list[Run]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as folder:
        files = {"buildings": Path(folder, "buildings.geojson"), "dining": Path(folder, "menus.csv")}
        exports.write_buildings(files["buildings"], buildings)
        exports.write_menus(files["dining"], days)
        with run_mongod(Path(folder, "mongo")) as uri:
            for _ in range(rounds):
                for dataset, file in files.items():
                    for step, measured in _measure(uri, dataset, file):
                        runs[dataset, step].append(measured)
    sizes = {"buildings": f"{buildings:,} buildings", "dining": f"{days:,} days of menus"}
    rows = [
        _row(f"{sizes[dataset]}, {step}", runs[dataset, step], runs[dataset, "insert_many"])
        for dataset in sizes
        for step in ("first load", "unchanged")
    ]
    print(f"{report.environment()}\n\n{report.table(_HEAD, rows)}")


def insert(dataset: str, file: str) -> None:
    """Insert the records of a file without validation and without processing geometry."""
    with open(file, encoding="utf-8", newline="") as export:
        records = _buildings(export) if dataset == "buildings" else _menus(export)
        with MongoClient(os.environ["CAMPUS_MONGO_URI"], w="majority") as client:
            client.get_default_database()[dataset].insert_many(records)


def _measure(uri: str, dataset: str, file: Path) -> Iterator[tuple[str, Run]]:
    """Yield what each step of a round took, in databases of their own."""
    with MongoClient(uri) as client:
        for name in ("subject", "baseline"):
            client.drop_database(name)
    yield "first load", campus_load(dataset, file, f"{uri}/subject")
    yield "unchanged", campus_load(dataset, file, f"{uri}/subject")
    yield "insert_many", run(sys.executable, "-c", _INSERT, dataset, file, uri=f"{uri}/baseline")


def _row(name: str, subject: list[Run], baseline: list[Run]) -> tuple[str, ...]:
    times = [[each.seconds for each in runs] for runs in (subject, baseline)]
    memory = [[each.megabytes for each in runs] for runs in (subject, baseline)]
    return name, _cell(subject), _cell(baseline), report.ratio(*times), report.ratio(*memory)


def _cell(runs: Iterable[Run]) -> str:
    return f"{median(each.seconds for each in runs):.1f} s, {max(each.megabytes for each in runs):.0f} MB"


def _buildings(export: Iterable[str]) -> list[dict[str, Any]]:
    features = json.loads("".join(export))["features"]
    return [{"_id": each["properties"]["id"], **each["properties"], "geometry": each["geometry"]} for each in features]


def _menus(export: Iterable[str]) -> list[dict[str, Any]]:
    days: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in csv.DictReader(export):
        item = {
            "meal": int(row["Meal_Number"]),
            "location": int(row["Location_Number"]),
            "category": int(row["Menu_Category_Number"]),
            "recipe": int(row["Recipe_Number"]),
            "name": row["Recipe_Print_As_Name"],
        }
        days[row["Serve_Date"]].append(item)
    return [{"_id": date, "items": items} for date, items in days.items()]


if __name__ == "__main__":
    main()
