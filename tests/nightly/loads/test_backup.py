"""Backups, repeated loads of the exports, and the account for loads."""

import pytest
from pymongo import IndexModel, MongoClient

from loaders import profiles
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import NothingToUndo, plan_undo
from loaders.readers import buildings, dining
from tests.factories import NOON
from tests.loaders.live import live_collection
from tests.processes.commands import ROOT, fetch
from tests.processes.mongod import OWNER, with_auth

SAMPLES = ROOT / "loaders/samples"
PATHS = ["/map/buildings", "/map/buildings?name=hall", "/dining/recipes", "/dining/menus?date=2024-01-05"]


@pytest.fixture
def database(mongod_database):
    """A database with buildings and two loads of menus."""
    load_exports(mongod_database)
    return mongod_database


@pytest.fixture
def other(database):
    """Another empty database."""
    name = f"{database.name}_other"
    yield database.client[name]
    database.client.drop_database(name)


@pytest.fixture
def responses(serve, mongod):
    """Serve a database and return the ETags and bodies of its responses."""

    def responses(database):
        uri = f"{mongod}/{database.name}"
        server = serve(ROOT / "production.ini", CAMPUS_MONGO_URI=uri, CAMPUS_CLOCK_FROZEN_AT=NOON)
        return [(response.headers["ETag"], response.body) for response in (fetch(server.url + path) for path in PATHS)]

    return responses


def load_exports(database):
    """Load buildings and menus, and then an export with fewer items for a date."""
    reading = buildings.read([SAMPLES / "buildings.geojson"], profiles.load_building_profile("geojson"))
    publish(database, plan_buildings(database, reading.records), [])
    served = dining.read([SAMPLES / "foodpro.csv"], profiles.load_dining_profile("foodpro")).records
    publish(database, plan_dining(database, served), [])
    publish(database, plan_dining(database, [serving for serving in served if serving.date == "2024-01-05"][:9]), [])


def copy(database, other):
    """Copy the documents and indexes of all collections, like mongodump and mongorestore."""
    for name in database.list_collection_names():
        documents = list(database[name].find())
        if documents:
            other[name].insert_many(documents)
        other[name].create_indexes([IndexModel(each["key"]) for each in database[name].index_information().values()])


def test_a_copy_of_all_collections_serves_the_same_responses_and_its_last_load_can_be_undone(
    database, other, responses
):
    copy(database, other)

    assert responses(other) == responses(database)
    publish(other, plan_undo(other, "dining"), [])
    assert len(live_collection(other, "menus").find_one("2024-01-05")["items"]) > 9
    with pytest.raises(NothingToUndo):
        plan_undo(other, "dining")


def test_the_read_write_role_is_sufficient_to_load_and_undo(tmp_path):
    with with_auth(tmp_path) as mongod:
        with MongoClient(mongod.uri(OWNER) + "?authSource=admin", tz_aware=True) as client:
            client.campus.command("createUser", "loader", pwd="secret", roles=["readWrite"])

        with MongoClient(mongod.uri("loader:secret@"), tz_aware=True) as client:
            load_exports(client.campus)
            publish(client.campus, plan_undo(client.campus, "buildings"), [])

            assert client.campus.datasets.find_one("buildings")["counts"] == {"buildings": 1}
