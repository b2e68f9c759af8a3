import re
import subprocess
import sys
from http.client import HTTPConnection

import pytest

from campus_api.server import serve

WRONG = ["", "x", "-1", "+1", "1.5", "65536", "80 80", "²"]

PROGRAM = """
import logging
from campus_api.server import serve

def app(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]

logging.basicConfig(level=logging.INFO, format="%(message)s")
serve(app, {"http_port": "0"}, host="127.0.0.1", port="no port")
"""


@pytest.fixture
def waitress(monkeypatch):
    """The options that waitress was given; it does not serve."""
    given = {}
    monkeypatch.setattr("waitress.serve", lambda app, **options: given.update(options, app=app))
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


def test_the_application_is_served(waitress):
    serve(app, {})

    assert waitress["app"] is app


def test_the_ini_file_chooses_the_port(waitress):
    serve(app, {"here": "/srv"}, port="8080")

    assert waitress["port"] == "8080"


def test_the_command_line_beats_the_ini_file(waitress):
    serve(app, {"http_port": "8000"}, port="6543")

    assert waitress["port"] == "8000"


def test_the_command_line_beats_a_wrong_port_in_the_ini_file(waitress):
    serve(app, {"http_port": "8000"}, port="none")

    assert waitress["port"] == "8000"


def test_the_port_that_nobody_chooses_is_6543(waitress):
    serve(app, {})

    assert waitress["port"] == "6543"


def test_other_options_of_the_ini_file_reach_waitress(waitress):
    serve(app, {"http_port": "8000"}, host="127.0.0.1", threads="8")

    assert waitress == {"app": app, "host": "127.0.0.1", "threads": "8", "port": "8000"}


def test_other_variables_of_the_command_line_do_not_reach_waitress(waitress):
    serve(app, {"here": "/srv", "__file__": "/srv/production.ini"}, port="6543")

    assert waitress == {"app": app, "port": "6543"}


@pytest.mark.parametrize("port", ["0", "1", "65535"])
def test_every_port_number_is_taken(waitress, port):
    serve(app, {"http_port": port})

    assert waitress["port"] == port


@pytest.mark.parametrize("port", WRONG)
def test_a_wrong_port_on_the_command_line_is_refused_by_name(waitress, port):
    with pytest.raises(ValueError, match=rf"^http_port '{re.escape(port)}' is not a port number"):
        serve(app, {"http_port": port}, port="6543")


@pytest.mark.parametrize("port", WRONG)
def test_a_wrong_port_in_the_ini_file_is_refused_by_name(waitress, port):
    with pytest.raises(ValueError, match=rf"^port '{re.escape(port)}' is not a port number"):
        serve(app, {}, port=port)


def test_more_digits_than_python_converts_are_refused_by_name(waitress):
    with pytest.raises(ValueError, match="^http_port "):
        serve(app, {"http_port": "9" * 5000})


def test_a_wrong_port_is_not_served(waitress):
    with pytest.raises(ValueError, match="http_port"):
        serve(app, {"http_port": "65536"})

    assert waitress == {}
