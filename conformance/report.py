"""What became of the checks, for people and for programs."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from conformance.runner import FAILED, PASSED, SKIPPED, Result

_STYLES = {PASSED: "green", FAILED: "bold red", SKIPPED: "yellow"}
_WIDE = 200


def printed(url: str, results: Iterable[Result]) -> list[Result]:
    """Print each result as it comes, by section, then the numbers; coloured on a terminal. Return all."""
    console = Console(highlight=False, emoji=False)
    console.width = console.width if console.is_terminal else _WIDE
    shown: list[Result] = []
    for result in results:
        if not shown or shown[-1].check.section != result.check.section:
            console.print(Text(result.check.section, style="bold"), soft_wrap=True)
        shown.append(result)
        words = Text.assemble("  ", (f"{result.result:7}", _STYLES[result.result]), "  ", result.check.sentence)
        console.print(words, soft_wrap=True)
        named = (("check", result.check.name), *result.detail) if result.result == FAILED else result.detail
        for name, text in named:
            console.print(Text(f"           {name:8}  {text}", style="dim"), soft_wrap=True)
    numbers = ", ".join(f"{number} {result}" for result, number in counts(shown).items())
    console.print(Text(f"{url}: {numbers}", style=_STYLES[verdict(shown)]), soft_wrap=True)
    return shown


def as_json(url: str, results: Iterable[Result]) -> dict[str, Any]:
    """Return the results for a program."""
    shown = list(results)
    checks = [
        {
            "section": result.check.section,
            "name": result.check.name,
            "sentence": result.check.sentence,
            "result": result.result,
            "detail": dict(result.detail),
        }
        for result in shown
    ]
    return {"url": url, **counts(shown), "checks": checks}


def counts(results: Iterable[Result]) -> dict[str, int]:
    """Return how many checks passed, failed and were skipped."""
    found = Counter(result.result for result in results)
    return {result: found[result] for result in (PASSED, FAILED, SKIPPED)}


def verdict(results: Iterable[Result]) -> str:
    """Return failed if a check has, else passed."""
    return FAILED if counts(results)[FAILED] else PASSED
