"""Accounts and errors of MongoDB that prevent reads."""

import json

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, row, serving
from tests.processes.commands import ROOT, fetch, wait_for
from tests.processes.mongod import Mongod
from tests.processes.servers import health

PRODUCTION = ROOT / "production.ini"


@pytest.fixture
def start_mongod(tmp_path_factory):
    started = []

    def start(*options):
        started.append(Mongod(tmp_path_factory.mktemp("m"), *options))
        return started[-1]

    yield start
    for mongod in started:
        mongod.kill()


def serve_dining(uri):
    with MongoClient(uri) as client:
        database = client.get_default_database()
        publish(database, plan_dining(database, [serving()]), [])


def test_a_read_only_account_is_sufficient(start_mongod, serve):
    mongod = start_mongod("--auth")
    with MongoClient(mongod.uri()) as client:
        client.admin.command("createUser", "owner", pwd="secret", roles=["root"])
    with MongoClient(mongod.uri("owner:secret@") + "?authSource=admin") as client:
        client.campus.command("createUser", "reader", pwd="secret", roles=["read"])
    serve_dining(mongod.uri("owner:secret@") + "?authSource=admin")
    reader = mongod.uri("reader:secret@")

    server = serve(PRODUCTION, CAMPUS_MONGO_URI=reader)

    assert json.loads(fetch(f"{server.url}/dining/menus?date={TODAY}").body) == [row()]
    assert fetch(f"{server.url}/map/buildings").body == b"[]"
    with MongoClient(reader) as client, pytest.raises(OperationFailure):
        client.campus.menus.insert_one({})


def test_a_wrong_password_is_a_503_and_not_logged(start_mongod, serve):
    mongod = start_mongod("--auth")

    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri("reader:guess@"))

    assert fetch(f"{server.url}/dining/recipes").status == 503
    assert "Authentication failed" in server.output()
    assert "guess" not in server.output()


@pytest.fixture
def serve_narrowly(start_mongod, serve):
    """Start a service whose account has these actions on collections, all if "", and return it and its MongoDB."""

    def start(actions, *collections):
        mongod = start_mongod("--auth")
        with MongoClient(mongod.uri()) as client:
            client.admin.command("createUser", "owner", pwd="secret", roles=["root"])
        serve_dining(mongod.uri("owner:secret@") + "?authSource=admin")
        privileges = [{"resource": {"db": "campus", "collection": name}, "actions": actions} for name in collections]
        with MongoClient(mongod.uri("owner:secret@") + "?authSource=admin") as client:
            client.campus.command("createRole", "narrow", privileges=privileges, roles=[])
            client.campus.command("createUser", "narrow", pwd="secret", roles=["narrow"])
        return serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri("narrow:secret@"))

    return start


def test_a_collection_that_may_not_be_read_is_an_outage_with_its_reason(serve_narrowly):
    server = serve_narrowly(["find", "collStats"], "datasets", "menus_1", "categories_1", "locations_1")

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
    assert messages(server, "ERROR") == [
        'MongoDB is available, but a query failed: not authorized on campus to execute command aggregate: "menus_1"'
    ]


def messages(server, level):
    records = (json.loads(line) for line in server.output().splitlines() if line.startswith("{"))
    return [record["message"] for record in records if record["levelname"] == level]


@pytest.mark.parametrize("code", [6, 134])
def test_a_transient_read_error_is_a_503(start_mongod, serve, code):
    mongod = start_mongod("--setParameter", "enableTestCommands=1")
    with MongoClient(mongod.uri(), tz_aware=True) as client:
        database = client.get_default_database("campus")
        publish(database, plan_dining(database, [serving()]), [])
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri())

    with MongoClient(mongod.uri()) as client:
        failing = {"errorCode": code, "failCommands": ["find"]}
        client.admin.command("configureFailPoint", "failCommand", mode="alwaysOn", data=failing)

    assert fetch(f"{server.url}/dining/recipes/1").status == 503
