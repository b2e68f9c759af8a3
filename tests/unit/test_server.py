import json
import sys

import prometheus_client  # noqa: F401 - it reads PROMETHEUS_MULTIPROC_DIR once, when it is imported
import pytest
from waitress.adjustments import Adjustments

from campus_api import make_app
from campus_api.server import RequestParser, ServerError, resolve_options, serve
from tests.rejection import rejection


def test_the_port_is_that_of_the_command_line_or_of_the_ini_file():
    for command_line, ini_file, port in (
        ({"here": "/srv"}, {"port": "8080"}, 8080),
        ({"http_port": "8000"}, {}, 8000),
        ({"http_port": "8000"}, {"port": "none"}, 8000),
        *(({"http_port": text}, {}, int(text)) for text in ("0", "1", "65535")),
    ):
        assert resolve_options(command_line, ini_file) == {"port": port}, (command_line, ini_file)
    variables = {"here": "/srv", "__file__": "/srv/production.ini"}
    assert resolve_options(variables, {"threads": "8"}) == {"threads": "8", "port": 6543}


def test_an_invalid_port_is_rejected():
    for port in ("", "x", "-1", "+1", "1.5", "65536", "80 80", "²", "9" * 5000):
        for command_line, ini_file in (({"http_port": port}, {"port": "6543"}), ({}, {"port": port})):
            reason = rejection(resolve_options, command_line, ini_file)
            assert reason == f"'{port}' is not a port number from 0 to 65535", (command_line, ini_file)


def test_a_number_of_threads_with_which_waitress_would_not_respond_is_rejected():
    for value in ("0", "-1", "100000", "1_0", "four", ""):
        reason = rejection(resolve_options, {}, {"threads": value})
        assert reason == f"'{value}' is not a number of threads from 1 to 1000", value


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("map", "Unknown adjustment 'map'"),
        ("application", "Unknown adjustment 'application'"),
        ("backlog", "invalid literal for int"),
    ],
)
def test_an_option_that_waitress_does_not_take_is_a_server_error(monkeypatch, name, reason):
    monkeypatch.setattr(sys, "tracebacklimit", 1000, raising=False)

    with pytest.raises(ServerError, match=reason):
        serve(None, {}, **{"port": "0", name: "a"})


def test_another_address_replaces_the_port():
    for name in ("listen", "unix_socket"):
        assert resolve_options({}, {name: "somewhere"}) == {name: "somewhere"}, name
        reason = rejection(resolve_options, {"http_port": "8000"}, {name: "somewhere"})
        assert "http_port may not be set" in reason, name


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, r"^mongo\.uri is not set"),
        ({"mongo.uri": "mongomock://"}, "^PROMETHEUS_MULTIPROC_DIR /nowhere is not a folder that can be written.$"),
        ({"mongo.uri": "embedded:/dev/null/mongo"}, "^mongod cannot use /dev/null/mongo: Not a directory$"),
    ],
)
def test_a_service_that_cannot_start_ends_the_process_with_the_reason(monkeypatch, settings, reason):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "/nowhere")

    with pytest.raises(SystemExit, match=reason):
        make_app({}, **settings)


def parse(request, packet_size=8192):
    """Return the parser after a request that comes in packets."""
    parser = RequestParser(Adjustments(max_request_header_size=65536, max_request_body_size=65536))
    for start in range(0, len(request), packet_size):
        if not parser.completed:
            parser.received(request[start : start + packet_size])
    return parser


def get(target=b"/", *headers, host=b"Host: campus"):
    return b"\r\n".join([b"GET " + target + b" HTTP/1.1", host, *headers, b"", b""])


