"""Requests and texts take linear time, whatever they repeat."""

from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from waitress.adjustments import Adjustments
from webob import Request

import campus_api
from campus_api.domain import tables
from campus_api.domain.models import Names
from campus_api.domain.text import fold, normalize
from campus_api.server import RequestParser
from loaders.readers.collector import BuildingCollector
from loaders.result import BuildingRead, SourceLocation
from loaders.text import normalized_name
from tests.factories import NOON, building, row
from tests.linear import assert_linear, reordered_marks, repeated_bytes

# The parser of the server bounds a header line, and a request line with all headers.
HEADER_SIZE, QUERY_SIZE = 16_000, 60_000
HEADERS = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Type", "Cookie", "Host"),
    *("If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "Range", "X-Request-Id"),
]
often = settings(max_examples=200)

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


@often
@given(place=st.sampled_from([*PREFIXES_AND_SUFFIXES]), repeated=repeated_bytes)
@example("value", b"\t")
@example("value with an invalid end", b"\t")
@example("path", b" ")
@example("host before a third word", b"1")
@example("host of another scheme", b"1")
def test_the_server_parses_a_request_in_linear_time(place, repeated):
    prefix, suffix = PREFIXES_AND_SUFFIXES[place]

    def parse(size):
        request = prefix + repeated * (size // len(repeated)) + suffix
        parser = RequestParser(Adjustments(max_request_header_size=65536, max_request_body_size=65536))
        for start in range(0, len(request), 8192):
            if not parser.completed:
                parser.received(request[start : start + 8192])

    assert_linear(parse, 60_000)


@often
@given(name=st.sampled_from(HEADERS), repeated=repeated_bytes)
@example("Accept", b"a/b;q=1,")
@example("Accept", b"application/geo+json,")
@example("Accept-Encoding", b",")
@example("If-None-Match", b'W/"a",')
def test_a_header_is_parsed_in_linear_time(app, name, repeated):
    key = name.upper().replace("-", "_")
    key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
    text = repeated.decode("latin-1")

    assert_linear(lambda size: call(app, "/map/buildings", **{key: text * (size // len(text))}), HEADER_SIZE)


@often
@given(
    path=st.sampled_from(["/map/buildings", "/dining/menus"]),
    prefix=st.sampled_from(["", "name=", "date=", "meal="]),
    repeated=repeated_bytes,
)
@example("/map/buildings", "name=", b"%&")
@example("/dining/menus", "", b"%&")
@example("/dining/menus", "meal=", b"1")
@example("/dining/menus", "date=", b" ")
def test_a_query_is_parsed_in_linear_time(app, path, prefix, repeated):
    text = repeated.decode("latin-1")

    assert_linear(lambda size: call(app, path, QUERY_STRING=prefix + text * (size // len(text))), QUERY_SIZE)


@settings(max_examples=20)
@given(repeated=repeated_bytes)
@example(b"a")
def test_a_path_is_parsed_in_linear_time(app, repeated):
    text = repeated.decode("latin-1")

    def get_page(size):
        path = f"/{text * (size // len(text))}/b"
        return call(app, "/", PATH_INFO=path, HTTP_ACCEPT="text/html")

    assert_linear(get_page, QUERY_SIZE)


def test_combining_marks_are_parsed_in_linear_time(app):
    for path in ("/dining/dishes", "/map/buildings"):
        for prefix in ("label=", "without=", "recipe=", ""):
            url = f"{path}?{prefix}"
            assert_linear(lambda size, url=url: call(app, url + quote(reordered_marks(size))), 10_000)


def test_any_text_is_normalized_and_folded_in_linear_time():
    for form in ("NFC", "NFKC", "NFKD"):
        assert_linear(lambda size, form=form: normalize(form, reordered_marks(size)), 32_000)
    for function in (fold, normalized_name):
        assert_linear(lambda size, function=function: function(reordered_marks(size)), 32_000)


def test_a_row_of_csv_takes_linear_time():
    names = Names({}, {})

    assert_linear(lambda size: list(tables.menu_cells([row(7, reordered_marks(size))], names)), 32_000)


def test_one_id_for_all_buildings_takes_linear_time():
    def collect(size):
        collector = BuildingCollector(BuildingRead())
        for index in range(size):
            each = building(polygons=(), point=(42.0, index / 1_000_000))
            collector.add(each, "a.geojson", SourceLocation(index), mergeable=False)
        collector.finish()

    assert_linear(collect, 4000)
