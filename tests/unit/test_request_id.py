import logging
from contextvars import Context

from campus_api.http import request_id

READABLE = request_id.ReadableFormatter("%(levelname)s %(message)s")


def record(message="x", exc_info=None):
    return request_id.RequestIdLogRecord("campus", logging.INFO, __file__, 1, message, (), exc_info)


def test_a_record_has_the_id_of_the_current_request():
    context = Context()
    context.run(request_id.bind_request_id, {"HTTP_X_REQUEST_ID": "monday"})

    inside, outside = context.run(record), Context().run(record)

    assert (inside.request_id, "request_id" in vars(outside)) == ("monday", False)
    assert [READABLE.format(each) for each in (inside, outside)] == ["INFO x [monday]", "INFO x"]


def test_control_characters_are_escaped_in_readable_lines():
    for message, line in (
        ("GET /\r\nINFO forged", "INFO GET /\\r\\nINFO forged"),
        ("GET /\x1b[2J", "INFO GET /\\x1b[2J"),
        ("GET /\x85\u2028\x00", "INFO GET /\\x85\\u2028\\x00"),
        ("GET /café", "INFO GET /café"),
    ):
        assert READABLE.format(Context().run(record, message)) == line, message


def test_no_line_of_a_traceback_looks_like_a_record():
    error = ValueError("bad\nINFO forged")

    text = READABLE.format(Context().run(record, "failed", (ValueError, error, None)))

    assert text.splitlines() == ["INFO failed", "  ValueError: bad", "  INFO forged"]
