"""A hundred clients that are slow on purpose or by bad luck, and one that is not."""

from contextlib import ExitStack, contextmanager

import pytest

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.service.conftest import ROOT, fetch
from tests.service.sockets import connect, request

PRODUCTION = ROOT / "production.ini"
SLOW = {
    "half a request line": b"GET /map/buil",
    "half a header": b"GET /map/buildings HTTP/1.1\r\nHost: cam",
    "half a body": b"POST /map/buildings HTTP/1.1\r\nHost: campus\r\nContent-Length: 1000\r\n\r\nhalf",
    "an answer that is not read": request(b"GET /dining/recipes HTTP/1.1"),
}


@pytest.fixture(params=["main", "granian"])
def server(request, serve, mongod_uri, mongod_database):
    rows = [serving(recipe, "x" * 1000) for recipe in range(1, 1001)]
    publish(mongod_database, plan_dining(mongod_database, rows), [])
    return serve(PRODUCTION, "--server-name", request.param, CAMPUS_MONGO_URI=mongod_uri)


@contextmanager
def slow_clients(server, sent, number=100):
    with ExitStack() as opened:
        for _ in range(number):
            connection = opened.enter_context(connect(server, receive_buffer=4096))
            connection.sendall(sent)
        yield


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_a_hundred_slow_clients_leave_it_answering(server, sent):
    with slow_clients(server, sent):
        answers = [fetch(f"{server.url}/map/buildings").status for _ in range(10)]

    assert answers == [200] * 10
