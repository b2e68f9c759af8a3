"""Every response is of one revision, while revisions are published and undone, and a process is paused."""

import re
import signal
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.client import HTTPConnection, HTTPSConnection
from random import Random
from threading import Event
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from webob.datetime_utils import serialize_date

from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.nightly.traffic import wait_for_more
from tests.processes import nginx
from tests.processes.commands import DEADLINE, PRODUCTION, start_server
from tests.processes.synthetic_data import Buildings, Menus

ROUNDS = 5
MENUS = Menus(3, 20)
PATHS = {
    "buildings": ["/map/buildings", "/map/buildings.csv", "/map/buildings/7.geojson", "/map/buildings?name=load"],
    "dining": ["/dining/recipes", "/dining/recipes/7", "/dining/menus.ics?recipe=7"]
    + [f"{MENUS.path.replace('menus', name)}&recipe=7" for name in ("menus", "menus.csv", "dishes")],
}
# Parameters for one more value, which nothing matches and no cache has.
PARAMETERS = {"buildings": "name", "dining": "recipe"}
# A pause of a process is no outage of MongoDB.
ENVIRONMENT = {"CAMPUS_MONGO_TIMEOUT_MS": "60000", "CAMPUS_CLOCK_FROZEN_AT": "2026-01-01T12:00:00-05:00"}


class Publisher:
    """Publishes revisions of a data set, and records whose load is live at each time of publication."""

    def __init__(self, data, database):
        self.loads, self._data, self._database, self._number = defaultdict(set), data, database, 0
        self.load()

    def load(self):
        self._number += 1
        self._data.publish(self._database, f"of load {self._number}")
        self._record(self._number)

    def undo(self):
        plan = plan_undo(self._database, self._data.dataset)
        publish(self._database, plan, plan.restores["sources"])
        self._record(self._number - 1)

    def age(self):
        """Let the next load drop the collections that this one has replaced, as after the grace period."""
        datasets, one = self._database.datasets, {"_id": self._data.dataset}
        datasets.update_one(one, {"$set": {"loaded_at": datasets.find_one(one)["loaded_at"] - timedelta(hours=1)}})
        self._record(self._number)

    def _record(self, load):
        loaded_at = self._database.datasets.find_one({"_id": self._data.dataset})["loaded_at"]
        self.loads[serialize_date(loaded_at)].add(str(load).encode())


@pytest.fixture
def publishers(mongod_database):
    return {data.dataset: Publisher(data, mongod_database) for data in (Buildings(60), MENUS)}


@pytest.fixture
def processes(spawn, publishers, mongod_uri):
    return [start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod_uri, **ENVIRONMENT) for _ in range(2)]


def read_until(done, base, responses):
    """Request random paths, some of them with the ETag of the last response."""
    random, etags, url = Random(base), {}, urlsplit(base)
    connection = HTTPConnection(url.netloc, timeout=DEADLINE)
    if url.scheme == "https":
        connection = HTTPSConnection(url.netloc, timeout=DEADLINE, context=nginx.unverified_context())
    while not done.is_set():
        dataset = random.choice([*PATHS])
        path = random.choice(PATHS[dataset])
        if "?" in path and random.random() < 0.5:
            path += f"&{PARAMETERS[dataset]}={random.randrange(10**6, 10**9)}"
        headers = {"If-None-Match": etags[path]} if path in etags and random.random() < 0.5 else {}
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        assert response.status in (200, 304), (path, response.status)
        body, etag = response.read(), response.headers["ETag"]
        etags[path] = etag
        key, modified = (path, etag), response.headers["Last-Modified"]
        responses.append(SimpleNamespace(dataset=dataset, key=key, status=response.status, body=body, date=modified))
    connection.close()


def publish_while_paused(process, publishers):
    """Publish twice while a process is paused; the second load drops the collections that the process reads."""
    process.send_signal(signal.SIGSTOP)
    try:
        for publisher in publishers:
            publisher.load()
            publisher.age()
            publisher.load()
    finally:
        process.send_signal(signal.SIGCONT)


def test_every_response_is_of_one_revision(publishers, processes, tmp_path):
    done = Event()
    ports = [urlsplit(process.url).port for process in processes]
    with nginx.running(tmp_path, *ports, rate=100_000) as site, ThreadPoolExecutor(3) as pool:
        bases = [*(process.url for process in processes), f"https://127.0.0.1:{site.secure}"]
        clients = [[] for _ in bases]
        futures = [pool.submit(read_until, done, *each) for each in zip(bases, clients, strict=True)]
        try:
            for _ in range(ROUNDS):
                for publisher in publishers.values():
                    wait_for_more(clients, 20)
                    publisher.load()
                    wait_for_more(clients, 20)
                    publisher.undo()
                publish_while_paused(processes[1], publishers.values())
            wait_for_more(clients, 20)
        finally:
            done.set()
            for future in futures:
                future.result()

    responses = [response for client in clients for response in client]
    bodies = defaultdict(set)
    for response in responses:
        if response.status == 200:
            bodies[response.key].add(response.body)
    for response in responses:
        [body] = bodies[response.key]
        # Lines of calendars are folded at 75 bytes.
        loads = set(re.findall(rb"of load (\d+)", body.replace(b"\r\n ", b"")))
        assert len(loads) == 1, response
        assert loads <= publishers[response.dataset].loads[response.date], response
