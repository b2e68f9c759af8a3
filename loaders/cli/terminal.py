"""What a terminal shows: text without control characters of files and servers, and the progress of loads."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

# C0 and C1 controls, line and paragraph separators, controls of the direction of text (UAX #9), lone surrogates.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def escape(text: str) -> str:
    r"""Replace control characters by escape sequences, such as \u001b, as in JSON and TOML."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def echo(text: str, *, err: bool = False) -> None:
    """Print one line on standard output or standard error, escaped."""
    click.echo(escape(text), err=err)


def track(records: Iterable[Any], verb: str = "Reading") -> Iterator[Any]:
    """Yield the records and show their number and the time on standard error, if that is a terminal."""
    console = Console(stderr=True)
    columns = [SpinnerColumn(), TextColumn(verb + ": {task.completed:,.0f} records,"), TimeElapsedColumn()]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(records, total=None)
