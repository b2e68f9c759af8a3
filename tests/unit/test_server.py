import json
import re
import sys

import pytest
from hypothesis import example, given, settings
from waitress.adjustments import Adjustments

from campus_api.server import RequestParser, ServerError, make_app, resolve_options, resolve_port, serve
from tests.linear import assert_linear, repeated_bytes

INVALID_PORTS = ["", "x", "-1", "+1", "1.5", "65536", "80 80", "²", "9" * 5000]


def test_the_ini_file_chooses_the_port():
    assert resolve_port({"here": "/srv"}, "8080") == 8080


@pytest.mark.parametrize("port", ["6543", "none"])
def test_the_command_line_overrides_the_ini_file(port):
    assert resolve_port({"http_port": "8000"}, port) == 8000


@pytest.mark.parametrize("port", ["0", "1", "65535"])
def test_every_port_number_is_valid(port):
    assert resolve_port({"http_port": port}, "6543") == int(port)


@pytest.mark.parametrize("port", INVALID_PORTS)
def test_an_invalid_port_on_the_command_line_is_rejected(port):
    with pytest.raises(ValueError, match=rf"^http_port '{re.escape(port)}' is not a port number"):
        resolve_port({"http_port": port}, "6543")


@pytest.mark.parametrize("port", INVALID_PORTS)
def test_an_invalid_port_in_the_ini_file_is_rejected(port):
    with pytest.raises(ValueError, match=rf"^port '{re.escape(port)}' is not a port number"):
        resolve_port({}, port)


def test_the_default_port_is_6543():
    assert resolve_options({}, {"threads": "8"}) == {"threads": "8", "port": 6543}


def test_other_variables_of_the_command_line_are_ignored():
    assert resolve_options({"here": "/srv", "__file__": "/srv/production.ini"}, {}) == {"port": 6543}


def test_a_number_of_threads_with_which_waitress_would_not_respond_is_rejected():
    for value in ("0", "-1", "100000", "1_0", "four", ""):
        with pytest.raises(ValueError, match=rf"^threads '{value}' is not a whole number of threads from 1 to 1000\.$"):
            resolve_options({}, {"threads": value})


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("map", "Unknown adjustment 'map'"),
        ("application", "Unknown adjustment 'application'"),
        ("backlog", "invalid literal for int"),
    ],
)
def test_an_option_that_waitress_does_not_take_is_a_server_error(name, reason, monkeypatch):
    monkeypatch.setattr(sys, "tracebacklimit", 1000, raising=False)

    with pytest.raises(ServerError, match=reason):
        serve(None, {}, **{"port": "0", name: "a"})


@pytest.mark.parametrize("name", ["listen", "unix_socket"])
def test_another_address_replaces_the_port(name):
    assert resolve_options({}, {name: "somewhere"}) == {name: "somewhere"}


@pytest.mark.parametrize("name", ["listen", "unix_socket"])
def test_a_port_and_another_address_are_rejected(name):
    with pytest.raises(ValueError, match="http_port may not be set"):
        resolve_options({"http_port": "8000"}, {name: "somewhere"})


def test_an_invalid_setting_ends_the_process_with_its_message():
    with pytest.raises(SystemExit, match=r"^mongo\.uri is not set"):
        make_app({})


def parse(request, packet_size=8192):
    """Return the parser after a request that comes in packets."""
    parser = RequestParser(Adjustments(max_request_header_size=65536, max_request_body_size=65536))
    for start in range(0, len(request), packet_size):
        if not parser.completed:
            parser.received(request[start : start + packet_size])
    return parser


def get(target=b"/", *headers, host=b"Host: campus"):
    return b"\r\n".join([b"GET " + target + b" HTTP/1.1", host, *headers, b"", b""])


@pytest.mark.parametrize(
    "request_",
    [
        get(),
        b"GET /\r\n\r\n",
        b"\r\n" + get(),
        b"GET / HTTP/1.0\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: campus\r\n\r\n",
        get(b"http://campus/map"),
        get(b"HTTPS://campus"),
        get(b"/" + b"a" * 65_000),
        get(b"/", b"X: a\tb"),
        get(b"/", b"X: a" + b" " * 64 + b"b"),
        get(b"/", b"X: " + b"a" * 16_380),
        get(b"/", *[b"X: a"] * 99),
        get(b"/", b"X: \xff"),
    ],
)
def test_a_request_is_parsed(request_):
    parser = parse(request_)

    assert (parser.completed, parser.error) == (True, None)


