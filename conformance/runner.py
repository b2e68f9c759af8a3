"""Collect the checks and run them against a server."""

import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from conformance.checks import SECTIONS
from conformance.expect import CheckFailed, CheckSkipped
from conformance.target import Target

PASSED = "passed"
FAILED = "failed"
SKIPPED = "skipped"

_TIMEOUT_SECONDS = 120


@dataclass(frozen=True)
class Check:
    """A check function, its section and, from its docstring, its description."""

    section: str
    name: str
    description: str
    function: Callable[[Target], None]


@dataclass(frozen=True)
class Result:
    """The outcome of a check (passed, failed or skipped) and the lines that explain it."""

    check: Check
    outcome: str
    details: tuple[tuple[str, str], ...] = ()


def _collect() -> Iterator[Check]:
    for section in SECTIONS:
        for name, function in vars(section).items():
            if inspect.isfunction(function) and function.__module__ == section.__name__ and not name.startswith("_"):
                yield Check(_docstring(section).rstrip("."), name, _docstring(function), function)


def _docstring(documented: object) -> str:
    return " ".join((inspect.getdoc(documented) or "").split())


CHECKS = {check.name: check for check in _collect()}


def run(checks: Iterable[Check], target: Target, timeout: float = _TIMEOUT_SECONDS) -> Iterator[Result]:
    """Run checks and yield their results; those not started within `timeout` seconds fail."""
    deadline = time.monotonic() + timeout
    for check in checks:
        if time.monotonic() > deadline:
            yield Result(check, FAILED, (("expected", f"all checks to end within {timeout:g} seconds"),))
        else:
            yield _run(check, target)


def _run(check: Check, target: Target) -> Result:
    target.last_response = None
    try:
        check.function(target)
    except CheckSkipped as reason:
        return Result(check, SKIPPED, (("reason", str(reason)),))
    except CheckFailed as failure:
        return Result(check, FAILED, tuple(failure.details()))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # The body has a structure that the check does not test for.
        actual = f"something else ({type(error).__name__}: {error})"
        mismatch = CheckFailed(target.last_response, "a response of the documented structure", actual)
        return Result(check, FAILED, tuple(mismatch.details()))
    return Result(check, PASSED)
