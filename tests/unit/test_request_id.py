import logging
import subprocess
import sys
from contextvars import Context

import pytest

from campus_api.http import request_id

FORKING = """
import os
from campus_api.http import request_id

def new():
    return request_id.bind_request_id({})

first = new()
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, new().encode())
    os._exit(0)
os.waitpid(child, 0)
print(first, new(), os.read(reading, 100).decode())
"""


def record(message="x", exc_info=None):
    return request_id.RequestIdLogRecord("campus", logging.INFO, __file__, 1, message, (), exc_info)


def test_a_forked_worker_has_its_own_prefix():
    output = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, check=True, timeout=60)
    first, second, forked = output.stdout.split()

    assert first.partition("-")[0] == second.partition("-")[0] != forked.partition("-")[0]


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


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("GET /\nINFO forged", "GET /\\nINFO forged"),
        ("GET /\r\nINFO forged", "GET /\\r\\nINFO forged"),
        ("GET /\x1b[2J", "GET /\\x1b[2J"),
        ("GET /\x85\u2028\x00", "GET /\\x85\\u2028\\x00"),
        ("GET /café", "GET /café"),
    ],
)
def test_control_characters_are_escaped_in_readable_lines(message, line):
    assert request_id.ReadableFormatter("%(message)s").format(Context().run(record, message)) == line


def test_no_line_of_a_traceback_looks_like_a_record():
    error = ValueError("bad\nINFO forged")

    text = request_id.ReadableFormatter("%(message)s").format(
        Context().run(record, "failed", (ValueError, error, None))
    )

    assert text.splitlines() == ["failed", "  ValueError: bad", "  INFO forged"]


def test_readable_lines_outside_of_requests_have_no_id():
    assert request_id.ReadableFormatter("%(message)s").format(Context().run(record)) == "x"
