"""The command `campus-config check` on real databases: accounts, outages, the embedded MongoDB."""

import json
import socket

import pytest

from tests.factories import NOON
from tests.service.accounts import OWNER, READER, secrets_in
from tests.service.processes import ROOT, mongod_of, processes_using, wait_for

PRODUCTION = ROOT / "production.ini"


@pytest.fixture
def check(spawn):
    """Run the command to its end; return its exit status and what it said."""

    def check(uri, *options, ini=PRODUCTION):
        environment = {"CAMPUS_MONGO_URI": uri} if uri else {}
        process = spawn("campus-config", "check", ini, *options, CAMPUS_CLOCK_STOPPED_AT=NOON, **environment)
        return process.wait(), process.said()

    return check


def test_an_account_that_may_only_read_is_fine_and_told(check, guarded):
    status, said = check(guarded.uri(READER))

    assert (status, secrets_in(said)) == (0, [])
    assert "reader@campus, may only read\n" in said
    assert "mongodb://***@127.0.0.1:" in said


def test_an_account_that_may_write_is_told(check, guarded):
    status, said = check(guarded.uri(OWNER) + "?authSource=admin")

    assert (status, secrets_in(said)) == (0, [])
    assert "owner@admin, may write\n" in said
    assert "one that may only read is enough" in said


def test_a_reader_may_write_where_there_is_no_access_control(check, guarded):
    guarded.kill()
    guarded._command.remove("--auth")
    guarded.start()

    _, said = check(guarded.uri(READER), "--json")

    found = json.loads(said)["database"]
    assert (found["account"], found["access_control"], found["may_write"]) == ("reader@campus", False, True)


@pytest.mark.parametrize("account", ["", "reader:guess@"])
def test_an_account_that_may_not_read_is_trouble(check, guarded, account):
    status, said = check(guarded.uri(account))

    assert (status, "guess" in said) == (1, False)
    assert "wrong  the database cannot be " in said


def test_the_report_for_programs_is_one_json_object(check, guarded):
    status, said = check(guarded.uri(READER), "--json")

    report = json.loads(said)
    assert (status, report["status"], report["problems"], secrets_in(said)) == (0, 0, [], [])
    assert (report["database"]["reachable"], report["database"]["may_write"]) == (True, False)
    assert (report["datasets"]["buildings"]["revision"], report["datasets"]["dining"]["days_ahead"]) == (1, 1)


def test_a_database_that_is_down_is_trouble(check, guarded):
    guarded.kill()

    status, said = check(guarded.uri(READER))

    assert (status, secrets_in(said)) == (1, [])
    assert "wrong  the database cannot be reached: " in said


def test_a_database_that_never_answers_is_trouble(check):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        status, said = check(f"mongodb://127.0.0.1:{silent.getsockname()[1]}/campus")

    assert (status, "the database cannot be reached" in said) == (1, True)


def test_a_bad_configuration_is_told_by_the_exit_status(check):
    status, said = check(None)

    assert (status, "mongo.uri is not set" in said) == (2, True)


def test_an_embedded_database_that_is_started_for_the_check_stops_with_it(check, ini, tmp_path):
    status, said = check(None, ini=ini())

    assert (status, "started  for this check; it stops with it" in said) == (0, True)
    assert wait_for(lambda: not processes_using(tmp_path / "mongo"))


def test_an_embedded_database_that_runs_is_used_as_it_is(check, ini, embedded_user, tmp_path):
    embedded_user(tmp_path / "mongo")
    running = mongod_of(tmp_path / "mongo")

    status, said = check(None, ini=ini())

    assert (status, "started" in said, mongod_of(tmp_path / "mongo")) == (0, False, running)


def test_the_report_is_aligned(check, mongod_uri):
    _, said = check(mongod_uri)

    rows = [line for line in said.splitlines() if line.startswith("  ")]
    assert {row.find(" default") for row in rows if row.endswith(" default")} == {
        row.find(" environment") for row in rows if row.endswith(" environment")
    }


def test_a_long_value_is_shown_whole(check):
    uri = f"mongodb://{','.join(f'127.0.0.1:{port}' for port in range(1, 30))}/campus"

    _, said = check(uri)

    assert uri in "".join(said.partition("mongo.timeout_ms")[0].replace("environment", "").split())