@pytest.mark.parametrize(
    "request_",
    [
        get(b"/", b"X:" + b"\t" * 16_000 + b"\x7f"),
        get(b"/", b"X: a\x00b"),
        get(b"/", b"X: a\rb"),
        get(b"/", b"X: a\nb"),
        get(b"/", b"X: a" + b" \t" * 33 + b"b"),
        get(b"/", b"X: " + b"a" * 16_382),
        get(b"/", *[b"X: a"] * 100),
        get(b"/", b"X: a", b" b"),
        get(b"/", b"X: a", b"\tb"),
        get(b"/", b"Content-Length: " + b"1" * 5000),
        get(b"/\x7f"),
        get(b"/ x"),
        get(b"a://" + b"1" * 8000 + b" x"),
        get(b"a://" + b"1" * 8000),
        get(b"http://[::1/"),
        get(b" " * 8000),
        b"GET http://" + b"1" * 8000 + b" x\r\n\r\n",
        b"get / HTTP/1.1\r\nHost: campus\r\n\r\n",
        b"CONNECT campus:443 HTTP/1.1\r\nHost: campus\r\n\r\n",
    ],
)
def test_an_invalid_request_is_rejected_with_a_problem_document(request_):
    status, headers, body = parse(request_).error.to_response()

    assert status == "400 Bad Request"
    assert dict(headers)["Content-Type"] == "application/problem+json"
    assert json.loads(body)["status"] == 400


@pytest.mark.parametrize(
    "host", [b"", b"campus", b"CAMPUS.example.edu:8080", b"127.0.0.1:", b"[::1]:6543", b"m%C3%BC", b"a_b"]
)
@pytest.mark.parametrize("name", [b"Host: ", b"host:", b"HOST:\t"])
def test_a_request_has_one_host(name, host):
    parser = parse(get(host=name + host + b" "))

    assert (parser.completed, parser.error) == (True, None)


@pytest.mark.parametrize(
    ("version", "hosts"),
    [
        (b" HTTP/1.1", []),
        (b" HTTP/1.2", []),
        (b" HTTP/2.0", []),
        (b" HTTP/1.1", [b"Host: campus", b"Host: campus"]),
        (b" HTTP/1.1", [b"Host: campus", b"X: a", b"hOsT:evil"]),
        (b" HTTP/1.0", [b"Host: campus", b"Host: evil"]),
        (b"", [b"Host: campus", b"Host: evil"]),
        (b" HTTP/1.1", [b"Host: a b"]),
        (b" HTTP/1.1", [b"Host: a, b/c"]),
        (b" HTTP/1.1", [b"Host: user@campus"]),
        (b" HTTP/1.1", [b"Host: campus:80a"]),
        (b" HTTP/1.1", [b"Host: [::1"]),
        (b" HTTP/1.0", [b"Host: m\xc3\xbc"]),
    ],
)
def test_a_missing_repeated_or_invalid_host_is_rejected(version, hosts):
    request = b"\r\n".join([b"GET /" + version, *hosts, b"", b""])

    assert parse(request).error.to_response()[0] == "400 Bad Request"


def test_a_header_over_64_kb_is_a_431():
    status, _, body = parse(get(b"/" + b"a" * 65_536)).error.to_response()

    assert (status, json.loads(body)["title"]) == (
        "431 Request Header Fields Too Large",
        "Request Header Fields Too Large",
    )


def test_a_rejected_request_has_the_id_of_the_client():
    _, headers, _ = parse(get(b"http://[::1/", b"X-Request-Id: monday-1")).error.to_response()

    assert dict(headers)["X-Request-Id"] == "monday-1"


def test_a_rejected_request_without_an_id_has_a_new_one():
    _, headers, _ = parse(get(b"/ x")).error.to_response()

    assert dict(headers)["X-Request-Id"]


def test_pipelined_requests_are_dropped_and_the_connection_closed():
    parser, request = RequestParser(Adjustments()), get()

    assert parser.received(request * 3) == 3 * len(request)
    assert parser.headers["CONNECTION"] == "close"


def test_a_single_request_leaves_the_connection_open():
    parser = parse(get())

    assert "CONNECTION" not in parser.headers


PREFIXES_AND_SUFFIXES = {
    "value": (b"GET / HTTP/1.1\r\nHost: a\r\nX:", b"\r\n\r\n"),
    "value with an invalid end": (b"GET / HTTP/1.1\r\nHost: a\r\nX:", b"\x7f\r\n\r\n"),
    "name": (b"GET / HTTP/1.1\r\nHost: a\r\n", b":a\r\n\r\n"),
    "path": (b"GET /", b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    "host": (b"GET http://", b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    "host before a third word": (b"GET http://", b" x HTTP/1.1\r\nHost: a\r\n\r\n"),
    "host of another scheme": (b"GET a://", b" x HTTP/1.1\r\nHost: a\r\n\r\n"),
    "method": (b"", b" / HTTP/1.1\r\nHost: a\r\n\r\n"),
    "version": (b"GET / HTTP/1.1", b"\r\nHost: a\r\n\r\n"),
    "Host": (b"GET / HTTP/1.1\r\nHost:", b"\r\n\r\n"),
    "chunk": (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", b"\r\n"),
    "chunk extension": (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"\x7f\r\n"),
    "quoted chunk extension": (b'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a="', b"\r\n"),
    "trailer": (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"\r\n\r\n"),
}


@pytest.mark.parametrize("place", PREFIXES_AND_SUFFIXES)
@settings(max_examples=40, deadline=None)
@given(repeated=repeated_bytes)
@example(b"\t")
@example(b" ")
@example(b"1")
def test_a_request_is_parsed_in_linear_time(place, repeated):
    prefix, suffix = PREFIXES_AND_SUFFIXES[place]

    assert_linear(lambda size: parse(prefix + repeated * (size // len(repeated)) + suffix), 60_000)
