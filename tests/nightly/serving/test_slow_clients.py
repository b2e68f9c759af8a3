"""A hundred slow clients must not block others."""

from contextlib import ExitStack, contextmanager

import pytest
from pymongo import MongoClient

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.processes.commands import fetch
from tests.processes.servers import SERVERS, start
from tests.processes.sockets import connect, request

SLOW = {
    "half a request line": b"GET /map/buil",
    "half a header": b"GET /map/buildings HTTP/1.1\r\nHost: cam",
    "half a body": b"POST /map/buildings HTTP/1.1\r\nHost: campus\r\nContent-Length: 1000\r\n\r\nhalf",
    "a response that is not read": request(b"GET /dining/recipes HTTP/1.1"),
}


@pytest.fixture(scope="module")
def recipes_uri(shared_uri):
    """The URI of a database with a list larger than the socket buffers."""
    with MongoClient(shared_uri, tz_aware=True) as client:
        database = client.get_default_database()
        rows = [serving(recipe, "x" * 1000) for recipe in range(1, 1001)]
        publish(database, plan_dining(database, rows), [])
    return shared_uri


@pytest.fixture(scope="module", params=SERVERS)
def server(request, spawn_shared, recipes_uri):
    return start(spawn_shared, request.param, CAMPUS_MONGO_URI=recipes_uri)


@contextmanager
def slow_clients(server, sent, number=100):
    with ExitStack() as opened:
        for _ in range(number):
            connection = opened.enter_context(connect(server, receive_buffer=4096))
            connection.sendall(sent)
        yield


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_a_hundred_slow_clients_do_not_block_others(server, sent):
    with slow_clients(server, sent):
        responses = [fetch(f"{server.url}/map/buildings").status for _ in range(10)]

    assert responses == [200] * 10
