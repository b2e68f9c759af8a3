"""The rows of the answer: as aligned text, as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

HEAD = ("what", "ours", "beside", "ratio, median (min-max)", "limit", "met")


@dataclass(frozen=True)
class Limit:
    """The greatest ratio (or, with a unit, the memory) that is allowed."""

    number: float
    unit: str = ""
    itself_is_allowed: bool = False

    def __str__(self) -> str:
        """Return the limit as the table shows it."""
        return f"{'<=' if self.itself_is_allowed else '<'} {self.number:g} {self.unit}".strip()


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
        """Tell whether the limit holds: for the median of the ratios, or for the most memory of all rounds."""
        if self.limit is None:
            return True
        value = max(self.ours) if self.limit.unit else median(self._ratios)
        return value < self.limit.number or (self.limit.itself_is_allowed and value == self.limit.number)

    def cells(self, *, at_full_size: bool) -> tuple[str, ...]:
        """Return the row's texts, one for each column."""
        ratios, met = self._ratios, "yes" if self.is_met else "NO"
        return (
            self.what,
            self._amount(self.ours),
            f"{self._amount(self.beside)} {self.whose}" if self.beside else "",
            f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})" if ratios else "",
            str(self.limit or ""),
            "" if self.limit is None else met if at_full_size else "not judged",
        )

    @property
    def _ratios(self) -> list[float]:
        return [ours / beside for ours, beside in zip(self.ours, self.beside, strict=False)]

    def _amount(self, figures: Sequence[float]) -> str:
        return f"{max(figures):.0f} MB" if self.unit == "MB" else f"{median(figures):.2f} s"


def as_text(lines: Sequence[Sequence[str]]) -> str:
    """Return the lines under the head as columns of text."""
    table = [HEAD, *lines]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in table)


def as_markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return the lines under the head as a Markdown table."""
    table = [HEAD, ["---"] * len(HEAD), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in table)
