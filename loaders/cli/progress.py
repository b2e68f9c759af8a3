"""How far a load has come, for people who wait for it."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.text import Text


class _Rate(ProgressColumn):
    """How many records go by per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0:,.0f} records/s")


def track(records: Iterable[Any]) -> Iterator[Any]:
    """Go through the records while a terminal, and nothing else, shows how many there were and how fast."""
    console = Console(stderr=True)
    columns = [SpinnerColumn(), TextColumn("Reading: {task.completed:,.0f} records,"), _Rate()]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(records, total=None)
