"""Results as Markdown."""

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median

PACKAGES = ("pymongo", "waitress", "granian", "fastapi", "uvicorn")


def environment() -> str:
    """Return the date, the machine and the versions of what is installed in one line."""
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES if find_spec(package))
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    return f"{date.today()}: {machine}, {versions}"


def ratio(subject: Sequence[float], baseline: Sequence[float]) -> str:
    """Return the median of the ratios, each of which is of one round, with the extremes."""
    ratios = [each / other for each, other in zip(subject, baseline, strict=True)]
    return f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
