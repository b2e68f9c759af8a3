"""Malicious requests are rejected at low cost."""

import json
import os
from pathlib import Path

import pytest

from tests.processes import nginx
from tests.processes.commands import spawning
from tests.processes.servers import start
from tests.processes.sockets import connect, parse, read_all, send

BLANKS = b"\t" * 16_000
MALICIOUS = {
    "blanks in a header": (b"GET / HTTP/1.1", b"X:" + BLANKS * 4 + b"\x7f"),
    "blanks in a header of 16 KB": (b"GET / HTTP/1.1", b"X:" + BLANKS + b"\x7f"),
    "another scheme": (b"GET a://" + b"1" * 8000 + b" x HTTP/1.1",),
    "a long host": (b"GET http://" + b"1" * 60_000 + b" x",),
    "spaces in the request line": (b"GET " + b" " * 8000 + b" HTTP/1.1",),
    "5,000 digits of Content-Length": (b"GET / HTTP/1.1", b"Content-Length: " + b"1" * 5000),
    "an open bracket": (b"GET http://[::1/ HTTP/1.1",),
    "two hosts": (b"GET / HTTP/1.1", b"Host: evil.example"),
    "two equal hosts": (b"GET / HTTP/1.1", b"host: campus"),
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


@pytest.mark.parametrize("lines", MALICIOUS.values(), ids=MALICIOUS)
def test_malicious_requests_are_rejected_at_low_cost(server, lines):
    before = cpu_seconds(server)

    status, headers, body = send(server, *lines)

    assert status == "400 Bad Request"
    assert (headers["content-type"], headers["access-control-allow-origin"]) == ("application/problem+json", "*")
    assert (json.loads(body)["status"], bool(headers["x-request-id"])) == (400, True)
    assert cpu_seconds(server) - before < 1


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /map/buildings HTTP/1.1\r\nConnection: close\r\n\r\n", "400 Bad Request"),
        (b"GET /map/buildings HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n", "400 Bad Request"),
        (b"GET /map/buildings HTTP/1.0\r\n\r\n", "200 OK"),
    ],
)
def test_a_host_is_required_since_http_1_1(server, request_, status):
    with connect(server) as connection:
        connection.sendall(request_)

        assert parse(read_all(connection))[0] == status


@pytest.mark.parametrize("headers", [[], [b"Content-Length: 0"]])
def test_a_request_without_a_body_needs_no_100_continue(server, headers):
    assert send(server, b"GET /map/buildings HTTP/1.1", b"Expect: 100-continue", *headers)[0] == "200 OK"


def test_headers_over_64_kb_are_rejected(server):
    with connect(server) as connection:
        # Not more, or the kernel would reset the connection because of unread data.
        connection.sendall((b"GET / HTTP/1.1" + (b"\r\nX: " + b"a" * 16_000) * 5)[:65_536])
        status, headers, _ = parse(read_all(connection))

    assert (status, headers["content-type"]) == ("431 Request Header Fields Too Large", "application/problem+json")


def test_rejected_requests_log_no_exception(server):
    for lines in MALICIOUS.values():
        send(server, *lines)

    assert "uncaptured" not in server.output()
    assert "Traceback" not in server.output()


@pytest.mark.parametrize("value", [b'"', b":.", b"[", b","])
@pytest.mark.parametrize("name", [b"X-Forwarded-For", b"X-Forwarded-Proto", b"X-Forwarded-Host", b"Forwarded"])
def test_forwarded_headers_are_ignored(server, name, value):
    status, headers, _ = send(server, b"GET /map/buildings HTTP/1.1", name + b": " + value)

    assert (status, bool(headers["x-request-id"])) == ("200 OK", True)


def test_requests_within_the_limits_of_nginx_are_valid_for_the_service(server, tmp_path):
    with nginx.running(tmp_path, server.url.rpartition(":")[2]) as site:
        blanks = nginx.fetch(site, "/map/buildings?1", X="\t" * 15_000 + "\x7f")
        long = nginx.fetch(site, f"/dining/menus?{'recipe=1&' * 6000}meal=1", User_Agent="browser" * 100)

    assert (blanks.status, long.status) == (400, 200)
