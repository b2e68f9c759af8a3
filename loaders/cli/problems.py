"""Problems of a load: all of a few, a summary by reason of many; all of them in a file on request."""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any, TextIO

from loaders.cli.terminal import echo, escape
from loaders.publishing.checks import SafetyViolation
from loaders.publishing.load import LoadResult
from loaders.result import ReadResult, RecordError
from loaders.text import MAX_LINES, pluralize, shorten

# Errors are offered to be left out up to this part of an export.
_MAX_LEFT_OUT = 1 / 20
# Quoted texts and numbers in a reason differ from record to record.
_VARIABLE_PARTS = re.compile(r"'[^']*'|\"[^\"]*\"|-?[0-9]+(\.[0-9]+)?")


def print_problems(result: LoadResult) -> None:
    """Print errors, new warnings and violated guards on standard error."""
    reading = result.reading
    print_errors(reading)
    if result.state == "invalid":
        _explain_rejection(reading)
    new = [each for message, each in reading.warnings.items() if message not in result.known_warnings]
    for line in _lines(new):
        echo(f"warning: {line}", err=True)
    _print_violations(result)
    if result.staleness:
        echo(f"campus-load: stale: {result.staleness}.", err=True)


def print_errors(reading: ReadResult) -> None:
    """Print the errors of records on standard error."""
    for line in _lines(reading.errors):
        echo(line, err=True)


def write_problems(file: TextIO, reading: ReadResult) -> None:
    """Write every error and warning to a file, one per line, and close it; OSError if it cannot be written."""
    try:
        with file:
            file.writelines(f"{escape(str(error))}\n" for error in reading.errors)
            file.writelines(f"warning: {escape(str(each))}\n" for each in reading.warnings.values())
    except OSError as error:
        raise OSError(error.errno, error.strerror, file.name) from None


def problems_as_json(result: LoadResult) -> list[dict[str, Any]]:
    """Return the errors, summarized as on standard error, and the violated guards."""
    reading = result.reading
    problems = [error | {"guard": None} for error in _as_json(reading.errors)]
    if not (reading.errors or reading.record_count) and result.state == "invalid":
        problems.append(problem(reading.explain_no_records()))
    if result.staleness:
        problems.append(problem(f"stale: {result.staleness}"))
    return problems + [_violation(each) for each in (*result.violations, *result.overridden)]


def warnings_as_json(reading: ReadResult) -> list[dict[str, Any]]:
    """Return the warnings, summarized as on standard error."""
    return _as_json(reading.warnings.values())


def problem(
    reason: str, file: str | None = None, line: int | None = None, *, guard: str | None = None
) -> dict[str, Any]:
    """Return a problem as JSON."""
    return {"file": file, "line": line, "reason": reason, "guard": guard, "times": 1}


def _summarize(problems: Collection[RecordError]) -> list[RecordError]:
    """Return each of a few problems, or else the first one of each reason, the most frequent ones first."""
    if len(problems) <= MAX_LINES:
        return list(problems)
    groups: dict[tuple[str, str], RecordError] = {}
    for each in problems:
        reason = each.field, _VARIABLE_PARTS.sub("…", each.reason)
        groups.setdefault(reason, replace(each, times=0)).times += each.times
    return sorted(groups.values(), key=lambda group: -group.times)


def _lines(problems: Collection[RecordError]) -> list[str]:
    return shorten([str(group) for group in _summarize(problems)], "reason")


def _as_json(problems: Collection[RecordError]) -> list[dict[str, Any]]:
    groups, rows = _summarize(problems), []
    for each in groups[:MAX_LINES]:
        record = each.location.record
        reason = each.message if record is None else f"record {record}: {each.message}"
        rows.append({"file": each.file, "line": each.location.line, "reason": reason, "times": each.times})
    if others := groups[MAX_LINES:]:
        reason = f"and {pluralize(len(others), 'more reason')}"
        rows.append({"file": None, "line": None, "reason": reason, "times": sum(group.times for group in others)})
    return rows


def _violation(violation: SafetyViolation) -> dict[str, Any]:
    line = violation.location.line if violation.location else None
    return problem(violation.reason, violation.file, line, guard=violation.guard)


def _print_violations(result: LoadResult) -> None:
    label = "refused" if result.state == "refused" else "would be refused"
    for violation in result.violations:
        echo(f"{label} by {violation.guard}: {violation}", err=True)
    for violation in result.overridden:
        echo(f"overridden {violation.guard}: {violation}", err=True)
    if result.state == "refused":
        options = " ".join(f"--override {guard}" for guard in dict.fromkeys(each.guard for each in result.violations))
        echo(f"campus-load: refused, nothing was changed: if the export is right, load it with {options}.", err=True)


def _explain_rejection(reading: ReadResult) -> None:
    errors, reason = len(reading.errors), reading.explain_no_records()
    if errors:
        valid = reading.record_count + reading.duplicates
        hint = f"{valid:,} valid" if valid else "there are no valid records"
        if errors <= _MAX_LEFT_OUT * (errors + valid):
            hint = f"--max-errors {errors} publishes the rest"
        reason = f"{pluralize(errors, 'invalid record')}, nothing was published ({hint})"
    echo(f"campus-load: {reason}.", err=True)
    if errors > MAX_LINES:
        echo("campus-load: --problems FILE writes all of them to a file.", err=True)
    if hint := reading.hint():
        echo(f"campus-load: {hint}.", err=True)
