"""The result of a load, as text for a terminal and as JSON for programs."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from campus_api.settings import SettingError
from loaders.errors import UnreadableFileError
from loaders.profiles import ProfileError
from loaders.publishing.diff import CollectionDiff, MealChange
from loaders.publishing.history import UnknownRevision
from loaders.publishing.load import LoadResult
from loaders.publishing.plan import Plan
from loaders.publishing.safety_checks import SafetyViolation
from loaders.publishing.undo import NothingToUndo
from loaders.readers.files import file_name
from loaders.readers.result import ReadResult, RecordError
from loaders.readers.values import describe_date_format

_MAX_LINES = 20
_WIDTH = 200

MESSAGES = {
    "published": "published as revision {revision}",
    "unchanged": "unchanged, revision {revision} stays",
    "dry-run": "dry run, nothing was written; this would be revision {next}",
    "refused": "refused, nothing was changed",
}


def show(result: LoadResult, *, as_json: bool) -> None:
    """Print a result on standard output, and its errors and warnings on standard error."""
    _print_problems(result)
    if as_json:
        write_json(_summary(result))
    elif result.plan:
        _print(result, result.plan)


def invalid(dataset: str | None, error: Exception) -> dict[str, Any]:
    """Return what `show` prints as JSON if the files, the profile or a setting cannot be used."""
    # A file name may have undecodable bytes.
    reason = str(error).encode(errors="replace").decode()
    problem: dict[str, object] = {"file": None, "line": None, "reason": reason, "guard": None}
    if isinstance(error, UnreadableFileError):
        problem |= {"file": file_name(error.path), "line": error.line, "reason": error.reason}
    return _summary(LoadResult(dataset, "invalid", ReadResult())) | {"problems": [problem]}


def write_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    write_line(orjson.dumps(value, default=str).decode())


def write_line(text: str) -> None:
    """Print a text on standard output; if its reader is gone (`| head -1`), the rest is dropped.

    https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    try:
        click.echo(text)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def errors_as_json(dataset: str | None, as_json: bool) -> Iterator[None]:
    """Print errors that stop the command before it has a result as JSON too."""
    try:
        yield
    except (ProfileError, UnreadableFileError, SettingError, NothingToUndo, UnknownRevision) as error:
        if as_json:
            write_json(invalid(dataset, error))
        raise


def write(*parts: str | Table, bold: bool = False) -> None:
    """Print texts and tables on standard output, styled and as wide as the terminal if it is one."""
    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDTH
    for part in parts:
        with console.capture() as printed:
            console.print(part, style="bold" if bold else None, soft_wrap=isinstance(part, str))
        write_line("\n".join(line.rstrip() for line in printed.get().splitlines()))


def table(*columns: str, numbers: int = 0) -> Table:
    """Return an empty table whose last `numbers` columns are right-aligned."""
    empty = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        empty.add_column(column, justify="right" if position >= len(columns) - numbers else "left", overflow="fold")
    return empty


def counts_table(differences: Mapping[str, Mapping[str, int]]) -> Table:
    """Return a table of the documents added, changed, removed and unchanged in each collection."""
    counts = table("collection", "added", "changed", "removed", "unchanged", numbers=4)
    for name, numbers in differences.items():
        counts.add_row(name, *(str(numbers[key]) for key in ("added", "changed", "removed", "unchanged")))
    return counts


