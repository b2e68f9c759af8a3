"""What monitoring is told in numbers: requests, answers in memory, the database and the age of the data."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from threading import get_ident

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from campus_api.monitoring.health import Health

# From what memory gives to what a slow database does.
_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_BUCKETS = [*map(str, _SECONDS), "+Inf"]


class Metrics:
    """The numbers of this process."""

    def __init__(self, health: Health) -> None:
        """Take what tells the state of the service when somebody asks for the numbers."""
        self._health = health
        # By thread, endpoint, status and source: how many answers took how long, and all their seconds.
        self._counted: dict[tuple[int, str, str, str], list[float]] = {}
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def count(self, endpoint: str, status: str, source: str, seconds: float) -> None:
        """Count an answer: whether it was kept ("hit"), "made", "not modified", "stale" or no data ("none")."""
        # The counters of the library take twice as long as the rest of an answer from memory.
        # Each thread has numbers of its own, so that none has to wait.
        key = get_ident(), endpoint, status, source
        numbers = self._counted.get(key)
        if numbers is None:
            numbers = self._counted[key] = [0] * (len(_BUCKETS) + 1)
        numbers[bisect_left(_SECONDS, seconds)] += 1
        numbers[-1] += seconds

    def text(self) -> bytes:
        """Return all numbers in the text format of Prometheus."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Yield all numbers, as the library asks for them."""
        # Taken in one piece, as threads go on counting.
        counted = [(key, list(numbers)) for (_, *key), numbers in list(self._counted.items())]
        yield from _requests(counted)
        yield from _state(self._health.report())


def _requests(counted: list[tuple[list[str], list[float]]]) -> Iterator[Metric]:
    by_status, by_source, by_endpoint = Counter(), Counter(), {}
    for (endpoint, status, source), numbers in counted:
        by_status[endpoint, status[:3]] += sum(numbers[:-1])
        by_source[source] += sum(numbers[:-1])
        so_far = by_endpoint.get(endpoint, [0] * len(numbers))
        by_endpoint[endpoint] = [one + other for one, other in zip(so_far, numbers, strict=True)]
    requests = CounterMetricFamily("campus_requests", "Requests answered.", labels=["endpoint", "status"])
    for labels, number in by_status.items():
        requests.add_metric(labels, number)
    answers = CounterMetricFamily("campus_answers", "Answers by where they came from.", labels=["source"])
    for source, number in by_source.items():
        answers.add_metric([source], number)
    took = HistogramMetricFamily("campus_request_seconds", "How long an answer took.", labels=["endpoint"])
    for endpoint, numbers in by_endpoint.items():
        took.add_metric([endpoint], list(zip(_BUCKETS, accumulate(numbers[:-1]), strict=True)), numbers[-1])
    yield from (requests, answers, took)


def _state(report: dict) -> Iterator[Metric]:
    up = float(report["database"] == "up")
    yield GaugeMetricFamily("campus_database_up", "Whether MongoDB answered when it was asked last.", up)
    yield GaugeMetricFamily("campus_answers_kept", "Answers in memory.", report["answers"]["kept"])
    yield GaugeMetricFamily("campus_answers_kept_bytes", "Their size.", report["answers"]["bytes"])
    revision = GaugeMetricFamily("campus_data_revision", "The live revision of a data set.", labels=["dataset"])
    age = GaugeMetricFamily("campus_data_age_seconds", "How long ago that was loaded.", labels=["dataset"])
    for name, dataset in report["datasets"].items():
        if dataset:
            revision.add_metric([name], dataset["revision"])
            age.add_metric([name], dataset["age_seconds"])
    yield from (revision, age)
    ahead = report["datasets"]["dining"] and report["datasets"]["dining"]["days_ahead"]
    yield GaugeMetricFamily("campus_menus_days_ahead", "Days with loaded menus from today on.", ahead or 0)
