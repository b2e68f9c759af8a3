"""Rounds of the load benchmark, alternating between subject and baseline."""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from bench import processes
from bench.mongod import MongoServer, snapshot

# (kind of measurement, data set, step) -> the values of all rounds: ("database", "buildings", "first") -> seconds.
Figures = defaultdict[tuple[str, str, str], list[float]]

_REFERENCE = "reference_{}"


class UnexpectedChange(Exception):
    """Loading an unchanged export changed the database."""


def prepare(server: MongoServer, files: Mapping[str, Path]) -> None:
    """Load each data set once, to warm up mongod and to create the documents that the baseline inserts."""
    for dataset, file in files.items():
        processes.campus_load(dataset, file, f"{server.uri}/{_REFERENCE.format(dataset)}")


def measure(server: MongoServer, files: Mapping[str, Path], figures: Figures, *, baseline_first: bool) -> None:
    """Measure one round."""
    for dataset, file in files.items():
        steps = [_database_subject, _database_baseline, _command_subject, _command_baseline]
        for step in reversed(steps) if baseline_first else steps:
            step(server, dataset, file, figures)


def load_twice(server: MongoServer, dataset: str, file: Path) -> tuple[processes.Run, processes.Run]:
    """Run campus-load twice; UnexpectedChange if the second run changed anything."""
    with server.empty_database("subject") as uri:
        first = processes.campus_load(dataset, file, uri)
        before = snapshot(server.client["subject"])
        reload = processes.campus_load(dataset, file, uri)
        if snapshot(server.client["subject"]) != before:
            raise UnexpectedChange(f"campus-load {dataset}")
        return first, reload


def _database_subject(server: MongoServer, dataset: str, file: Path, figures: Figures) -> None:
    with server.empty_database("subject") as uri:
        seconds = json.loads(processes.module("subject", dataset, file, uri=uri).output)
    figures["database", dataset, "first"].append(seconds["first"])
    figures["database", dataset, "reload"].append(seconds["reload"])


def _database_baseline(server: MongoServer, dataset: str, _: Path, figures: Figures) -> None:
    with server.empty_database("baseline") as uri:
        run = processes.module("baseline", "documents", _REFERENCE.format(dataset), uri=uri)
    figures["database", dataset, "baseline"].append(json.loads(run.output)["first"])


def _command_subject(server: MongoServer, dataset: str, file: Path, figures: Figures) -> None:
    first, reload = load_twice(server, dataset, file)
    for step, run in (("first", first), ("reload", reload)):
        figures["command", dataset, step].append(run.seconds)
        figures["memory", dataset, step].append(run.megabytes)


def _command_baseline(server: MongoServer, dataset: str, file: Path, figures: Figures) -> None:
    with server.empty_database("baseline") as uri:
        run = processes.module("baseline", "file", dataset, file, uri=uri)
    figures["command", dataset, "baseline"].append(run.seconds)
    figures["memory", dataset, "baseline"].append(run.megabytes)
