"""A MongoDB with access control: an owner, and a reader who may only read; no part of their passwords may be told."""

from contextlib import contextmanager
from urllib.parse import quote

from pymongo import MongoClient

from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.publish import publish
from tests.factories import building, serving
from tests.service.mongod import Mongod

PASSWORD = "h0rse@battery:staple"
# What would give the password away, escaped as in an address or not.
SECRETS = ["h0rse", "battery", "staple"]
READER = f"reader:{quote(PASSWORD, safe='')}@"
OWNER = f"owner:{quote(PASSWORD, safe='')}@"


@contextmanager
def guarded_mongod(folder):
    """Start a MongoDB with access control, data and both accounts."""
    mongod = Mongod(folder, "--auth")
    try:
        with MongoClient(mongod.uri()) as client:
            client.admin.command("createUser", "owner", pwd=PASSWORD, roles=["root"])
        with MongoClient(mongod.uri(OWNER) + "?authSource=admin", tz_aware=True) as client:
            database = client.get_default_database()
            database.command("createUser", "reader", pwd=PASSWORD, roles=["read"])
            publish(database, plan_buildings(database, [building(1)]), [])
            publish(database, plan_dining(database, [serving()]), [])
        yield mongod
    finally:
        mongod.kill()


def secrets_in(text):
    return [secret for secret in SECRETS if secret in text]
