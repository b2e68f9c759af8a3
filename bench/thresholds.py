"""What the figures must be: the limits of the requirement, and the tables."""

from collections.abc import Mapping, Sequence
from statistics import median

from bench.requests import BUILDING, BUILDINGS, DAY
from bench.servers import CACHE, COLD, FASTAPI, FILES, GRANIAN, KEPT, WAITRESS
from bench.table import Limit, Row
from bench.wrk import Figure

CONNECTIONS = (1, 16, 64)

# Server, question, connections -> the figures of all rounds.
Figures = Mapping[tuple[str, str, int], Sequence[Figure]]
# Its title, its head, its lines.
Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]

_JUDGED_AT = 16
_LEAST = (
    (WAITRESS, FASTAPI, {BUILDING: 1.8, DAY: 5, BUILDINGS: 20}),
    (COLD, FASTAPI, {BUILDING: 0.8, DAY: 0.9, BUILDINGS: 0.9}),
    (GRANIAN, FASTAPI, {BUILDING: 20, DAY: 30, BUILDINGS: 60}),
    (GRANIAN, KEPT, {BUILDING: 1.2}),
    (GRANIAN, FILES, {BUILDING: 0.45}),
    (CACHE, FILES, {BUILDING: 0.95, DAY: 1, BUILDINGS: 1}),
)
_LEAST_AT_64 = Limit(0.8, sign=">=")


def rows(figures: Figures) -> list[Row]:
    """Return a row for each limit."""
    compared = [
        Row(
            f"{server}, {question}",
            "/s",
            _rates(figures, server, question, _JUDGED_AT),
            _rates(figures, beside, question, _JUDGED_AT),
            whose=beside,
            limit=Limit(least, sign=">="),
        )
        for server, beside, limits in _LEAST
        for question, least in limits.items()
    ]
    return [*compared, *(_kept_up(figures, question) for question in (BUILDING, DAY, BUILDINGS))]


def tables(
    figures: Figures, servers: Sequence[str], missing: Mapping[str, str], questions: Sequence[str]
) -> list[Table]:
    """Return a table for each number of connections, with a line for each server, and one of those missing."""
    head = ("answers a second, 99 % within", *questions)
    measured = [
        (
            f"{connections} at once",
            head,
            [(name, *(_cell(figures[name, asked, connections]) for asked in questions)) for name in servers],
        )
        for connections in CONNECTIONS
    ]
    return [*measured, *([("Not available", ("server", "why"), list(missing.items()))] if missing else [])]


def _kept_up(figures: Figures, question: str) -> Row:
    many, few = (_rates(figures, WAITRESS, question, number) for number in (64, 16))
    return Row(f"{WAITRESS}, {question}, 64 at once", "/s", many, few, whose="16 at once", limit=_LEAST_AT_64)


def _rates(figures: Figures, server: str, question: str, connections: int) -> list[float]:
    return [figure.rate for figure in figures.get((server, question, connections), ())]


def _cell(of_rounds: Sequence[Figure]) -> str:
    if not of_rounds:
        return ""
    rate, p99 = median(figure.rate for figure in of_rounds), median(figure.p99 for figure in of_rounds)
    return f"{_number(rate)}/s, {_number(p99)} ms" if rate else "none in time"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
