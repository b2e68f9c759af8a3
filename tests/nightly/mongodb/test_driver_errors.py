"""Errors and garbage with which MongoDB, or a proxy in front of it, responds: the service is down, and says why."""

import contextlib
import json
import socket
import struct
import time
from threading import Thread

import bson
import pytest

from campus_api.db.connection import connect_read_only
from campus_api.db.errors import DatabaseUnavailable
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from tests.factories import NOON
from tests.processes.commands import IMPATIENT, PRODUCTION, fetch, wait_for
from tests.processes.servers import WARM_ENTRIES, health, metric

_HEADER = struct.Struct("<iiii")
_OP_MSG = 2013
_HANDSHAKE = {"hello", "ismaster", "isMaster"}
# AtlasError, UserNotFound, KeyNotFound, and one that MongoDB may add.
ERRORS = [(8000, "bad auth"), (11, "no such user"), (211, "no keys found"), (99999, "new in this version")]


def _body(document):
    """Return the body of an OP_MSG."""
    return struct.pack("<iB", 0, 0) + bson.encode(document)


GARBAGE = {
    "KeyError: 'cursor'": _body({"ok": 1.0}),
    "KeyError: 'firstBatch'": _body({"ok": 1.0, "cursor": {"id": 0, "ns": "campus.x"}}),
    "error: unpack_from requires a buffer": b"ab",
}


@pytest.fixture
def proxy(mongod_with_data):
    proxy = _Proxy(int(mongod_with_data.uri().partition("127.0.0.1:")[2].partition("/")[0]))
    yield proxy
    proxy.stop()


@pytest.fixture
def start(serve, proxy):
    return lambda: serve(PRODUCTION, CAMPUS_MONGO_URI=proxy.uri, CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)


@pytest.fixture
def warm(start):
    """The service when no query of the warm-up is in flight."""
    server = start()
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES)
    return server


def errors(server):
    lines = [line for line in server.output().splitlines() if '"ERROR"' in line]
    return [json.loads(line)["message"] for line in lines]


def statuses(server, paths):
    return {fetch(server.url + path).status for path in paths}


def test_any_error_of_a_poll_is_an_outage_with_its_reason(proxy, warm):
    for error in ERRORS:
        proxy.error = error
        failed_at = time.time()
        wait_for(lambda: health(warm)["database"] == "down")

        assert health(warm)["warnings"] == [f"the database is unavailable: it refuses: {error[1]}"]
        assert metric(warm, "campus_database_up") == 0
        assert 0 < metric(warm, "campus_database_last_success_timestamp_seconds") <= failed_at + 1
        assert statuses(warm, ["/map/buildings/99"]) == {503}
        assert statuses(warm, ["/map/buildings"]) == {200}
        proxy.error = None
        wait_for(lambda: health(warm)["database"] == "up")
    assert "Traceback" not in warm.output()


def test_a_database_that_refuses_is_one_line_at_the_start(proxy, start):
    proxy.error = ERRORS[0]

    server = start()

    assert statuses(server, ["/map/buildings", "/__heartbeat__"]) == {503}
    assert metric(server, "campus_database_last_success_timestamp_seconds") == 0
    assert errors(server) == ["MongoDB is not available: it refuses: bad auth"]


@pytest.mark.parametrize("reason", GARBAGE)
def test_a_reply_that_cannot_be_decoded_is_a_503_that_is_logged_once(proxy, warm, reason):
    proxy.reply = GARBAGE[reason]

    assert statuses(warm, [f"/map/buildings/{id_}" for id_ in range(1000, 1010)]) == {503}

    [message] = errors(warm)
    assert message.startswith(f"A query failed: buildings {{'_id': '?'}}: a reply cannot be decoded: {reason}")
    assert "Traceback" not in warm.output()


def test_a_reply_that_cannot_be_decoded_ends_a_load_with_one_line(proxy, spawn):
    for reason, proxy.reply in GARBAGE.items():
        load = spawn("campus-load", "history", "--config", PRODUCTION, CAMPUS_MONGO_URI=proxy.uri)

        assert load.wait() == 4
        [line] = load.output().splitlines()
        assert line.startswith(f"campus-load: the database is not available: a reply cannot be decoded: {reason}")


def error(code, number):
    return _body({"ok": 0.0, "code": code, "errmsg": f"Request rate is large. ActivityId={number}"})


def test_an_error_is_logged_once_although_its_text_and_its_query_vary(proxy, warm):
    for number in range(1, 6):
        proxy.reply = error(16500, number)
        recipes = "&".join(f"recipe={id_}" for id_ in range(number))
        assert statuses(warm, [f"/dining/menus?date=2026-01-01&{recipes}"]) == {503}

    [message] = errors(warm)
    assert message.endswith(": it refuses: Request rate is large. ActivityId=1")


def test_an_outage_of_queries_alone_is_logged_once_although_its_text_varies(proxy, caplog):
    connection = connect_read_only({"mongo.uri": proxy.uri, "mongo.timeout_ms": 5000})
    monitor = RevisionMonitor(connection.database, connection.close)
    monitor.poll()

    for number in range(3):
        # Unauthorized.
        proxy.reply = error(13, number)
        with pytest.raises(DatabaseUnavailable):
            Stores(monitor.latest).recipes.find()
        monitor.poll()

    monitor.close()
    assert [record.message for record in caplog.records] == [
        "MongoDB is available, but a query failed: Request rate is large. ActivityId=0"
    ]


class _Proxy:
    """Listens on a free port.

    `error` is the code and the message of all replies, `reply` the body of those to commands for collections that
    are not `datasets`; None to pass commands on.
    """

    def __init__(self, port):
        self.error = self.reply = None
        self._upstream = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.uri = f"mongodb://127.0.0.1:{self._listener.getsockname()[1]}/campus"
        Thread(target=self._accept, daemon=True).start()

    def stop(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._upstream)
            Thread(target=_pipe, args=(server, client), daemon=True).start()
            Thread(target=self._serve, args=(client, server), daemon=True).start()

    def _serve(self, client, server):
        with client, server, contextlib.suppress(OSError):
            while message := _receive(client):
                _, request_id, _, opcode = _HEADER.unpack_from(message)
                name, target = _command(message) if opcode == _OP_MSG else ("hello", 1)
                if self.error and name not in _HANDSHAKE:
                    client.sendall(_reply(request_id, _error(*self.error)))
                elif self.reply and isinstance(target, str) and target != "datasets":
                    client.sendall(_reply(request_id, self.reply))
                else:
                    server.sendall(message)
            # Ends the other direction.
            server.shutdown(socket.SHUT_RDWR)


def _receive(client):
    """Return a message of the wire protocol, empty at the end of the connection."""
    header = client.recv(_HEADER.size, socket.MSG_WAITALL)
    if len(header) < _HEADER.size:
        return b""
    return header + client.recv(_HEADER.unpack(header)[0] - _HEADER.size, socket.MSG_WAITALL)


def _command(message):
    """Return the name and the target of the command of an OP_MSG: after 4 bytes of flags and the kind of a section."""
    (size,) = struct.unpack_from("<i", message, 21)
    return next(iter(bson.decode(message[21 : 21 + size]).items()))


def _error(code, text):
    return _body({"ok": 0.0, "code": code, "codeName": "Error", "errmsg": text})


def _reply(request_id, body):
    return _HEADER.pack(_HEADER.size + len(body), 1, request_id, _OP_MSG) + body


def _pipe(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
