"""Metrics that several threads update at the same time."""

import time
from concurrent.futures import ThreadPoolExecutor
from zoneinfo import ZoneInfo

from campus_api.domain.clock import Clock
from campus_api.http.store import ResponseStore
from campus_api.monitoring.health import Health
from campus_api.monitoring.metrics import Metrics


class SlowFloat(float):
    """A number whose addition lets other threads run."""

    def __radd__(self, other):
        time.sleep(0.001)
        return other + float(self)


def test_concurrent_observations_are_all_counted(service):
    metrics = Metrics(Health(service.revisions, ResponseStore(1), Clock(ZoneInfo("UTC"))))

    def count(number):
        for _ in range(25):
            metrics.observe("/map/buildings", 200, "hit", SlowFloat(0.5))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count, range(4)))

    lines = metrics.text().decode().splitlines()
    assert 'campus_http_request_duration_seconds_sum{endpoint="/map/buildings"} 50.0' in lines
    assert 'campus_http_requests_total{endpoint="/map/buildings",status="200"} 100.0' in lines
