"""The output and the exit statuses of campus-conformance."""

import json
import os
import pty
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.runner import CHECKS
from tests.conformance import minimal_server
from tests.conformance.canned_server import canned_server

NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>"
EMPTY_LIST = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]"


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


def invoke(*arguments):
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6543",
        "ftp://localhost",
        "http://",
        "http://localhost:port",
        "http://localhost:99999",
        "http://localhost?x=1",
        "http://me:secret@localhost",
        "http://café.example",
        "",
    ],
)
def test_invalid_base_url_is_rejected(url):
    result = invoke(url)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not like http://host[:port]" in result.stderr


def test_unknown_check_is_rejected():
    result = invoke("http://localhost", "--only", "no_such_check")

    assert result.exit_code == 2
    assert "no_such_check" in result.stderr


def test_closed_port_exits_with_2():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        result = invoke(f"http://127.0.0.1:{unused.getsockname()[1]}", "--json")

    assert (result.exit_code, result.stdout) == (2, "")
    assert ": [Errno 111] Connection refused" in result.stderr


@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.2\r\n", b"", b"HTTP/1.1 two hundred\r\n\r\n"])
def test_other_protocol_exits_with_2(greeting):
    with canned_server(greeting) as (url, _):
        result = invoke(url)

    assert (result.exit_code, result.stdout) == (2, "")
    assert f"campus-conformance: no HTTP response from {url}: " in result.stderr


def test_server_of_the_specification_passes_every_check():
    with make_server("127.0.0.1", 0, minimal_server.app, handler_class=QuietHandler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        result = invoke(f"http://127.0.0.1:{server.server_port}", "--json")
        server.shutdown()
        thread.join()

    report = json.loads(result.stdout)
    assert [check for check in report["checks"] if check["result"] != "passed"] == []
    assert (result.exit_code, report["passed"]) == (0, len(CHECKS))


@pytest.mark.parametrize("response", [NOT_FOUND, PAGE])
def test_unrelated_service_fails_the_checks(response):
    with canned_server(response) as (url, _):
        result = invoke(url, "--json")

    report = json.loads(result.stdout)
    assert (result.exit_code, report["passed"], report["skipped"]) == (1, 0, 0)


def test_unexpected_json_fails_checks_without_a_crash():
    body = b'[{"id":[],"name":7,"date":{},"geometry":null},3,null]'
    with canned_server(EMPTY_LIST.replace(b"Length: 2", b"Length: %d" % len(body)).replace(b"[]", body)) as (url, _):
        result = invoke(url, "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["failed"] > 20


def test_failed_check_reports_request_expected_and_actual():
    with canned_server(NOT_FOUND) as (url, _):
        result = invoke(url, "--only", "buildings_are_a_list")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "Buildings",
        "  failed   The list of buildings is a JSON array.",
        "           check     buildings_are_a_list",
        f"           request   GET {url}/map/buildings",
        "           expected  status 200",
        "           actual    404 no",
        f"           curl      curl --include --globoff {url}/map/buildings",
        f"{url}: 0 passed, 1 failed, 0 skipped",
    ]


def test_check_without_data_is_skipped():
    with canned_server(EMPTY_LIST) as (url, _):
        result = invoke(url, "--only", "building_ids_are_unique", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "url": url,
        "passed": 0,
        "failed": 0,
        "skipped": 1,
        "checks": [
            {
                "section": "Buildings",
                "name": "building_ids_are_unique",
                "description": CHECKS["building_ids_are_unique"].description,
                "result": "skipped",
                "detail": {"reason": "/map/buildings is empty"},
            }
        ],
    }


def test_path_of_the_url_is_a_prefix():
    with canned_server(EMPTY_LIST) as (url, requests):
        result = invoke(f"{url}/campus/v1/", "--only", "buildings_are_a_list")

    assert result.exit_code == 0
    assert [request.split()[1] for request in requests] == [b"/campus/v1/", b"/campus/v1/map/buildings"]


def test_colors_are_for_terminals_only():
    script = Path(sys.executable).parent / "campus-conformance"
    terminal, terminal_output = pty.openpty()
    with canned_server(EMPTY_LIST) as (url, _):
        arguments = [script, url, "--only", "buildings_are_a_list"]
        plain = subprocess.run(arguments, check=True, capture_output=True).stdout
        subprocess.run(arguments, check=True, stdout=terminal_output, env={**os.environ, "TERM": "xterm-256color"})
    colored = os.read(terminal, 65536)
    os.close(terminal)
    os.close(terminal_output)

    assert b"\x1b[32mpassed" in colored
    assert b"\x1b" not in plain
