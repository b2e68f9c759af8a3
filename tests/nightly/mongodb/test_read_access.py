"""Accounts, certificates and errors of MongoDB, and data of a newer version, that prevent reads."""

import json
from contextlib import ExitStack

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import NOON, TODAY, foodpro_row, row, serving
from tests.processes import mongod as mongods
from tests.processes.commands import PRODUCTION, fetch, wait_for
from tests.processes.mongod import OWNER, PASSWORD, READER
from tests.processes.nginx import write_certificate
from tests.processes.servers import WARM_ENTRIES, health

NEWER = "dining was loaded by a newer version of campus-api (layout 3): upgrade this one"


@pytest.fixture
def start_mongod(tmp_path_factory):
    with ExitStack() as started:
        yield lambda *options: started.enter_context(mongods.running(tmp_path_factory.mktemp("m"), *options))


def messages(server, level):
    records = (json.loads(line) for line in server.output().splitlines() if line.startswith("{"))
    return [record["message"] for record in records if record["levelname"] == level]


def test_a_read_only_account_is_sufficient(mongod_with_auth, serve):
    reader = mongod_with_auth.uri(READER)

    server = serve(PRODUCTION, CAMPUS_MONGO_URI=reader)

    assert json.loads(fetch(f"{server.url}/dining/menus?date={TODAY}").body) == [row()]
    with MongoClient(reader) as client, pytest.raises(OperationFailure):
        client.campus.menus.insert_one({})


def test_a_wrong_password_is_a_503_and_not_logged(mongod_with_auth, serve):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_with_auth.uri("reader:guess@"))

    assert fetch(f"{server.url}/dining/recipes").status == 503
    assert "Authentication failed" in server.output()
    assert "guess" not in server.output()


@pytest.fixture
def serve_narrowly(mongod_with_auth, serve):
    """Start a service whose account has these actions on collections, all if ""."""

    def start(actions, *collections):
        privileges = [{"resource": {"db": "campus", "collection": name}, "actions": actions} for name in collections]
        with mongod_with_auth.database(OWNER) as database:
            database.command("createRole", "narrow", privileges=privileges, roles=[])
            database.command("createUser", "narrow", pwd="secret", roles=["narrow"])
        return serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_with_auth.uri("narrow:secret@"))

    return start


def test_a_collection_that_may_not_be_read_is_an_outage_with_its_reason(serve_narrowly):
    server = serve_narrowly(["find", "collStats"], "datasets", "buildings_1", "menus_1", "categories_1", "locations_1")

    reason = 'not authorized on campus to execute command find: "recipes_1"'
    assert health(server)["warnings"][0] == f"the database is unavailable: {reason}"
    assert messages(server, "ERROR") == [f"MongoDB is not available: {reason}"]


def test_a_query_that_fails_while_polls_succeed_is_logged_once(serve_narrowly):
    # An empty result needs another command, collStats.
    server = serve_narrowly(["find"], "")
    assert health(server)["database"] == "up"

    statuses = {fetch(f"{server.url}/dining/menus?date=1900-01-0{day}").status for day in range(1, 5)}

    assert statuses == {503}
    wait_for(lambda: messages(server, "ERROR"))
    [message] = messages(server, "ERROR")
    reason = "MongoDB is available, but a query failed: not authorized on campus to execute command aggregate: "
    assert message.startswith(reason)


def test_a_transient_read_error_is_a_503(start_mongod, serve):
    mongod = start_mongod("--setParameter", "enableTestCommands=1")
    with mongod.database() as database:
        publish(database, plan_dining(database, [serving()]), [])
        server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri())

        for code in (6, 134):
            failing = {"errorCode": code, "failCommands": ["find", "aggregate"]}
            database.client.admin.command("configureFailPoint", "failCommand", mode="alwaysOn", data=failing)
            assert fetch(f"{server.url}/dining/menus?meal={code}").status == 503
            database.client.admin.command("configureFailPoint", "failCommand", mode="off")
            wait_for(lambda code=code: fetch(f"{server.url}/dining/menus?meal={code}").status == 200)


