"""A mongod with access control, and secrets that must never be logged or returned."""

from contextlib import contextmanager
from urllib.parse import quote

from pymongo import MongoClient

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building, serving
from tests.service.mongod import Mongod

PASSWORD = "h0rse@battery:staple"
# Parts of the password that are the same with and without percent-encoding.
SECRETS = ["h0rse", "battery", "staple"]
READER = f"reader:{quote(PASSWORD, safe='')}@"
OWNER = f"owner:{quote(PASSWORD, safe='')}@"


@contextmanager
def mongod_with_auth(folder):
    """Start a mongod with access control, data, an administrator and a read-only account."""
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