HOSTS = (b"", b"campus", b"CAMPUS.example.edu:8080", b"127.0.0.1:", b"[::1]:6543", b"m%C3%BC", b"a_b")
# Missing, repeated and invalid ones of each version.
INVALID_HOSTS = (
    *((version, []) for version in (b" HTTP/1.1", b" HTTP/1.2", b" HTTP/2.0")),
    (b" HTTP/1.1", [b"Host: campus", b"Host: campus"]),
    (b" HTTP/1.1", [b"Host: campus", b"X: a", b"hOsT:evil"]),
    *((version, [b"Host: campus", b"Host: evil"]) for version in (b" HTTP/1.0", b"")),
    *((b" HTTP/1.1", [b"Host: " + host]) for host in (b"a b", b"a, b/c", b"user@campus", b"campus:80a", b"[::1")),
    (b" HTTP/1.0", [b"Host: m\xc3\xbc"]),
)


def test_a_request_is_parsed():
    for request in (
        *(get(), b"\r\n" + get(), get(b"http://campus/map"), get(b"HTTPS://campus")),
        *(b"GET /\r\n\r\n", b"GET / HTTP/1.0\r\n\r\n"),
        *(get(b"/" + b"a" * 65_000), get(b"/", b"X: " + b"a" * 16_380), get(b"/", *[b"X: a"] * 99)),
        *(get(b"/", b"X: a\tb"), get(b"/", b"X: a" + b" " * 64 + b"b"), get(b"/", b"X: \xff")),
        b"OPTIONS * HTTP/1.1\r\nHost: campus\r\n\r\n",
        *(get(host=name + host + b" ") for name in (b"Host: ", b"host:", b"HOST:\t") for host in HOSTS),
    ):
        parser = parse(request)
        assert (parser.completed, parser.error) == (True, None), request[:40]
        assert "CONNECTION" not in parser.headers, request[:40]


def test_an_invalid_request_is_rejected_with_a_problem_document():
    for request in (
        *(get(b"/", b"X: a\x00b"), get(b"/", b"X: a\rb"), get(b"/", b"X: a\nb"), get(b"/\x7f"), get(b"/ x")),
        get(b"/", b"X: a" + b" \t" * 33 + b"b"),
        *(get(b"/", b"X:" + b"\t" * 16_000 + b"\x7f"), get(b"/", b"X: " + b"a" * 16_382), get(b"/", *[b"X: a"] * 100)),
        *(get(b"/", b"X: a", b" b"), get(b"/", b"X: a", b"\tb"), get(b"/", b"Content-Length: " + b"1" * 5000)),
        *(get(b"a://" + b"1" * 8000 + b" x"), get(b"a://" + b"1" * 8000), get(b" " * 8000), get(b"http://[::1/")),
        b"GET http://" + b"1" * 8000 + b" x\r\n\r\n",
        b"get / HTTP/1.1\r\nHost: campus\r\n\r\n",
        b"CONNECT campus:443 HTTP/1.1\r\nHost: campus\r\n\r\n",
        *(b"\r\n".join([b"GET /" + version, *hosts, b"", b""]) for version, hosts in INVALID_HOSTS),
    ):
        parser = parse(request)
        assert parser.error, request[:80]
        status, headers, body = parser.error.to_response()
        assert (status, json.loads(body)["status"]) == ("400 Bad Request", 400), request[:40]
        assert dict(headers)["Content-Type"] == "application/problem+json", request[:40]


def test_a_header_over_64_kb_is_a_431():
    status, _, body = parse(get(b"/" + b"a" * 65_536)).error.to_response()

    assert status == f"431 {json.loads(body)['title']}" == "431 Request Header Fields Too Large"


def test_a_rejected_request_has_an_id():
    _, with_id, _ = parse(get(b"http://[::1/", b"X-Request-Id: monday-1")).error.to_response()
    _, without_id, _ = parse(get(b"/ x")).error.to_response()

    assert dict(with_id)["X-Request-Id"] == "monday-1"
    assert dict(without_id)["X-Request-Id"]


def test_pipelined_requests_are_dropped_and_the_connection_closed():
    parser, request = RequestParser(Adjustments()), get()

    assert parser.received(request * 3) == 3 * len(request)
    assert parser.headers["CONNECTION"] == "close"
