"""Progress of a load, on a terminal."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.text import Text


class _SpeedColumn(ProgressColumn):
    """Records per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0:,.0f} records/s")


def track(records: Iterable[Any], verb: str = "Reading") -> Iterator[Any]:
    """Yield the records and show their number and rate on standard error, if that is a terminal."""
    console = Console(stderr=True)
    columns = [SpinnerColumn(), TextColumn(verb + ": {task.completed:,.0f} records,"), _SpeedColumn()]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(records, total=None)


def track_writing(documents: Iterable[Any]) -> Iterator[Any]:
    """Yield the documents and show their number and rate in the same way."""
    return track(documents, "Writing")
