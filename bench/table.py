"""The rows of the answer: as aligned text, as Markdown."""

import operator
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

HEAD = ("what", "ours", "beside", "ratio, median (min-max)", "limit", "met")

_HOLDS = {"<": operator.lt, "<=": operator.le, ">=": operator.ge}
_AMOUNTS = {"s": "{:.2f} s", "MB": "{:.0f} MB", "/s": "{:.0f}/s"}


@dataclass(frozen=True)
class Limit:
    """What the ratio (or, with a unit, the memory) must be below, or at least."""

    number: float
    unit: str = ""
    sign: str = "<"

    def __str__(self) -> str:
        """Return the limit as the table shows it."""
        return f"{self.sign} {self.number:g} {self.unit}".strip()

    def holds(self, value: float) -> bool:
        """Tell whether the value is on the right side."""
        return _HOLDS[self.sign](value, self.number)


@dataclass(frozen=True)
class Row:
    """What was measured, round by round, and what stands beside it in the same rounds."""

    what: str
    unit: str
    ours: Sequence[float]
    beside: Sequence[float] = ()
    whose: str = "bare"
    limit: Limit | None = None

    @property
    def is_met(self) -> bool:
        """Tell whether the limit holds: for the median of the ratios, or for the most memory of all rounds.

        What could not be measured does not hold.
        """
        if self.limit is None:
            return True
        if self.limit.unit:
            return self.limit.holds(max(self.ours))
        return bool(self._ratios) and self.limit.holds(median(self._ratios))

    def cells(self, *, at_full_size: bool) -> tuple[str, ...]:
        """Return the row's texts, one for each column."""
        ratios = self._ratios
        return (
            self.what,
            self._amount(self.ours),
            f"{self._amount(self.beside)} {self.whose}" if self.beside else "",
            f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})" if ratios else "",
            str(self.limit or ""),
            "" if self.limit is None else self._verdict if at_full_size else "not judged",
        )

    @property
    def _verdict(self) -> str:
        if not self.limit.unit and not self._ratios:
            return "NOT MEASURED"
        return "yes" if self.is_met else "NO"

    @property
    def _ratios(self) -> list[float]:
        return [ours / beside for ours, beside in zip(self.ours, self.beside, strict=False)]

    def _amount(self, figures: Sequence[float]) -> str:
        if not figures:
            return ""
        if self.unit == "ms":
            return f"{median(figures):.2f} ms (p99 {sorted(figures)[int(len(figures) * 0.99)]:.2f})"
        return _AMOUNTS[self.unit].format(max(figures) if self.unit == "MB" else median(figures))


def as_text(lines: Sequence[Sequence[str]], head: Sequence[str] = HEAD) -> str:
    """Return the lines under the head as columns of text."""
    table = [head, *lines]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in table)


def as_markdown(lines: Sequence[Sequence[str]], head: Sequence[str] = HEAD) -> str:
    """Return the lines under the head as a Markdown table."""
    table = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in table)


def judge(about: str, rows: Sequence[Row], write: Path | None, *, at_full_size: bool) -> None:
    """Print the rows, write them as Markdown if asked, and exit with 1 when a limit does not hold at full size."""
    lines = [row.cells(at_full_size=at_full_size) for row in rows]
    click.echo(f"{about}\n\n{as_text(lines)}")
    if write:
        write.write_text(f"{about}\n\n{as_markdown(lines)}\n", encoding="utf-8")
    if at_full_size and not all(row.is_met for row in rows):
        sys.exit(1)
