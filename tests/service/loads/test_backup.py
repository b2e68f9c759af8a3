"""What a backup brings back, what the exports bring back, and what an account for loads may do."""

import pytest
from pymongo import IndexModel, MongoClient

from loaders import profiles
from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.publish import publish
from loaders.publishing.undo import NothingToUndo, plan_undo
from loaders.readers import buildings, dining
from tests.factories import NOON
from tests.loaders.live import live_collection
from tests.service.accounts import OWNER, guarded_mongod
from tests.service.processes import ROOT, fetch

pytestmark = pytest.mark.slow

SAMPLES = ROOT / "loaders/samples"
PATHS = ["/map/buildings", "/map/buildings?name=hall", "/dining/recipes", "/dining/menus?date=2024-01-05"]


@pytest.fixture
def database(mongod_database):
    """A database with buildings, and menus that were loaded twice."""
    load_exports(mongod_database)
    return mongod_database


@pytest.fixture
def other(database):
    """Another empty database."""
    name = f"{database.name}_other"
    yield database.client[name]
    database.client.drop_database(name)


@pytest.fixture
def answers(serve, mongod):
    """Serve a database and return tags and bodies of what it answers."""

    def answers(database):
        uri = f"{mongod}/{database.name}"
        server = serve(ROOT / "production.ini", CAMPUS_MONGO_URI=uri, CAMPUS_CLOCK_FROZEN_AT=NOON)
        return [(answer.headers["ETag"], answer.body) for answer in (fetch(server.url + path) for path in PATHS)]

    return answers


def load_exports(database):
    """Load buildings and menus, and then another export in which a date has fewer items."""
    found = buildings.read([SAMPLES / "buildings.geojson"], profiles.load_building_profile("geojson"))
    publish(database, plan_buildings(database, found.records), [])
    served = dining.read([SAMPLES / "foodpro.csv"], profiles.load_dining_profile("foodpro")).records
    publish(database, plan_dining(database, served), [])
    publish(database, plan_dining(database, [serving for serving in served if serving.date == "2024-01-05"][:9]), [])


def copy(database, other):
    """Copy documents and indexes of all collections, as mongodump and mongorestore do."""
    for name in database.list_collection_names():
        documents = list(database[name].find())
        if documents:
            other[name].insert_many(documents)
        other[name].create_indexes([IndexModel(each["key"]) for each in database[name].index_information().values()])


def test_a_copy_of_all_collections_answers_the_same(database, other, answers):
    copy(database, other)

    assert answers(other) == answers(database)


def test_the_last_load_can_be_undone_in_a_copy(database, other):
    copy(database, other)

    publish(other, plan_undo(other, "dining"), [])

    assert len(live_collection(other, "menus").find_one("2024-01-05")["items"]) > 9
    with pytest.raises(NothingToUndo):
        plan_undo(other, "dining")


def test_the_exports_loaded_again_give_the_same_answers(database, other, answers):
    load_exports(other)

    found = [body for _, body in answers(other)]

    assert found == [body for _, body in answers(database)]
    assert min(map(len, found)) > 100


def test_an_account_that_may_read_and_write_one_database_may_load_and_undo(tmp_path):
    with guarded_mongod(tmp_path) as mongod:
        with MongoClient(mongod.uri(OWNER) + "?authSource=admin", tz_aware=True) as client:
            client.campus.command("createUser", "loader", pwd="secret", roles=["readWrite"])

        with MongoClient(mongod.uri("loader:secret@"), tz_aware=True) as client:
            load_exports(client.campus)
            publish(client.campus, plan_undo(client.campus, "buildings"), [])

            assert client.campus.datasets.find_one("buildings")["counts"] == {"buildings": 1}
