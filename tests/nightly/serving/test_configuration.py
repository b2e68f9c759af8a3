"""`campus-config check` with real databases: accounts, outages, the embedded MongoDB."""

import json
import socket

import pytest

from tests.factories import NOON
from tests.processes.commands import ROOT, wait_for
from tests.processes.mongod import OWNER, READER, mongod_of, processes_using, secrets_in

# Functional tests check the report in this process, and those of the documents run the command.
PRODUCTION = ROOT / "production.ini"


@pytest.fixture
def check(spawn):
    """Run the command to its end; return its exit status and output."""

    def check(uri, *options, ini=PRODUCTION):
        environment = {"CAMPUS_MONGO_URI": uri} if uri else {}
        process = spawn("campus-config", "check", ini, *options, CAMPUS_CLOCK_FROZEN_AT=NOON, **environment)
        return process.wait(), process.output()

    return check


@pytest.mark.parametrize(("account", "options"), [(READER, ""), (OWNER, "?authSource=admin")])
def test_a_loaded_database_is_ok(check, mongod_with_auth, account, options):
    status, output = check(mongod_with_auth.uri(account) + options)

    assert (status, secrets_in(output)) == (0, [])
    assert "mongodb://***@127.0.0.1:" in output


@pytest.mark.parametrize("account", ["", "reader:guess@"])
def test_an_account_without_read_access_is_a_problem(check, mongod_with_auth, account):
    status, output = check(mongod_with_auth.uri(account))

    assert (status, "guess" in output) == (1, False)
    assert "problem  the database cannot be " in output


def test_the_json_report_is_one_object(check, mongod_with_auth):
    status, output = check(mongod_with_auth.uri(READER), "--json")

    report = json.loads(output)
    assert (status, report["status"], report["problems"], secrets_in(output)) == (0, 0, [], [])
    assert (report["reachable"], report["documents"]["menus"]) == (True, 1)


def test_a_database_that_is_down_is_a_problem(check, mongod_with_auth):
    mongod_with_auth.kill()

    status, output = check(mongod_with_auth.uri(READER))

    assert (status, secrets_in(output)) == (1, [])
    assert "problem  the database cannot be reached: " in output


def test_a_database_that_never_responds_is_a_problem(check):
    with socket.create_server(("127.0.0.1", 0)) as unresponsive:
        status, output = check(f"mongodb://127.0.0.1:{unresponsive.getsockname()[1]}/campus")

    assert (status, "the database cannot be reached" in output) == (1, True)


def test_an_invalid_configuration_exits_with_status_2(check):
    status, output = check(None)

    assert (status, "mongo.uri is not set" in output) == (2, True)


@pytest.mark.parametrize(
    ("line", "wrong", "problem"),
    [
        ("threads = 4", "threads = many", "[server:main] cannot be used: threads 'many' is not a whole number"),
        ("threads = 4", "threads = 0", "[server:main] cannot be used: threads '0' is not a whole number of threads"),
        ("threads = 4", "threads = %(nope)s", "[server:main] cannot be used: "),
        ("port = 6543", "port = 80000", "[server:main] cannot be used: port '80000' is not a port number"),
        ("level = INFO", "level = INF", "logging cannot be configured: ValueError: Unknown level: 'INF'"),
        ("formatter = json", "formatter = xml", "logging cannot be configured: KeyError: 'xml'"),
        ("sys.stderr,", "sys.stdin.x,", "logging cannot be configured: AttributeError: "),
    ],
)
def test_what_pserve_cannot_use_is_an_invalid_configuration(check, tmp_path, line, wrong, problem):
    ini = tmp_path / "wrong.ini"
    ini.write_text(PRODUCTION.read_text(encoding="utf-8").replace(line, wrong), encoding="utf-8")

    status, output = check("mongodb://127.0.0.1/campus", "--settings-only", ini=ini)

    assert (status, f"problem  {problem}" in output, "Traceback" in output) == (2, True, False)


def test_a_folder_of_metrics_that_does_not_exist_is_named(spawn):
    process = spawn("pserve", PRODUCTION, CAMPUS_MONGO_URI="mongomock://", PROMETHEUS_MULTIPROC_DIR="/nowhere")

    assert process.wait() == 1
    assert process.output() == "PROMETHEUS_MULTIPROC_DIR /nowhere is not a folder that can be written.\n"


def test_an_embedded_database_started_by_the_check_stops_with_it(check, ini, tmp_path):
    status, output = check(None, ini=ini())

    assert (status, "dining: nothing is loaded." in output) == (1, True)
    assert wait_for(lambda: not processes_using(tmp_path / "mongo"))


def test_a_running_embedded_database_is_left_running(check, ini, embedded_user, tmp_path):
    embedded_user(tmp_path / "mongo")
    running = mongod_of(tmp_path / "mongo")

    status, _ = check(None, ini=ini())

    assert (status, mongod_of(tmp_path / "mongo")) == (1, running)


def test_the_report_is_aligned(check, mongod_uri):
    _, output = check(mongod_uri)

    rows = [line for line in output.splitlines() if line.startswith("  ")]
    assert {row.find(" default") for row in rows if row.endswith(" default")} == {
        row.find(" environment") for row in rows if row.endswith(" environment")
    }


def test_a_long_value_is_not_truncated(check):
    uri = f"mongodb://{','.join(f'127.0.0.1:{port}' for port in range(1, 30))}/campus"

    _, output = check(uri)

    assert uri in "".join(output.partition("mongo.timeout_ms")[0].replace("environment", "").split())
