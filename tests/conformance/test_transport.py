"""Requests over real connections: what http.client would hide is seen, and nothing lasts for ever."""

import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from conformance.transport import Transport, Unanswered
from tests.conformance.servers import answering

EMPTY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"


def ask(url, method="GET", target="/", headers=None, seconds=10):
    with closing(Transport(url, seconds)) as send:
        return send(method, target, headers or {})


def test_status_headers_and_body_come_as_they_are():
    with answering(b"HTTP/1.1 418 Odd\r\nVary: A\r\nvary: B\r\nContent-Length: 2\r\n\r\n[]") as (url, _):
        received = ask(url)

    assert received == (418, {"vary": "A, B", "content-length": "2"}, b"[]")


def test_a_redirect_is_not_followed():
    with answering(b"HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n") as (url, heard):
        status, _, _ = ask(url)

    assert (status, len(heard)) == (301, 1)


def test_only_what_a_check_sends_is_sent():
    with answering(EMPTY + b"[]") as (url, heard):
        ask(url, target="/a?b=[c]&d", headers={"X-Request-Id": "1"})

    host = url.removeprefix("http://").encode()
    assert heard == [b"GET /a?b=[c]&d HTTP/1.1\r\nHost: " + host + b"\r\nX-Request-Id: 1\r\n\r\n"]


def test_bytes_of_a_url_are_sent_as_they_are():
    with answering(EMPTY + b"[]") as (url, heard):
        ask(url, target="/?name=\xff\xc3\xa9")

    assert heard[0].startswith(b"GET /?name=\xff\xc3\xa9 HTTP/1.1\r\n")


@pytest.mark.parametrize(
    ("method", "status", "headers"), [("HEAD", 200, {}), ("OPTIONS", 204, {}), ("GET", 304, {"If-None-Match": '"1"'})]
)
def test_a_body_where_none_may_be_is_seen(method, status, headers):
    with answering(f"HTTP/1.1 {status} X\r\nContent-Length: 4\r\n\r\nbody".encode()) as (url, _):
        received = ask(url, method, headers=headers)

    assert (received[0], received[2]) == (status, b"body")


def test_a_connection_is_used_again():
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
                send("GET", path, {})
        server.shutdown()

    assert len(ports) == 3
    assert len(set(ports)) == 1


def test_an_idle_connection_that_was_closed_is_opened_again():
    with answering(EMPTY + b"[]") as (url, heard), closing(Transport(url)) as send:
        send("GET", "/1", {})
        time.sleep(0.1)
        status, _, _ = send("GET", "/2", {})

    assert (status, len(heard)) == (200, 2)


@pytest.mark.parametrize(
    ("chunks", "pause"),
    [
        ([EMPTY], 60),
        ([b"HTTP/1.1 200 OK\r\n", *[b"X-Header: 1\r\n"] * 100], 0.1),
        ([EMPTY[:-4] + b"0000\r\n\r\n", *[b" "] * 100], 0.1),
        ([b"HTTP/1.1 200 OK\r\n\r\n", *[b" "] * 100], 0.1),
    ],
    ids=["no body", "headers without end", "a body too slow", "a body without length too slow"],
)
def test_an_answer_that_takes_too_long_is_none(chunks, pause):
    began = time.monotonic()
    with answering(*chunks, pause=pause) as (url, _), pytest.raises(Unanswered) as raised:
        ask(url, seconds=0.5)

    assert "timed out" in str(raised.value) or "within 0.5 seconds" in str(raised.value)
    assert time.monotonic() - began < 3


def test_an_answer_that_is_cut_off_is_none():
    with answering(EMPTY + b"[") as (url, _), pytest.raises(Unanswered):
        ask(url)


def test_what_is_not_http_is_no_answer():
    with answering(b"SSH-2.0-OpenSSH_9.2\r\n") as (url, _), pytest.raises(Unanswered):
        ask(url)
