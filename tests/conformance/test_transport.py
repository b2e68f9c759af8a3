"""Requests over real connections, including malformed and slow responses."""

import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from conformance.transport import NoResponse, Transport
from tests.conformance.canned_server import canned_server

OK_WITH_2_BYTES = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"


def request(url, target="/", headers=None, timeout=10):
    with closing(Transport(url, timeout)) as send:
        return send(target, headers or {})


def test_status_headers_and_body_are_returned():
    with canned_server(b"HTTP/1.1 418 Teapot\r\nVary: A\r\nvary: B\r\nContent-Length: 2\r\n\r\n[]") as (url, _):
        response = request(url)

    assert response == (418, {"vary": "A, B", "content-length": "2"}, b"[]")


def test_redirect_is_not_followed():
    with canned_server(b"HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n") as (url, requests):
        status, _, _ = request(url)

    assert (status, len(requests)) == (301, 1)


def test_request_is_sent_without_compression():
    with canned_server(OK_WITH_2_BYTES + b"[]") as (url, requests):
        request(url, target="/a?b=c&d", headers={"Origin": "x"})

    host = url.removeprefix("http://").encode()
    assert requests == [
        b"GET /a?b=c&d HTTP/1.1\r\nHost: " + host + b"\r\nAccept-Encoding: identity\r\nOrigin: x\r\n\r\n"
    ]


def test_connection_is_reused():
    ports = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            ports.append(self.client_address[1])
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever).start()
        with closing(Transport(f"http://127.0.0.1:{server.server_port}")) as send:
            for path in ("/1", "/2", "/3"):
                send(path, {})
        server.shutdown()

    assert len(ports) == 3
    assert len(set(ports)) == 1


def test_closed_idle_connection_is_reopened():
    with canned_server(OK_WITH_2_BYTES + b"[]") as (url, requests), closing(Transport(url)) as send:
        send("/1", {})
        time.sleep(0.1)
        status, _, _ = send("/2", {})

    assert (status, len(requests)) == (200, 2)


@pytest.mark.parametrize(
    ("chunks", "pause"),
    [
        ([OK_WITH_2_BYTES], 60),
        ([b"HTTP/1.1 200 OK\r\n", *[b"X-Header: 1\r\n"] * 600], 0.1),
        ([OK_WITH_2_BYTES[:-4] + b"0000\r\n\r\n", *[b" "] * 600], 0.1),
        ([b"HTTP/1.1 200 OK\r\n\r\n", *[b" "] * 600], 0.1),
    ],
    ids=["no body", "endless headers", "slow body", "slow body without length"],
)
def test_slow_response_times_out(chunks, pause):
    start = time.monotonic()
    with canned_server(*chunks, pause=pause) as (url, _), pytest.raises(NoResponse) as raised:
        request(url, timeout=0.5)

    assert "timed out" in str(raised.value) or "within 0.5 seconds" in str(raised.value)
    assert time.monotonic() - start < 60


def test_incomplete_response_is_no_response():
    with canned_server(OK_WITH_2_BYTES + b"[") as (url, _), pytest.raises(NoResponse):
        request(url)


def test_other_protocol_is_no_response():
    with canned_server(b"SSH-2.0-OpenSSH_9.2\r\n") as (url, _), pytest.raises(NoResponse):
        request(url)
