"""`campus-config check` with real databases: accounts, outages, the embedded MongoDB."""

import json

import pytest

from tests.factories import NOON
from tests.processes.commands import PRODUCTION, wait_for
from tests.processes.mongod import OWNER, READER, mongod_of, processes_using, secrets_in


@pytest.fixture
def check(spawn):
    """Run the command to its end; return its exit status and output."""

    def check(uri, *options, ini=PRODUCTION):
        environment = {"CAMPUS_MONGO_URI": uri} if uri else {}
        process = spawn("campus-config", "check", ini, *options, CAMPUS_CLOCK_FROZEN_AT=NOON, **environment)
        return process.wait(), process.output()

    return check


def test_a_database_is_ok_for_accounts_that_may_read_it(check, mongod_with_auth):
    for uri in (mongod_with_auth.uri(READER), mongod_with_auth.uri(OWNER) + "?authSource=admin"):
        status, output = check(uri, "--json")
        report = json.loads(output)
        assert (status, report["problems"], report["documents"]["menus"], secrets_in(output)) == (0, [], 1, [])
    for account in ("", "reader:guess@"):
        status, output = check(mongod_with_auth.uri(account))
        assert (status, "guess" in output, "problem  the database cannot be " in output) == (1, False, True)


def test_a_folder_of_metrics_that_does_not_exist_is_named(spawn):
    process = spawn("pserve", PRODUCTION, CAMPUS_MONGO_URI="mongomock://", PROMETHEUS_MULTIPROC_DIR="/nowhere")

    assert process.wait() == 1
    assert process.output() == "PROMETHEUS_MULTIPROC_DIR /nowhere is not a folder that can be written.\n"


def test_only_an_embedded_database_started_by_the_check_stops_with_it(check, ini, embedded_user, tmp_path):
    status, output = check(None, ini=ini())
    assert (status, "dining: nothing is loaded." in output) == (1, True)
    wait_for(lambda: not processes_using(tmp_path / "mongo"))

    embedded_user(tmp_path / "mongo")
    running = mongod_of(tmp_path / "mongo")
    assert check(None, ini=tmp_path / "development.ini")[0] == 1
    assert mongod_of(tmp_path / "mongo") == running
