"""Every response is of one revision, while revisions are published, and a process is paused."""

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from threading import Event
from urllib.parse import urlsplit

import pytest
from webob.datetime_utils import serialize_date

from campus_api import catalog
from loaders.publishing.publish import _GRACE_PERIOD
from tests.factories import NOON
from tests.nightly.consistency import urls
from tests.nightly.consistency.clients import Client, Shared
from tests.nightly.consistency.publisher import ACTIONS, Publisher
from tests.nightly.consistency.verdicts import Verdicts
from tests.processes import nginx
from tests.processes.commands import PRODUCTION, start_server, wait_for

RESPONSES, PAUSES = 20_000, 4
CLIENTS_OF_EACH = 2
SEED = 24
# A pause of a process is no outage of MongoDB.
ENVIRONMENT = {"CAMPUS_MONGO_TIMEOUT_MS": "60000", "CAMPUS_CLOCK_FROZEN_AT": NOON, "CAMPUS_CACHE_MAX_AGE": "1"}


@pytest.fixture
def publishers(spawn, mongod_database, mongod_uri, tmp_path):
    """A publisher of each data set, with a first load."""

    def run(*arguments):
        return spawn("campus-load", *arguments, "--config", PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    publishers = [
        Publisher(dataset, mongod_database, run, tmp_path, Random(f"{SEED} {dataset}"))
        for dataset in ("buildings", "dining")
    ]
    for publisher in publishers:
        publisher.load()
    return publishers


@pytest.fixture
def processes(spawn, publishers, mongod_uri):
    return [start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod_uri, **ENVIRONMENT) for _ in range(2)]


@pytest.fixture
def clients(processes, tmp_path):
    """Clients of each process, and of nginx, which forwards to both."""
    ports = [urlsplit(process.url).port for process in processes]
    with nginx.running(tmp_path, *ports, query_rate=200) as site:
        bases = {"first": processes[0].url, "second": processes[1].url, "nginx": f"https://127.0.0.1:{site.secure}"}
        shared = Shared()
        # nginx limits the rate of each address.
        clients = [
            Client(name, base, shared, f"{SEED} {name} {number}", f"127.0.0.{number}")
            for name, base in bases.items()
            for number in range(1, CLIENTS_OF_EACH + 1)
        ]
        yield clients
        for client in clients:
            client.close()


@contextmanager
def reading(clients):
    """Let clients read until the end of the block; yield a function that raises an exception of any of them."""
    done = Event()

    def check():
        for future in futures:
            if future.done():
                future.result()

    with ThreadPoolExecutor(len(clients)) as pool:
        futures = [pool.submit(client.read_until, done) for client in clients]
        try:
            yield check
        finally:
            done.set()
    check()


def each(publishers, action):
    """Run an action of all publishers at the same time."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(action, publishers))


def publish_while_paused(process, publishers):
    """Publish twice while a process is paused; the second load drops the collections that the process reads."""
    process.send_signal(signal.SIGSTOP)
    try:
        each(publishers, Publisher.load)
        while any(publisher.age < _GRACE_PERIOD for publisher in publishers):
            each(publishers, Publisher.refuse)
        each(publishers, Publisher.load)
    finally:
        process.send_signal(signal.SIGCONT)


def is_current(client, publisher):
    """Return whether a client now reads the live revision."""
    url = urls.complete_list(publisher.dataset)
    return client.read(url).last_modified == serialize_date(publisher.revisions[-1].loaded_at)


def test_every_response_is_of_one_revision(publishers, processes, clients):
    pauses = 0
    with reading(clients) as check:
        while sum(len(client.responses) for client in clients) < RESPONSES or pauses < PAUSES:
            each(publishers, Publisher.do_everything)
            publish_while_paused(processes[1], publishers)
            pauses += 1
            check()
    for client in clients:
        for publisher in publishers:
            wait_for(lambda client=client, publisher=publisher: is_current(client, publisher))

    responses = [response for client in clients for response in client.responses]
    verdicts = Verdicts([revision for publisher in publishers for revision in publisher.revisions], responses)
    assert verdicts.report() == ""
    # A process closes idle connections after a long pause, and nginx those of a response that a pause interrupts.
    assert [client.interruptions for client in clients if client.interruptions > pauses] == []
    assert [publisher.actions for publisher in publishers] == [ACTIONS] * 2
    assert {catalog.route(urlsplit(response.url.path).path) for response in responses} == {*catalog.ROUTES}
