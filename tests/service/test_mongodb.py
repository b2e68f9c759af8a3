"""A MongoDB of its own for these tests: with accounts, and killed and started again."""

import json
import subprocess
import time
from urllib.parse import quote

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from campus_api import embedded
from loaders.plan import plan_dining
from loaders.publish import publish
from tests.factories import TODAY, row, serving
from tests.service.conftest import ROOT, fetch, wait_for

PRODUCTION = ROOT / "production.ini"


class Mongod:
    """A mongod on a socket that can be killed and started again."""

    def __init__(self, folder, *options):
        self.socket = folder / "m.sock"
        (folder / "data").mkdir()
        command = [embedded._find_mongod(), "--dbpath", folder / "data", "--bind_ip", self.socket, "--port", "0"]
        self._command = [str(part) for part in [*command, "--logpath", folder / "log", "--logappend", *options]]
        self.start()

    def uri(self, account=""):
        return f"mongodb://{account}{quote(str(self.socket), safe='')}/campus"

    def start(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        wait_for(self._answers)

    def kill(self):
        self._process.kill()
        self._process.wait(20)

    def _answers(self):
        with MongoClient(self.uri(), serverSelectionTimeoutMS=500) as client:
            try:
                return client.admin.command("ping")
            except PyMongoError:
                return None


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


def test_the_service_comes_back_with_its_database(own_mongod, serve):
    mongod = own_mongod()
    serve_dining(mongod.uri())
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri())
    menus = f"{server.url}/dining/menus?date={TODAY}"
    before = fetch(menus)

    mongod.kill()
    asked = time.monotonic()
    away = fetch(menus)
    waited = time.monotonic() - asked
    mongod.start()

    assert (before.status, away.status) == (200, 503)
    assert away.headers["Retry-After"]
    assert waited < 5
    assert wait_for(lambda: (again := fetch(menus)).status == 200 and again, seconds=10).body == before.body


def test_the_service_starts_before_its_database(own_mongod, serve):
    mongod = own_mongod()
    serve_dining(mongod.uri())
    mongod.kill()

    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri())
    assert fetch(f"{server.url}/dining/recipes").status == 503
    mongod.start()

    wait_for(lambda: fetch(f"{server.url}/dining/recipes").status == 200, seconds=10)
