"""Thresholds of HTTP throughput, and the tables of results."""

from collections.abc import Mapping, Sequence
from statistics import median

from bench.requests import BUILDING, BUILDINGS, DAY, DISHES
from bench.servers import FASTAPI, FASTAPI_CACHED, GRANIAN, NGINX_CACHE, NGINX_FILES, UNCACHED, WAITRESS
from bench.table import Row, Threshold
from bench.wrk import Figure

CONNECTIONS = (1, 16, 64)

# (server, request, connections) -> the figures of all rounds.
Figures = Mapping[tuple[str, str, int], Sequence[Figure]]
# Title, head and rows.
Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]

_CONNECTIONS_COMPARED = 16
_MIN_RATIOS = (
    (WAITRESS, FASTAPI, {BUILDING: 1.8, DAY: 5, BUILDINGS: 20, DISHES: 5}),
    (UNCACHED, FASTAPI, {BUILDING: 0.6, DAY: 0.6, BUILDINGS: 0.9, DISHES: 2}),
    (GRANIAN, FASTAPI, {BUILDING: 12, DAY: 25, BUILDINGS: 60}),
    (GRANIAN, FASTAPI_CACHED, {BUILDING: 0.9}),
    (NGINX_CACHE, NGINX_FILES, {BUILDING: 0.95, DAY: 0.95, BUILDINGS: 0.85}),
)
_MIN_RATIO_AT_64 = Threshold(0.7, sign=">=")


def rows(figures: Figures) -> list[Row]:
    """Return a row for each threshold."""
    comparisons = [
        Row(
            f"{server}, {request}",
            "/s",
            _rates(figures, server, request, _CONNECTIONS_COMPARED),
            _rates(figures, baseline, request, _CONNECTIONS_COMPARED),
            baseline_name=baseline,
            threshold=Threshold(min_ratio, sign=">="),
        )
        for server, baseline, min_ratios in _MIN_RATIOS
        for request, min_ratio in min_ratios.items()
    ]
    return [*comparisons, *(_scaling(figures, request) for request in (BUILDING, DAY, BUILDINGS))]


def tables(
    figures: Figures, servers: Sequence[str], unavailable: Mapping[str, str], requests: Sequence[str]
) -> list[Table]:
    """Return a table for each number of connections, and one of the servers that are unavailable."""
    head = ("requests/s, p99 latency", *requests)
    result: list[Table] = []
    for connections in CONNECTIONS:
        lines = [(name, *(_cell(figures[name, request, connections]) for request in requests)) for name in servers]
        title = "1 connection" if connections == 1 else f"{connections} connections"
        result.append((title, head, lines))
    if unavailable:
        result.append(("Unavailable", ("server", "reason"), list(unavailable.items())))
    return result


def _scaling(figures: Figures, request: str) -> Row:
    return Row(
        f"{WAITRESS}, {request}, 64 connections",
        "/s",
        _rates(figures, WAITRESS, request, 64),
        _rates(figures, WAITRESS, request, 16),
        baseline_name="16 connections",
        threshold=_MIN_RATIO_AT_64,
    )


def _rates(figures: Figures, server: str, request: str, connections: int) -> list[float]:
    return [figure.rate for figure in figures.get((server, request, connections), ())]


def _cell(figures: Sequence[Figure]) -> str:
    if not figures:
        return ""
    rate = median(figure.rate for figure in figures)
    p99 = median(figure.p99 for figure in figures)
    return f"{_number(rate)}/s, {_number(p99)} ms" if rate else "no response in time"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
