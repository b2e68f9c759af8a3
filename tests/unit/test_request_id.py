import logging
from contextvars import Context

from campus_api.http import request_id


def record(message="x", exc_info=None):
    return request_id.RequestIdLogRecord("campus", logging.INFO, __file__, 1, message, (), exc_info)


def test_a_record_has_the_id_of_the_current_request():
    context = Context()
    context.run(request_id.bind_request_id, {"HTTP_X_REQUEST_ID": "monday"})

    assert context.run(record).request_id == "monday"


def test_a_record_outside_of_requests_has_no_id():
    assert "request_id" not in vars(Context().run(record))


def test_readable_lines_end_with_the_id():
    context = Context()
    context.run(request_id.bind_request_id, {"HTTP_X_REQUEST_ID": "monday"})

    assert request_id.ReadableFormatter("%(levelname)s %(message)s").format(context.run(record)) == "INFO x [monday]"


def test_control_characters_are_escaped_in_readable_lines():
    for message, line in (
        ("GET /\nINFO forged", "GET /\\nINFO forged"),
        ("GET /\r\nINFO forged", "GET /\\r\\nINFO forged"),
        ("GET /\x1b[2J", "GET /\\x1b[2J"),
        ("GET /\x85\u2028\x00", "GET /\\x85\\u2028\\x00"),
        ("GET /café", "GET /café"),
    ):
        formatted = request_id.ReadableFormatter("%(message)s").format(Context().run(record, message))
        assert formatted == line


def test_no_line_of_a_traceback_looks_like_a_record():
    error = ValueError("bad\nINFO forged")

    text = request_id.ReadableFormatter("%(message)s").format(
        Context().run(record, "failed", (ValueError, error, None))
    )

    assert text.splitlines() == ["failed", "  ValueError: bad", "  INFO forged"]


def test_readable_lines_outside_of_requests_have_no_id():
    assert request_id.ReadableFormatter("%(message)s").format(Context().run(record)) == "x"
