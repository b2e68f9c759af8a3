"""Requests are parsed in linear time, whatever bytes they repeat."""

from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from webob import Request

import campus_api
from tests.factories import NOON
from tests.linear import assert_linear, reordered_marks, repeated_bytes

# The parser of the server bounds a header line, and a request line with all headers.
HEADER_SIZE, QUERY_SIZE = 16_000, 60_000
HEADERS = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Type", "Cookie", "Host"),
    *("If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "Range", "X-Request-Id"),
]


@pytest.fixture(scope="module")
def app():
    app = campus_api.main({}, **{"mongo.uri": "mongomock://", "clock.frozen_at": NOON})
    yield app
    app.registry["revisions"].close()


def call(app, path, **environ):
    request = Request.blank(path)
    request.environ.update(environ)
    return request.get_response(app)


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
