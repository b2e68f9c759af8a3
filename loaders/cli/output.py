"""The result of a load, as text for a terminal and as JSON for programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, TextIO

import click
import orjson
from rich.console import Console
from rich.table import Table

from campus_api.db.errors import DatabaseUnavailable
from campus_api.settings import SettingError
from loaders.cli.problems import print_problems, problem, problems_as_json, warnings_as_json, write_problems
from loaders.cli.terminal import echo, escape
from loaders.errors import UnavailableFileError, UnreadableFileError
from loaders.profiles.files import ProfileError
from loaders.publishing.assigned_ids import AssignedIdsConflict
from loaders.publishing.diff import CollectionDiff, MealChange
from loaders.publishing.history import UnknownRevision
from loaders.publishing.load import LoadResult
from loaders.publishing.plan import Plan
from loaders.publishing.publish import ConcurrentLoadError
from loaders.publishing.undo import NothingToUndo
from loaders.result import ReadResult
from loaders.sources.files import file_name
from loaders.text import pluralize, shorten

_WIDTH = 80
_RUN_AGAIN, _BAD_INPUT, _UNAVAILABLE, _INTERRUPTED = 1, 2, 4, 130
_INVALID = (ProfileError, UnreadableFileError, SettingError, NothingToUndo, UnknownRevision)
# The exit status and the message of an error that ends a command, by the first of its classes.
ERRORS: dict[type[BaseException], tuple[int, str]] = {
    UnavailableFileError: (_UNAVAILABLE, "{}"),
    **dict.fromkeys(_INVALID, (_BAD_INPUT, "{}")),
    DatabaseUnavailable: (_UNAVAILABLE, "the database is not available: {}"),
    **dict.fromkeys((ConcurrentLoadError, AssignedIdsConflict), (_RUN_AGAIN, "{}: run it again")),
    OSError: (_UNAVAILABLE, "{name} cannot be read or written: {0.strerror}"),
    KeyboardInterrupt: (_INTERRUPTED, "interrupted: run the load again"),
}

MESSAGES = {
    "published": "published as revision {revision}",
    "unchanged": "unchanged, revision {revision} stays",
    "dry-run": "dry run, nothing was written; this would be revision {next}",
    "refused": "refused, nothing was changed",
    "invalid": "invalid, nothing was changed",
}


def show(result: LoadResult, *, as_json: bool, problems: TextIO | None, is_quiet: bool) -> None:
    """Print a result on standard output, and its errors and warnings on standard error; all of them to `problems`."""
    print_problems(result)
    if problems:
        write_problems(problems, result.reading)
    if as_json:
        write_json(_summary(result))
    elif result.plan and not is_quiet:
        _print(result, result.plan)


def outcome(result: LoadResult) -> str:
    """Return a line that says what a load has done."""
    # Unless a killed load has used its number.
    next_revision = (result.revision or 0) + 1
    return f"{result.dataset}: {MESSAGES[result.state].format(revision=result.revision, next=next_revision)}"


def failed(dataset: str | None, error: BaseException) -> dict[str, Any]:
    """Return what `show` prints as JSON for a command that fails before it has a result."""
    # A file name may have undecodable bytes.
    reason = str(error).encode(errors="replace").decode() or "interrupted"
    shown = problem(reason)
    if isinstance(error, UnreadableFileError):
        shown = problem(error.reason, file_name(error.path), error.line)
    state = "invalid" if exit_status(error)[0] == _BAD_INPUT else "failed"
    return _summary(LoadResult(dataset, state, ReadResult())) | {"problems": [shown]}


def exit_status(error: BaseException) -> tuple[int, str]:
    """Return the exit status of an error, and its message."""
    status, message = next(each for class_, each in ERRORS.items() if isinstance(error, class_))
    name = getattr(error, "filename", None) or "standard output or a temporary file"
    return status, message.format(error, name=name)


def write_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    echo(orjson.dumps(value, default=str).decode())


@contextmanager
def reporting(outcome: str) -> Iterator[None]:
    """Add what the command has done to the error of a full disk."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror} ({outcome})", error.filename) from None


@contextmanager
def errors_as_json(dataset: str | None, as_json: bool) -> Iterator[None]:
    """Print errors that stop the command before it has a result as JSON too."""
    try:
        yield
    except tuple(ERRORS) as error:
        if as_json:
            write_json(failed(dataset, error))
        raise


def write(part: str | Table, *, bold: bool = False) -> None:
    """Print a text or a table on standard output, styled and as wide as the terminal if it is one."""
    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDTH
    shown = escape(part) if isinstance(part, str) else part
    with console.capture() as printed:
        console.print(shown, style="bold" if bold else None, soft_wrap=isinstance(part, str))
    click.echo("\n".join(line.rstrip() for line in printed.get().splitlines()))


def table(*columns: str, rows: Iterable[Sequence[str | Sequence[str]]], numbers: int = 0) -> Table:
    """Return a table of texts or lists of lines, escaped; the last `numbers` columns are right-aligned."""
    filled = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        filled.add_column(column, justify="right" if position >= len(columns) - numbers else "left", overflow="fold")
    for row in rows:
        filled.add_row(*("\n".join(map(escape, [cell] if isinstance(cell, str) else cell)) for cell in row))
    return filled


def counts_table(differences: Mapping[str, Mapping[str, int]]) -> Table:
    """Return a table of the documents added, changed, removed and unchanged in each collection."""
    counts = ("added", "changed", "removed", "unchanged")
    rows = [[name, *(str(numbers[key]) for key in counts)] for name, numbers in differences.items()]
    return table("collection", *counts, rows=rows, numbers=len(counts))


def _summary(result: LoadResult) -> dict[str, Any]:
    plan, reading = result.plan, result.reading
    return {
        "dataset": result.dataset,
        "state": result.state,
        "revision": result.revision,
        "collections": {name: diff.counts for name, diff in plan.differences.items()} if plan else {},
        "problems": problems_as_json(result),
        "warnings": warnings_as_json(reading),
        "menus": [asdict(change) for change in plan.meal_changes] if plan else [],
        **reading.statistics,
        "sources": reading.sources,
    }


def _print(result: LoadResult, plan: Plan) -> None:
    write(outcome(result), bold=True)
    write(counts_table({name: diff.counts for name, diff in plan.differences.items()}))
    # Everything is new in a first load; the numbers are enough.
    details = (*_changes(plan.differences), *_meals(plan.meal_changes)) if plan.current else ()
    for line in (*details, *_describe(result)):
        write(f"  {line}")


def _changes(differences: Mapping[str, CollectionDiff]) -> Iterable[str]:
    for name, diff in differences.items():
        if name != "menus":
            changes = [change for change in diff.changes if not change.only_as_of_changed]
            changes.sort(key=lambda change: change.action == "added")
            yield from shorten([f"{name}: {change}" for change in changes], f"change of {name}", f"changes of {name}")


def _meals(meal_changes: Iterable[MealChange]) -> Iterable[str]:
    changes = sorted(meal_changes, key=lambda change: change.after - change.before)
    return shorten([change.summary for change in changes], "change of menus", "changes of menus")


def _describe(result: LoadResult) -> Iterable[str]:
    """Yield a line for each file that is not UTF-8, and for what was left out."""
    sources = result.reading.sources
    yield from (f"{each['file']}: encoding {each['encoding']}" for each in sources if "encoding" in each)
    yield from result.reading.describe()
    if result.known_warnings:
        yield f"{pluralize(len(result.known_warnings), 'warning')} as in the load before"
