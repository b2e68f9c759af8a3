"""Requests that are made to harm the service: each is refused, and costs next to nothing."""

import json
import os
from pathlib import Path

import pytest

from tests.service import nginx
from tests.service.processes import spawning
from tests.service.servers import start
from tests.service.sockets import connect, parse, read_all, request, send

BLANKS = b"\t" * 16_000
REFUSED = {
    "blanks in a header": (b"GET / HTTP/1.1", b"X:" + BLANKS * 4 + b"\x7f"),
    "blanks in a header of 16 KB": (b"GET / HTTP/1.1", b"X:" + BLANKS + b"\x7f"),
    "another scheme": (b"GET a://" + b"1" * 8000 + b" x HTTP/1.1",),
    "a long host": (b"GET http://" + b"1" * 60_000 + b" x",),
    "spaces in the request line": (b"GET " + b" " * 8000 + b" HTTP/1.1",),
    "5,000 digits of Content-Length": (b"GET / HTTP/1.1", b"Content-Length: " + b"1" * 5000),
    "an open bracket": (b"GET http://[::1/ HTTP/1.1",),
    "a name in lower case": (b"get / HTTP/1.1",),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Production.ini on an empty database in memory."""
    with spawning(tmp_path_factory.mktemp("hostile")) as spawn:
        yield start(spawn, "waitress", CAMPUS_MONGO_URI="mongomock://")


def cpu_seconds(server):
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("lines", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_with_a_problem_document_at_no_cost(server, lines):
    before = cpu_seconds(server)

    status, headers, body = send(server, *lines)

    assert status == "400 Bad Request"
    assert (headers["content-type"], headers["access-control-allow-origin"]) == ("application/problem+json", "*")
    assert (json.loads(body)["status"], bool(headers["x-request-id"])) == (400, True)
    assert cpu_seconds(server) - before < 1


def test_headers_over_64_kb_are_refused(server):
    with connect(server) as connection:
        # No more, or the kernel would reset the connection for what is not read.
        connection.sendall((b"GET / HTTP/1.1" + (b"\r\nX: " + b"a" * 16_000) * 5)[:65_536])
        status, headers, _ = parse(read_all(connection))

    assert (status, headers["content-type"]) == ("431 Request Header Fields Too Large", "application/problem+json")


def test_nothing_is_logged_as_an_uncaptured_exception(server):
    for lines in REFUSED.values():
        send(server, *lines)

    assert "uncaptured" not in server.said()
    assert "Traceback" not in server.said()


@pytest.mark.parametrize("value", [b'"', b":.", b"[", b","])
@pytest.mark.parametrize("name", [b"X-Forwarded-For", b"X-Forwarded-Proto", b"X-Forwarded-Host", b"Forwarded"])
def test_what_a_proxy_says_of_its_client_is_ignored(server, name, value):
    status, headers, _ = send(server, b"GET /map/buildings HTTP/1.1", name + b": " + value)

    assert (status, bool(headers["x-request-id"])) == ("200 OK", True)


def test_nginx_passes_no_more_than_the_service_takes(server, tmp_path):
    with nginx.running(tmp_path, server.url.rpartition(":")[2]) as site:
        blanks = nginx.ask(site, "/map/buildings?1", X="\t" * 15_000 + "\x7f")
        long = nginx.ask(site, f"/dining/menus?{'recipe=1&' * 6000}meal=1", User_Agent="browser" * 100)

    assert (blanks.status, long.status) == (400, 200)


@pytest.mark.parametrize(
    ("lines", "status"),
    [((b"OPTIONS / HTTP/1.1",), b"204 No Content"), ((b"GET /map/buildings HTTP/1.1", b"If-None-Match: *"), b"304")],
)
def test_a_response_without_a_body_leaves_the_connection_open(server, lines, status):
    with connect(server) as connection:
        for _ in range(3):
            connection.sendall(request(*lines))

            assert connection.recv(65536).startswith(b"HTTP/1.1 " + status)


def test_a_response_without_a_body_closes_the_connection_on_demand(server):
    with connect(server) as connection:
        connection.sendall(request(b"OPTIONS / HTTP/1.1", b"Connection: close"))

        assert parse(read_all(connection))[1]["connection"] == "close"
