"""A MongoDB of its own for these tests: with accounts, and killed and started again."""

import json

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, row, serving
from tests.service.mongod import Mongod
from tests.service.processes import ROOT, fetch

PRODUCTION = ROOT / "production.ini"


@pytest.fixture
def own_mongod(tmp_path_factory):
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


def test_an_account_that_may_only_read_is_enough(own_mongod, serve):
    mongod = own_mongod("--auth")
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


def test_a_wrong_password_is_a_503_and_logged_without_it(own_mongod, serve):
    mongod = own_mongod("--auth")

    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri("reader:guess@"))

    assert fetch(f"{server.url}/dining/recipes").status == 503
    assert "Authentication failed" in server.said()
    assert "guess" not in server.said()


@pytest.mark.slow
@pytest.mark.parametrize("code", [6, 134])
def test_a_member_that_cannot_read_for_now_is_a_503(own_mongod, serve, code):
    mongod = own_mongod("--setParameter", "enableTestCommands=1")
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri())

    with MongoClient(mongod.uri()) as client:
        failing = {"errorCode": code, "failCommands": ["find"]}
        client.admin.command("configureFailPoint", "failCommand", mode="alwaysOn", data=failing)

    assert fetch(f"{server.url}/dining/recipes/1").status == 503
