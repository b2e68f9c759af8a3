"""The metrics of the service for Prometheus: requests, response cache, database and data sets."""

import os
from collections.abc import Iterator
from functools import cache, partial
from platform import python_version

import prometheus_client as prometheus
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from campus_api import catalog
from campus_api.http.conditional import SERVICE_VERSION
from campus_api.index import Index
from campus_api.settings import SettingError

# With this folder, the processes of a server add up: https://prometheus.github.io/client_python/multiprocess/
_SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

# In seconds: from a cached response to a slow database.
_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


class Metrics:
    """The metrics of this process; requests are those of all processes that share a folder for them."""

    def __init__(self, index: Index) -> None:
        shared_folder = os.environ.get(_SHARED_FOLDER)
        if shared_folder and not os.access(shared_folder, os.W_OK | os.X_OK):
            raise SettingError(f"{_SHARED_FOLDER} {shared_folder} is not a folder that can be written.")
        prometheus.disable_created_metrics()
        self._index = index
        self._output = prometheus.CollectorRegistry()
        # The collector of a shared folder has the requests of this process, too.
        registry = None if shared_folder else self._output
        counter = partial(prometheus.Counter, registry=registry)
        histogram = partial(prometheus.Histogram, buckets=_BUCKETS, registry=registry)
        self._requests = counter("campus_http_requests", "HTTP requests.", ["endpoint", "status"])
        self._durations = histogram("campus_http_request_duration_seconds", "Duration of HTTP requests.", ["endpoint"])
        self._cache_requests = counter("campus_cache_requests", "Results of the cache.", ["result"])
        if shared_folder:
            MultiProcessCollector(self._output)
        prometheus.ProcessCollector(registry=self._output)
        build = prometheus.Info("campus_build", "The version of the service; always 1.", registry=self._output)
        build.info({"version": SERVICE_VERSION, "python": python_version()})
        self._output.register(self)
        # labels() takes longer than the rest of a cached response.
        self._labels = cache(lambda metric, *values: metric.labels(*values))
        # Series exist before their first event, so that `increase()` sees it.
        for endpoint in (*catalog.ROUTES, "other"):
            self._durations.labels(endpoint)
            for status in (200, 500, 503):
                self._requests.labels(endpoint, status)
        for result in ("hit", "miss", "not_modified", "stale", "bypass"):
            self._cache_requests.labels(result)

    def observe(self, endpoint: str, status: int, result: str, seconds: float) -> None:
        """Count a response; `result` is "hit", "miss", "not_modified", "stale" or "bypass"."""
        self._labels(self._requests, endpoint, status).inc()
        self._labels(self._durations, endpoint).observe(seconds)
        self._labels(self._cache_requests, result).inc()

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return prometheus.generate_latest(self._output)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the state of the service."""
        report = self._index.health()
        loaded = {name: dataset for name, dataset in report["datasets"].items() if dataset}
        is_up = float(report["database"] == "up")
        ahead = loaded["dining"]["days_ahead"] if "dining" in loaded else 0
        gauges = {
            "campus_database_up": ("Whether MongoDB responded to the last poll.", is_up),
            "campus_database_last_success_timestamp_seconds": (
                "Time of the last successful poll of MongoDB, 0 before the first one.",
                self._index.revisions.last_success,
            ),
            "campus_cache_entries": ("Responses in the cache.", report["cache"]["entries"]),
            "campus_cache_size_bytes": ("Size of the cache.", report["cache"]["bytes"]),
            "campus_menus_days_ahead": ("Days with loaded menus from today on.", ahead),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(name, text, value)
        revision = GaugeMetricFamily("campus_dataset_revision", "The live revision.", labels=["dataset"])
        age = GaugeMetricFamily("campus_dataset_age_seconds", "Age of the live revision.", labels=["dataset"])
        for name, dataset in loaded.items():
            revision.add_metric([name], dataset["revision"])
            age.add_metric([name], dataset["age_seconds"])
        yield from (revision, age)
