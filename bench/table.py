"""Tables of results, as text and as Markdown, and their thresholds."""

import operator
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

HEAD = ("measurement", "subject", "baseline", "ratio, median (min-max)", "threshold", "met")

_OPERATORS = {"<": operator.lt, "<=": operator.le, ">=": operator.ge}
_FORMATS = {"s": "{:.2f} s", "MB": "{:.0f} MB", "/s": "{:.0f}/s"}


@dataclass(frozen=True)
class Threshold:
    """An upper or lower bound of the median ratio or, with a unit, of the maximum value."""

    number: float
    unit: str = ""
    sign: str = "<"

    def __str__(self) -> str:
        """Return the cell of the table."""
        return f"{self.sign} {self.number:g} {self.unit}".strip()

    def is_met_by(self, value: float) -> bool:
        """Tell whether a value is within the threshold."""
        return _OPERATORS[self.sign](value, self.number)


@dataclass(frozen=True)
class Row:
    """The values of a measurement and of its baseline, one for each round."""

    name: str
    unit: str
    subject: Sequence[float]
    baseline: Sequence[float] = ()
    baseline_name: str = "insert_many"
    threshold: Threshold | None = None

    @property
    def is_met(self) -> bool:
        """Tell whether the threshold is met; without measurements it is not."""
        if self.threshold is None:
            return True
        if self.threshold.unit:
            return self.threshold.is_met_by(max(self.subject))
        return bool(self._ratios) and self.threshold.is_met_by(median(self._ratios))

    def cells(self, *, at_full_size: bool) -> tuple[str, ...]:
        """Return the cells of the row."""
        ratios = self._ratios
        return (
            self.name,
            self._format(self.subject),
            f"{self._format(self.baseline)} {self.baseline_name}" if self.baseline else "",
            f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})" if ratios else "",
            str(self.threshold or ""),
            self._verdict(at_full_size=at_full_size),
        )

    def _verdict(self, *, at_full_size: bool) -> str:
        if self.threshold is None:
            return ""
        if not at_full_size:
            return "not checked"
        if not self.threshold.unit and not self._ratios:
            return "NOT MEASURED"
        return "yes" if self.is_met else "NO"

    @property
    def _ratios(self) -> list[float]:
        return [subject / baseline for subject, baseline in zip(self.subject, self.baseline, strict=False)]

    def _format(self, values: Sequence[float]) -> str:
        if not values:
            return ""
        if self.unit == "ms":
            return f"{median(values):.2f} ms (p99 {sorted(values)[int(len(values) * 0.99)]:.2f})"
        return _FORMATS[self.unit].format(max(values) if self.unit == "MB" else median(values))


def as_text(rows: Sequence[Sequence[str]], head: Sequence[str] = HEAD) -> str:
    """Return a table as aligned text."""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in table)


def as_markdown(rows: Sequence[Sequence[str]], head: Sequence[str] = HEAD) -> str:
    """Return a table as Markdown."""
    table = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in table)


def report(description: str, rows: Sequence[Row], write: Path | None, *, at_full_size: bool) -> None:
    """Print the rows, optionally write them as Markdown, and exit with 1 if a threshold is missed at full size."""
    cells = [row.cells(at_full_size=at_full_size) for row in rows]
    click.echo(f"{description}\n\n{as_text(cells)}")
    if write:
        write.write_text(f"{description}\n\n{as_markdown(cells)}\n", encoding="utf-8")
    if at_full_size and not all(row.is_met for row in rows):
        sys.exit(1)