@pytest.fixture
def certificate(tmp_path):
    """The folder of a certificate, which is its own CA, and a file with it and its key."""
    write_certificate(tmp_path / "ca.pem", tmp_path / "key")
    (tmp_path / "server.pem").write_text((tmp_path / "key").read_text() + (tmp_path / "ca.pem").read_text())
    return tmp_path


def test_the_service_verifies_the_certificate(serve, start_mongod, certificate):
    files = ["--tlsCertificateKeyFile", certificate / "server.pem", "--tlsCAFile", certificate / "ca.pem"]
    mongod = start_mongod("--tlsMode", "preferTLS", "--tlsAllowConnectionsWithoutCertificates", *files)
    secret = certificate / "uri"
    secret.write_text(f"{mongod.uri()}?tls=true&tlsCAFile={certificate / 'ca.pem'}\n")

    trusting, other = (
        serve(PRODUCTION, **uri)
        for uri in ({"CAMPUS_MONGO_URI_FILE": str(secret)}, {"CAMPUS_MONGO_URI": f"{mongod.uri()}?tls=true"})
    )

    wait_for(lambda: fetch(f"{trusting.url}/map/buildings").status == 200)
    assert fetch(f"{other.url}/map/buildings").status == 503
    assert b"certificate verify failed" in fetch(f"{other.url}/__heartbeat__").body


def test_a_file_of_certificates_that_cannot_be_used_is_named(spawn, certificate):
    (certificate / "bad.pem").write_text("x")
    for options, name, reason in [
        ("tlsCAFile={}/none.pem", "tlsCAFile {}/none.pem", "cannot be read: No such file or directory."),
        ("tlsCAFile={}/bad.pem", "tlsCAFile {}/bad.pem", "NO_CERTIFICATE_OR_CRL_FOUND"),
        ("tlsCAFile={0}/ca.pem&tlsCertificateKeyFile={0}/ca.pem", "tlsCertificateKeyFile {}/ca.pem", ""),
    ]:
        uri = f"mongodb://me:{PASSWORD[:5]}@db/campus?tls=true&{options.format(certificate)}"
        for command in (["pserve", PRODUCTION], ["campus-config", "check", PRODUCTION]):
            process = spawn(*command, CAMPUS_MONGO_URI=uri)

            assert process.wait() > 0
            # The report of the check is wrapped.
            output = " ".join(process.output().split())
            assert (name.format(certificate) in output, reason in output) == (True, True), output
            assert (PASSWORD[:5] in output, "Traceback" in output) == (False, False), output


@pytest.fixture
def set_layout(mongod_with_data):
    def set_layout(layout):
        with mongod_with_data.database() as database:
            database.datasets.update_one({"_id": "dining"}, {"$set": {"layout": layout}})

    return set_layout


def test_a_program_refuses_data_of_a_newer_version(spawn, mongod_with_data, set_layout, tmp_path):
    (tmp_path / "menus.json").write_text(json.dumps([foodpro_row()]))
    set_layout(3)

    for command, status in [
        (["pserve", PRODUCTION, "http_port=0"], 1),
        (["campus-config", "check", PRODUCTION], 2),
        (["campus-load", "dining", "menus.json", "--config", PRODUCTION], 4),
        (["campus-load", "samples", "--config", PRODUCTION], 4),
    ]:
        process = spawn(*command, CAMPUS_MONGO_URI=mongod_with_data.uri())

        assert process.wait() == status, command
        assert [line.endswith(NEWER) for line in process.output().splitlines() if "newer version" in line] == [True]
        assert "Traceback" not in process.output(), command


def test_a_running_service_goes_on_with_its_cache(serve, mongod_with_data, set_layout):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_with_data.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON)
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES)

    set_layout(3)

    wait_for(lambda: health(server)["warnings"] == [f"the database is unavailable: {NEWER}"])
    assert fetch(f"{server.url}/dining/menus").headers["Cache-Status"] == "campus; fwd=stale"
    set_layout(2)
    wait_for(lambda: health(server)["status"] == "ok")
