"""Every check by its name, and what becomes of it on a server."""

import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from conformance.answer import Failed, Skipped
from conformance.checks import SECTIONS
from conformance.target import Campus

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_SECONDS = 120


@dataclass(frozen=True)
class Check:
    """A function that expects something of a server; its name, and as its sentence what it expects."""

    section: str
    name: str
    sentence: str
    function: Callable[[Campus], None]


@dataclass(frozen=True)
class Result:
    """What became of a check: passed, failed or skipped, and why."""

    check: Check
    result: str
    detail: tuple[tuple[str, str], ...] = ()


def _checks() -> Iterator[Check]:
    for section in SECTIONS:
        for name, function in vars(section).items():
            if inspect.isfunction(function) and function.__module__ == section.__name__ and not name.startswith("_"):
                yield Check(_sentence(section).rstrip("."), name, _sentence(function), function)


def _sentence(documented: object) -> str:
    return " ".join(inspect.getdoc(documented).split())


CHECKS = {check.name: check for check in _checks()}


def run(checks: Iterable[Check], campus: Campus, seconds: float = _SECONDS) -> Iterator[Result]:
    """Yield what becomes of each check; those that have not begun after so many seconds have failed."""
    until = time.monotonic() + seconds
    for check in checks:
        if time.monotonic() > until:
            yield Result(check, FAILED, (("expected", f"all checks to end within {seconds:g} seconds"),))
        else:
            yield _run(check, campus)


def _run(check: Check, campus: Campus) -> Result:
    campus.last = None
    try:
        check.function(campus)
    except Skipped as reason:
        return Result(check, SKIPPED, (("reason", str(reason)),))
    except Failed as failure:
        return Result(check, FAILED, tuple(failure.lines()))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # An answer of a shape that no check foresaw.
        got = f"something else ({type(error).__name__}: {error})"
        return Result(check, FAILED, tuple(Failed(campus.last, "an answer of the usual shape", got).lines()))
    return Result(check, PASSED)
