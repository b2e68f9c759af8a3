"""Requests and texts take linear time, whatever they repeat."""

from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from waitress.adjustments import Adjustments
from webob import Request

import campus_api
from campus_api.domain import tables
from campus_api.domain.models import Names
from campus_api.domain.text import fold, normalize
from campus_api.server import RequestParser
from tests.factories import NOON, row
from tests.linear import assert_linear, reordered_marks, repeated_bytes

# The parser of the server bounds a header line, and a request line with all headers.
HEADER_SIZE, QUERY_SIZE = 16_000, 60_000
HEADERS = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Type", "Cookie", "Host"),
    *("If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "Range", "X-Request-Id"),
]

# What comes before and after the repeated bytes of a request.
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


@pytest.fixture(scope="module")
def app():
    app = campus_api.main({}, **{"mongo.uri": "mongomock://", "clock.frozen_at": NOON})
    yield app
    app.registry["revisions"].close()


def call(app, path, **environ):
    request = Request.blank(path)
    request.environ.update(environ)
    return request.get_response(app)


@pytest.mark.parametrize("place", PREFIXES_AND_SUFFIXES)
@settings(max_examples=40, deadline=None)
@given(repeated=repeated_bytes)
@example(b"\t")
@example(b" ")
@example(b"1")
def test_the_server_parses_a_request_in_linear_time(place, repeated):
    prefix, suffix = PREFIXES_AND_SUFFIXES[place]

    def parse(size):
        request = prefix + repeated * (size // len(repeated)) + suffix
        parser = RequestParser(Adjustments(max_request_header_size=65536, max_request_body_size=65536))
        for start in range(0, len(request), 8192):
            if not parser.completed:
                parser.received(request[start : start + 8192])

    assert_linear(parse, 60_000)


@pytest.mark.parametrize("name", HEADERS)
@settings(max_examples=20, deadline=None)
@given(repeated=repeated_bytes)
@example(b",")
@example(b"a/b;q=1,")
@example(b"application/geo+json,")
@example(b'W/"a",')
def test_a_header_is_parsed_in_linear_time(app, name, repeated):
    key = name.upper().replace("-", "_")
    key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
    text = repeated.decode("latin-1")

    assert_linear(lambda size: call(app, "/map/buildings", **{key: text * (size // len(text))}), HEADER_SIZE)


@pytest.mark.parametrize("path", ["/map/buildings", "/dining/menus"])
@pytest.mark.parametrize("prefix", ["", "name=", "date=", "meal="])
@settings(max_examples=20, deadline=None)
@given(repeated=repeated_bytes)
@example(b"%&")
@example(b"1")
@example(b" ")
def test_a_query_is_parsed_in_linear_time(app, path, prefix, repeated):
    text = repeated.decode("latin-1")

    assert_linear(lambda size: call(app, path, QUERY_STRING=prefix + text * (size // len(text))), QUERY_SIZE)


@settings(max_examples=20, deadline=None)
@given(repeated=repeated_bytes)
@example(b"a")
def test_a_path_is_parsed_in_linear_time(app, repeated):
    text = repeated.decode("latin-1")

    def get_page(size):
        path = f"/{text * (size // len(text))}/b"
        return call(app, "/", PATH_INFO=path, HTTP_ACCEPT="text/html")

    assert_linear(get_page, QUERY_SIZE)


@pytest.mark.parametrize("prefix", ["label=", "without=", "recipe=", ""])
@pytest.mark.parametrize("path", ["/dining/dishes", "/map/buildings"])
def test_combining_marks_are_parsed_in_linear_time(app, path, prefix):
    assert_linear(lambda size: call(app, f"{path}?{prefix}{quote(reordered_marks(size))}"), 10_000)


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
def test_any_text_is_normalized_in_linear_time(form):
    assert_linear(lambda size: normalize(form, reordered_marks(size)), 32_000)


def test_any_text_is_folded_in_linear_time():
    assert_linear(lambda size: fold(reordered_marks(size)), 32_000)


def test_a_row_of_csv_takes_linear_time():
    names = Names({}, {})

    assert_linear(lambda size: list(tables.menu_cells([row(7, reordered_marks(size))], names)), 32_000)
