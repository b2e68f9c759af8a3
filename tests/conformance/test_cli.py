"""The command campus-conformance: what it prints and how it ends."""

import json
import os
import pty
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.runner import CHECKS
from tests.conformance.servers import answering

NOTHING = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
EMPTY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]"


def command(*arguments):
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
def test_what_is_no_url_of_a_server_is_refused(url):
    ended = command(url)

    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "is not like http://host[:port]" in ended.stderr


def test_a_check_of_another_name_is_refused():
    ended = command("http://localhost", "--only", "no_such_check")

    assert ended.exit_code == 2
    assert "no_such_check" in ended.stderr


def test_a_port_where_nobody_listens_ends_with_2():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        ended = command(f"http://127.0.0.1:{taken.getsockname()[1]}", "--json")

    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "does not answer: [Errno 111] Connection refused" in ended.stderr


@pytest.mark.parametrize("said", [b"SSH-2.0-OpenSSH_9.2\r\n", b"", b"HTTP/1.1 two hundred\r\n\r\n"])
def test_what_is_not_http_ends_with_2(said):
    with answering(said) as (url, _):
        ended = command(url)

    assert (ended.exit_code, ended.stdout) == (2, "")
    assert f"campus-conformance: {url} does not answer" in ended.stderr


def test_another_service_fails_every_check_of_what_it_should_have():
    with answering(NOTHING) as (url, _):
        ended = command(url, "--json")

    found = json.loads(ended.stdout)
    passed = [check["name"] for check in found["checks"] if check["result"] == "passed"]
    assert (ended.exit_code, found["skipped"]) == (1, 0)
    assert set(passed) <= {"odd_requests_are_no_failure"}


def test_a_server_of_another_shape_fails_and_does_not_end_the_command():
    odd = b'[{"id":[],"name":7,"date":{},"geometry":null},3,null]'
    with answering(EMPTY.replace(b"Length: 2", b"Length: %d" % len(odd)).replace(b"[]", odd)) as (url, _):
        ended = command(url, "--json")

    assert ended.exit_code == 1
    assert json.loads(ended.stdout)["failed"] > 20


def test_a_failed_check_tells_what_was_asked_and_what_came():
    with answering(NOTHING) as (url, _):
        ended = command(url, "--only", "buildings_are_a_list")

    assert ended.exit_code == 1
    assert ended.stdout.splitlines() == [
        "Buildings",
        "  failed   The buildings are a JSON list.",
        "           check     buildings_are_a_list",
        f"           asked     GET {url}/map/buildings",
        "           expected  status 200",
        "           got       404 no",
        f"           again     curl --include --globoff {url}/map/buildings",
        f"{url}: 0 passed, 1 failed, 0 skipped",
    ]


def test_a_check_without_data_is_skipped_and_not_passed():
    with answering(EMPTY) as (url, _):
        ended = command(url, "--only", "buildings_come_by_id", "--json")

    assert ended.exit_code == 0
    assert json.loads(ended.stdout) == {
        "url": url,
        "passed": 0,
        "failed": 0,
        "skipped": 1,
        "checks": [
            {
                "section": "Buildings",
                "name": "buildings_come_by_id",
                "sentence": CHECKS["buildings_come_by_id"].sentence,
                "result": "skipped",
                "detail": {"reason": "/map/buildings is empty"},
            }
        ],
    }


def test_paths_are_asked_for_below_the_path_of_the_url():
    with answering(EMPTY) as (url, heard):
        ended = command(f"{url}/campus/v1/", "--only", "buildings_are_a_list")

    assert ended.exit_code == 0
    assert [request.split()[1] for request in heard] == [b"/campus/v1/", b"/campus/v1/map/buildings"]


def test_colours_are_for_terminals_only():
    script = Path(sys.executable).parent / "campus-conformance"
    ours, theirs = pty.openpty()
    with answering(EMPTY) as (url, _):
        arguments = [script, url, "--only", "buildings_are_a_list"]
        plain = subprocess.run(arguments, check=True, capture_output=True).stdout
        subprocess.run(arguments, check=True, stdout=theirs, env={**os.environ, "TERM": "xterm-256color"})
    coloured = os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)

    assert b"\x1b[32mpassed" in coloured
    assert b"\x1b" not in plain
