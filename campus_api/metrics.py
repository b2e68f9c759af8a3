"""What monitoring is told in numbers: requests, answers in memory, the database and the age of the data."""

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from campus_api.health import Health

# From what memory gives to what a slow database does.
_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


class Metrics:
    """The numbers of this process."""

    def __init__(self, health: Health) -> None:
        """Take what tells the state of the service when somebody asks for the numbers."""
        self._registry = CollectorRegistry()
        self._registry.register(_State(health))
        given = {"registry": self._registry}
        self._requests = Counter("campus_requests", "Requests answered.", ["endpoint", "status"], **given)
        self._answers = Counter("campus_answers", "Answers by where they came from.", ["source"], **given)
        given["buckets"] = _SECONDS
        self._seconds = Histogram("campus_request_seconds", "How long an answer took.", ["endpoint"], **given)
        self._counting: dict[tuple[str, str, str], tuple[Callable, Callable, Callable]] = {}

    def count(self, endpoint: str, status: str, source: str, seconds: float) -> None:
        """Count an answer: whether it was kept ("hit"), "made", "not modified", "stale" or no data ("none")."""
        key = endpoint, status, source
        if key not in self._counting:
            request, answer = self._requests.labels(endpoint, status), self._answers.labels(source)
            self._counting[key] = request.inc, answer.inc, self._seconds.labels(endpoint).observe
        count_request, count_answer, observe = self._counting[key]
        count_request()
        count_answer()
        observe(seconds)

    def text(self) -> bytes:
        """Return all numbers in the text format of Prometheus."""
        return generate_latest(self._registry)


class _State:
    """The numbers that are not counted but looked up."""

    def __init__(self, health: Health) -> None:
        self._health = health

    def collect(self) -> Iterator[Metric]:
        report = self._health.report()
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
