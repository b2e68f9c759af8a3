"""Report the results of checks as text or JSON."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from conformance.runner import FAILED, PASSED, SKIPPED, Result

_STYLES = {PASSED: "green", FAILED: "bold red", SKIPPED: "yellow"}
_WIDTH = 200


def print_results(url: str, results: Iterable[Result]) -> list[Result]:
    """Print results as they arrive, by section, then a summary, colored on a terminal; return the results."""
    console = Console(highlight=False, emoji=False)
    console.width = console.width if console.is_terminal else _WIDTH
    printed: list[Result] = []
    for result in results:
        if not printed or printed[-1].check.section != result.check.section:
            console.print(Text(result.check.section, style="bold"), soft_wrap=True)
        _print_result(console, result)
        printed.append(result)
    summary = ", ".join(f"{number} {outcome}" for outcome, number in counts(printed).items())
    style = _STYLES[FAILED if has_failures(printed) else PASSED]
    console.print(Text(f"{url}: {summary}", style=style), soft_wrap=True)
    return printed


def as_json(url: str, results: Sequence[Result]) -> dict[str, Any]:
    """Return the results as a JSON object."""
    checks = [
        {
            "section": result.check.section,
            "name": result.check.name,
            "description": result.check.description,
            "result": result.outcome,
            "detail": dict(result.details),
        }
        for result in results
    ]
    return {"url": url, **counts(results), "checks": checks}


def counts(results: Iterable[Result]) -> dict[str, int]:
    """Return how many checks passed, failed and were skipped."""
    outcomes = Counter(result.outcome for result in results)
    return {outcome: outcomes[outcome] for outcome in (PASSED, FAILED, SKIPPED)}


def has_failures(results: Iterable[Result]) -> bool:
    """Tell whether any check failed."""
    return any(result.outcome == FAILED for result in results)


def _print_result(console: Console, result: Result) -> None:
    outcome = (f"{result.outcome:7}", _STYLES[result.outcome])
    console.print(Text.assemble("  ", outcome, "  ", result.check.description), soft_wrap=True)
    details = result.details
    if result.outcome == FAILED:
        details = (("check", result.check.name), *details)
    for label, text in details:
        console.print(Text(f"           {label:8}  {text}", style="dim"), soft_wrap=True)
