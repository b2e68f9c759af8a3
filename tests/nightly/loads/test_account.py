"""The account for loads."""

from pymongo import MongoClient

from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import serving
from tests.processes.mongod import OWNER, with_auth
from tests.publishing import publish_dining


def test_the_read_write_role_is_sufficient_to_load_and_undo(tmp_path):
    with with_auth(tmp_path) as mongod:
        with MongoClient(mongod.uri(OWNER) + "?authSource=admin", tz_aware=True) as client:
            client.campus.command("createUser", "loader", pwd="secret", roles=["readWrite"])

        with MongoClient(mongod.uri("loader:secret@"), tz_aware=True) as client:
            loaded = publish_dining(client.campus, [serving()])
            publish(client.campus, plan_undo(client.campus, "dining"))

            assert client.campus.datasets.find_one("dining")["reverts"] == loaded
