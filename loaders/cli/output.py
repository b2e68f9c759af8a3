"""What became of a load, for people on a terminal and as JSON for programs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from loaders.errors import UnreadableFileError
from loaders.publishing.diff import Difference
from loaders.publishing.load import Outcome
from loaders.readers.files import file_name
from loaders.readers.result import ReadResult, RecordError

# As many lines of one kind as a person reads.
_LINES = 20
_WIDE = 200

_SAID = {
    "published": "published as revision {revision}",
    "unchanged": "unchanged, revision {revision} stays",
    "dry-run": "dry run, nothing was written; this would be revision {next}",
    "refused": "refused, nothing was changed",
    "invalid": "nothing was published",
}


def show(outcome: Outcome, *, as_json: bool) -> None:
    """Print what became of a load: results on standard output, problems and warnings on standard error."""
    _complain(outcome)
    if as_json:
        write_json(_summary(outcome))
    elif outcome.plan:
        _print(outcome)


def invalid(dataset: str | None, error: Exception) -> dict[str, Any]:
    """Return what `show` prints as JSON for a load of which not even the files could be read."""
    # The name of a file may hold bytes that are no text.
    reason = str(error).encode(errors="replace").decode()
    problem = {"file": None, "line": None, "reason": reason}
    if isinstance(error, UnreadableFileError):
        problem = {"file": file_name(error.path), "line": error.line, "reason": error.reason}
    return _summary(Outcome(dataset, "invalid", ReadResult())) | {"problems": [problem]}


def write_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    click.echo(orjson.dumps(value, default=str).decode())


def write(*parts: str | Table, bold: bool = False) -> None:
    """Print texts and tables on standard output: with colours and as wide as a terminal, plain and wide elsewhere."""
    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDE
    for part in parts:
        with console.capture() as printed:
            console.print(part, style="bold" if bold else None, soft_wrap=isinstance(part, str))
        click.echo("\n".join(line.rstrip() for line in printed.get().splitlines()))


def table(*columns: str, numbers: int = 0) -> Table:
    """Return an empty table of which the last columns are numbers."""
    empty = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        empty.add_column(column, justify="right" if position >= len(columns) - numbers else "left", overflow="fold")
    return empty


def counts_table(differences: Mapping[str, Mapping[str, int]]) -> Table:
    """Return how many documents of each collection are added, changed, removed and unchanged."""
    counts = table("collection", "added", "changed", "removed", "unchanged", numbers=4)
    for name, numbers in differences.items():
        counts.add_row(name, *(str(numbers[key]) for key in ("added", "changed", "removed", "unchanged")))
    return counts


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}{'s' * (number != 1)}"


def _summary(outcome: Outcome) -> dict[str, Any]:
    plan, reading = outcome.plan, outcome.reading
    problems = [_problem(problem) for problem in reading.errors]
    problems += [
        {"file": refusal.file, "line": refusal.place and refusal.place.line, "reason": refusal.reason}
        for refusal in outcome.refusals
    ]
    return {
        "dataset": outcome.dataset,
        "state": outcome.state,
        "revision": outcome.revision,
        "collections": {name: part.counts for name, part in plan.differences.items()} if plan else {},
        "problems": problems,
        "warnings": [{**_problem(problem), "times": times} for problem, times in reading.warnings.values()],
        "menus": [asdict(meal) for meal in plan.meals] if plan else [],
        "duplicates": reading.duplicates,
        "sources": reading.sources,
    }


def _problem(problem: RecordError) -> dict[str, Any]:
    record = "" if problem.location.record is None else f"record {problem.location.record}: "
    return {"file": problem.file, "line": problem.location.line, "reason": record + problem.message}


def _complain(outcome: Outcome) -> None:
    for problem in outcome.reading.errors:
        click.echo(str(problem), err=True)
    if outcome.state == "invalid":
        _explain(outcome.reading)
    warnings = outcome.reading.warnings.values()
    lines = [f"{problem}" + f" ({times} times)" * (times > 1) for problem, times in warnings]
    for line in _some(lines, "warnings"):
        click.echo(f"warning: {line}", err=True)
    said = {"refused": "refused", "published": "accepted"}.get(outcome.state, "would be refused")
    for refusal in outcome.refusals:
        click.echo(f"{said}: {refusal}", err=True)
    if outcome.state == "refused":
        click.echo("campus-load: refused, nothing was changed (--accept-shrink publishes it all the same).", err=True)


def _explain(reading: ReadResult) -> None:
    """Say why nothing could be loaded, and what may help."""
    bad = len(reading.errors)
    said = "the export holds no records, nothing was published"
    if bad:
        hint = f"--allow-bad {bad} publishes the rest" if reading.records else "no record can be used"
        said = f"{count(bad, 'bad record')}, nothing was published ({hint})"
    click.echo(f"campus-load: {said}.", err=True)
    if reading.integer_fields:
        fields = ", ".join(f"{name} (in {number})" for name, number in reading.integer_fields.most_common())
        click.echo(f"campus-load: fields with integers, for --id-field: {fields}.", err=True)


def _print(outcome: Outcome) -> None:
    plan = outcome.plan
    write(f"{outcome.dataset}: {_SAID[outcome.state].format(revision=outcome.revision, next=plan.revision)}", bold=True)
    write(counts_table({name: part.counts for name, part in plan.differences.items()}))
    # Before a first load everything is new, which the numbers say.
    details = (*_changes(plan.differences), *_meals(outcome)) if plan.live else ()
    for line in (*details, *_left_out(outcome.reading)):
        write(f"  {line}")


def _changes(differences: Mapping[str, Difference]) -> Iterable[str]:
    for name, difference in differences.items():
        if name != "menus":
            changes = sorted(difference.changes, key=lambda change: change.what == "added")
            yield from _some([f"{name}: {change}" for change in changes], f"changes of {name}")


def _meals(outcome: Outcome) -> Iterable[str]:
    meals = sorted(outcome.plan.meals, key=lambda meal: meal.after - meal.before)
    return _some([meal.line for meal in meals], "changes of menus")


def _left_out(reading: ReadResult) -> Iterable[str]:
    if reading.duplicates:
        yield f"{count(reading.duplicates, 'duplicate')} left out"
    if reading.errors:
        yield f"{count(len(reading.errors), 'bad record')} left out"
    for field, number in reading.missing_counts.items():
        yield f"{number} without {field}"


def _some(lines: Sequence[str], what: str) -> list[str]:
    more = len(lines) - _LINES
    return [*lines[:_LINES], *([f"and {more} more {what}"] * (more > 0))]
