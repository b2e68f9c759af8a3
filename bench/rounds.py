"""One round of every measurement, ours and bare by turns."""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from bench import processes
from bench.mongod import Server, state

# What was measured -> the figures of all rounds: ("database", "buildings", "ours first") -> seconds.
Figures = defaultdict[tuple[str, str, str], list[float]]

_REFERENCE = "reference_{}"


class WroteUnchanged(Exception):
    """A load of an unchanged export wrote something."""


def prepare(server: Server, files: Mapping[str, Path]) -> None:
    """Load each data set once: it warms mongod up and makes the documents that the bare side inserts."""
    for dataset, file in files.items():
        processes.campus_load(dataset, file, f"{server.uri}/{_REFERENCE.format(dataset)}")


def measure(server: Server, files: Mapping[str, Path], figures: Figures, *, bare_first: bool) -> None:
    """Add the figures of one round."""
    for dataset, file in files.items():
        steps = [_database_ours, _database_bare, _command_ours, _command_bare]
        for step in reversed(steps) if bare_first else steps:
            step(server, dataset, file, figures)


def load_twice(server: Server, dataset: str, file: Path) -> tuple[processes.Run, processes.Run]:
    """Run campus-load on a file, and again; WroteUnchanged if the second time changed anything."""
    with server.empty("ours") as uri:
        first = processes.campus_load(dataset, file, uri)
        before = state(server.client["ours"])
        again = processes.campus_load(dataset, file, uri)
        if state(server.client["ours"]) != before:
            raise WroteUnchanged(f"campus-load {dataset}")
        return first, again


def _database_ours(server: Server, dataset: str, file: Path, figures: Figures) -> None:
    with server.empty("ours") as uri:
        seconds = json.loads(processes.module("subject", dataset, file, uri=uri).output)
    figures["database", dataset, "first"].append(seconds["first"])
    figures["database", dataset, "reload"].append(seconds["reload"])


def _database_bare(server: Server, dataset: str, _: Path, figures: Figures) -> None:
    with server.empty("bare") as uri:
        run = processes.module("baseline", "documents", _REFERENCE.format(dataset), uri=uri)
    figures["database", dataset, "bare"].append(json.loads(run.output)["first"])


def _command_ours(server: Server, dataset: str, file: Path, figures: Figures) -> None:
    first, again = load_twice(server, dataset, file)
    for what, run in (("first", first), ("reload", again)):
        figures["command", dataset, what].append(run.seconds)
        figures["memory", dataset, what].append(run.megabytes)


def _command_bare(server: Server, dataset: str, file: Path, figures: Figures) -> None:
    with server.empty("bare") as uri:
        run = processes.module("baseline", "file", dataset, file, uri=uri)
    figures["command", dataset, "bare"].append(run.seconds)
    figures["memory", dataset, "bare"].append(run.megabytes)
