import re
import socket
import struct
import subprocess
import sys
from http.client import HTTPConnection
from types import SimpleNamespace

import pytest
from waitress.adjustments import Adjustments

from campus_api.server import serve

LONG = bytes(range(256)) * 80_000
PROGRAM = """
import logging
import sys
import time
from socket import socket
from campus_api.server import serve

bodies = {"/": b"hello", "/late": b"hello", "/long": bytes(range(256)) * 80_000}
send = socket.sendmsg

def noted(connection, parts):
    print(sum(map(len, parts)), file=sys.stderr, flush=True)
    return send(connection, parts)

def app(environ, start_response):
    body = bodies[environ["PATH_INFO"]]
    time.sleep(0.5 if environ["PATH_INFO"] == "/late" else 0)
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body] if environ["REQUEST_METHOD"] == "GET" else []

socket.sendmsg = noted
logging.basicConfig(level=logging.INFO, format="%(message)s")
serve(app, {"http_port": "0"}, host="127.0.0.1", port="no port")
"""


@pytest.fixture
def waitress(monkeypatch):
    """The options that waitress was given; it opens no socket, and serving without one ends at once."""
    given = {}

    def create_server(app, *, map, **options):
        given.update(options, app=app)
        return SimpleNamespace(print_listen=lambda text: None, adj=Adjustments())

    monkeypatch.setattr("waitress.create_server", create_server)
    monkeypatch.setattr("campus_api.interpreter.serve_well", lambda: None)
    return given


@pytest.fixture
def program():
    """A program that serves on a free port, which it names on its standard error."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        yield child
        child.terminate()


def app(environ, start_response):
    raise NotImplementedError


def test_the_service_answers_on_the_port_of_the_command_line(program):
    port = re.match(r"Serving on http://127\.0\.0\.1:([0-9]+)$", program.stderr.readline())[1]

    connection = HTTPConnection("127.0.0.1", int(port), timeout=10)
    connection.request("GET", "/")

    assert connection.getresponse().read() == b"hello"
    connection.close()


@pytest.mark.parametrize(("method", "body"), [("GET", b"hello"), ("HEAD", b"")])
def test_an_answer_leaves_in_one_piece(program, method, body):
    port = int(program.stderr.readline().rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        for _ in range(2):
            connection.sendall(f"{method} / HTTP/1.1\r\nHost: campus\r\n\r\n".encode())
            sent = int(program.stderr.readline())

            came = connection.recv(sent, socket.MSG_WAITALL)

            assert came.startswith(b"HTTP/1.1 200 OK\r\n")
            assert came.endswith(b"\r\n\r\n" + body)


def test_slow_readers_get_all_of_an_answer_before_the_next_ones(program):
    port = int(program.stderr.readline().rpartition(":")[2])
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", port))
        connection.sendall(b"GET /long HTTP/1.1\r\n\r\n" + b"GET / HTTP/1.1\r\n\r\n" * 99)
        connection.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")

        came = b"".join(iter(lambda: connection.recv(100_000), b""))

    nothing, *answers = came.split(b"HTTP/1.1 200 OK\r\n")
    assert nothing == b""
    assert [answer.partition(b"\r\n\r\n")[2] for answer in answers] == [LONG, *[b"hello"] * 100]


def test_a_client_that_has_gone_troubles_nobody(program):
    port = int(program.stderr.readline().rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(b"GET /late HTTP/1.1\r\n\r\n")
    tried = program.stderr.readline()

    other = HTTPConnection("127.0.0.1", port, timeout=10)
    other.request("GET", "/")
    answer = other.getresponse().read()
    other.close()
    program.terminate()

    assert (tried.strip().isdigit(), answer) == (True, b"hello")
    assert [line for line in program.stderr if not line.strip().isdigit()] == []


def test_the_application_is_served(waitress):
    serve(app, {})

    assert waitress["app"] is app


def test_the_port_that_nobody_chooses_is_6543(waitress):
    serve(app, {})

    assert waitress["port"] == 6543


def test_other_options_of_the_ini_file_reach_waitress(waitress):
    serve(app, {"http_port": "8000"}, port="6543", host="127.0.0.1", threads="8")

    assert waitress == {"app": app, "host": "127.0.0.1", "threads": "8", "port": 8000}


def test_other_variables_of_the_command_line_do_not_reach_waitress(waitress):
    serve(app, {"here": "/srv", "__file__": "/srv/production.ini"}, port="6543")

    assert waitress == {"app": app, "port": 6543}


def test_a_wrong_port_is_not_served(waitress):
    with pytest.raises(ValueError, match="http_port"):
        serve(app, {"http_port": "65536"})

    assert waitress == {}