def pluralize(number: int, noun: str) -> str:
    """Return a number with its noun, such as "2 records"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _summary(result: LoadResult) -> dict[str, Any]:
    plan, reading = result.plan, result.reading
    violations = (*result.violations, *result.overridden)
    return {
        "dataset": result.dataset,
        "state": result.state,
        "revision": result.revision,
        "collections": {name: diff.counts for name, diff in plan.differences.items()} if plan else {},
        "problems": [*map(_problem, reading.errors), *map(_violation, violations)],
        "warnings": [_warning(warning, times) for warning, times in reading.warnings.values()],
        "menus": [asdict(change) for change in plan.meal_changes] if plan else [],
        "duplicates": reading.duplicates,
        "sources": reading.sources,
    }


def _problem(error: RecordError) -> dict[str, Any]:
    return {"file": error.file, "line": error.location.line, "reason": _with_record(error), "guard": None}


def _violation(violation: SafetyViolation) -> dict[str, Any]:
    line = violation.location.line if violation.location else None
    return {"file": violation.file, "line": line, "reason": violation.reason, "guard": violation.guard}


def _warning(warning: RecordError, times: int) -> dict[str, Any]:
    return {"file": warning.file, "line": warning.location.line, "reason": _with_record(warning), "times": times}


def _with_record(error: RecordError) -> str:
    record = error.location.record
    return error.message if record is None else f"record {record}: {error.message}"


def _print_problems(result: LoadResult) -> None:
    for error in result.reading.errors:
        click.echo(str(error), err=True)
    if result.state == "invalid":
        _explain_rejection(result.reading)
    lines = [_warning_line(warning, times) for warning, times in result.reading.warnings.values()]
    for line in _shorten(lines, "warnings"):
        click.echo(f"warning: {line}", err=True)
    label = "refused" if result.state == "refused" else "would be refused"
    for violation in result.violations:
        click.echo(f"{label} by {violation.guard}: {violation}", err=True)
    for violation in result.overridden:
        click.echo(f"overridden {violation.guard}: {violation}", err=True)
    if result.state == "refused":
        options = " ".join(f"--override {guard}" for guard in dict.fromkeys(each.guard for each in result.violations))
        click.echo(f"campus-load: refused, nothing was changed ({options} publishes it anyway).", err=True)


def _warning_line(warning: RecordError, times: int) -> str:
    return str(warning) if times == 1 else f"{warning} ({times} times)"


def _explain_rejection(reading: ReadResult) -> None:
    """Print why nothing could be loaded, and what may help."""
    errors = len(reading.errors)
    reason = "the export has no records, nothing was published"
    if errors:
        hint = f"--max-errors {errors} publishes the rest" if reading.records else "there are no valid records"
        reason = f"{pluralize(errors, 'invalid record')}, nothing was published ({hint})"
    click.echo(f"campus-load: {reason}.", err=True)
    if reading.integer_fields:
        fields = ", ".join(f"{name} (in {number})" for name, number in reading.integer_fields.most_common())
        click.echo(f"campus-load: fields with integers, for --id-field: {fields}.", err=True)


def _print(result: LoadResult, plan: Plan) -> None:
    message = MESSAGES[result.state].format(revision=result.revision, next=plan.revision)
    write(f"{result.dataset}: {message}", bold=True)
    write(counts_table({name: diff.counts for name, diff in plan.differences.items()}))
    # Everything is new in a first load; the numbers are enough.
    details = (*_changes(plan.differences), *_meals(plan.meal_changes)) if plan.current else ()
    for line in (*details, *_detected(result.reading), *_left_out(result.reading)):
        write(f"  {line}")


def _changes(differences: Mapping[str, CollectionDiff]) -> Iterable[str]:
    for name, diff in differences.items():
        if name != "menus":
            changes = sorted(diff.changes, key=lambda change: change.action == "added")
            yield from _shorten([f"{name}: {change}" for change in changes], f"changes of {name}")


def _meals(meal_changes: Iterable[MealChange]) -> Iterable[str]:
    changes = sorted(meal_changes, key=lambda change: change.after - change.before)
    return _shorten([change.summary for change in changes], "changes of menus")


def _detected(reading: ReadResult) -> Iterable[str]:
    """Yield a line for each file that is not UTF-8 with commas and months before days."""
    for source in reading.sources:
        details = [f"{name} {source[name]}" for name in ("delimiter", "encoding", "meals") if name in source]
        if "date_format" in source:
            details.append(f"dates {describe_date_format(source['date_format'])}")
        if details:
            yield f"{source['file']}: {', '.join(details)}".replace("\t", "tab")


def _left_out(reading: ReadResult) -> Iterable[str]:
    if reading.duplicates:
        yield f"{pluralize(reading.duplicates, 'duplicate')} left out"
    if reading.errors:
        yield f"{pluralize(len(reading.errors), 'invalid record')} left out"
    for field, number in reading.missing_counts.items():
        yield f"{number} without {field}"


def _shorten(lines: Sequence[str], what: str) -> list[str]:
    more = len(lines) - _MAX_LINES
    return [*lines] if more <= 0 else [*lines[:_MAX_LINES], f"and {more} more {what}"]
