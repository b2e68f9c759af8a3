"""The layer around applications that do what the views never do."""

import pytest
from webtest import TestApp

from campus_api.http.access_log import AccessLogMiddleware

HEADERS = [("Content-Type", "text/plain")]


class Chunks:
    """An answer that tells whether it was closed, and may break off."""

    def __init__(self, *chunks):
        self.chunks = chunks
        self.closed = 0

    def __iter__(self):
        for chunk in self.chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    def close(self):
        self.closed += 1


def answering(chunks):
    def app(environ, start_response):
        start_response("200 OK", HEADERS)
        return chunks

    return app


@pytest.fixture
def lines(caplog):
    caplog.set_level("INFO", "campus_api.access")

    def lines():
        return [record for record in caplog.records if hasattr(record, "duration_ms")]

    return lines


def test_a_line_has_what_was_asked_and_answered(lines):
    TestApp(AccessLogMiddleware(answering([b"abc", b"de"]))).get(
        "/caf%C3%A9/1?name=a%20b", headers={"User-Agent": "curl/8"}
    )

    (line,) = lines()
    assert (line.method, line.path, line.query, line.status) == ("GET", "/caf%C3%A9/1", "name=a%20b", 200)
    assert (line.bytes, line.user_agent) == (5, "curl/8")
    assert 0 < line.duration_ms < 10_000
    assert line.getMessage() == f"GET /caf%C3%A9/1?name=a%20b: 200, 5 bytes in {line.duration_ms} ms"


def test_an_answer_to_head_has_no_bytes(lines):
    # The server keeps the body back; WebTest's lint would not let it pass.
    TestApp(AccessLogMiddleware(answering([b"abc"])), lint=False).head("/")

    assert [(line.method, line.bytes) for line in lines()] == [("HEAD", 0)]


def test_an_answer_is_closed_once():
    chunks = Chunks(b"abc")

    TestApp(AccessLogMiddleware(answering(chunks))).get("/")

    assert chunks.closed == 1


def test_the_line_is_written_when_the_answer_is_over(lines):
    answer = AccessLogMiddleware(answering(Chunks(b"abc")))({"REQUEST_METHOD": "GET"}, lambda *_: None)
    before = lines()
    list(answer)
    answer.close()

    assert (before, len(lines())) == ([], 1)


def test_an_answer_that_breaks_off_is_logged_with_what_was_sent(lines):
    chunks = Chunks(b"abc", OSError("gone"), b"de")

    with pytest.raises(OSError, match="gone"):
        TestApp(AccessLogMiddleware(answering(chunks))).get("/")

    assert ([line.bytes for line in lines()], chunks.closed) == ([3], 1)


def test_a_client_that_leaves_early_is_logged(lines):
    answer = AccessLogMiddleware(answering(Chunks(b"abc", b"de")))({"REQUEST_METHOD": "GET"}, lambda *_: None)
    next(iter(answer))
    answer.close()

    assert [line.bytes for line in lines()] == [3]


@pytest.mark.parametrize("part", ["path", "query", "user_agent"])
def test_what_is_long_is_cut(lines, part):
    text = "x" * 5000

    TestApp(AccessLogMiddleware(answering([b""]))).get(f"/{text}?{text}", headers={"User-Agent": text})

    assert 900 < len(getattr(lines()[0], part)) < 1100


def test_a_line_cannot_be_forged(lines):
    odd = {"REQUEST_METHOD": "GET", "PATH_INFO": "/a\nb\x1b", "QUERY_STRING": "c\nd\xe9\u20ac"}

    AccessLogMiddleware(answering([b""]))(odd, lambda *_: None).close()

    assert lines()[0].getMessage().startswith("GET /a%0Ab%1B?c%0Ad%E9?: 200, ")
