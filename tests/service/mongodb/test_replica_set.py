"""A replica set whose primary is killed: a load completes or can be run again, the service comes back."""

from itertools import count

import pytest
from pymongo import MongoClient

from tests.service.named import Buildings, Menus, revision, states
from tests.service.processes import IMPATIENT, ROOT, fetch, wait_for

pytestmark = pytest.mark.slow

data_sets = pytest.mark.parametrize("data", [Buildings(3000), Menus(60, 60)], ids=["buildings", "menus"])
names = (f"test_{number}" for number in count())

MOMENTS = {
    "the import is on record": lambda data, database: len(states(database, data.dataset)) == 2,
    "the first document is written": lambda data, database: data.written(database) > 0,
    "the data set moves": lambda data, database: revision(database, data.dataset) == 2,
}


@pytest.fixture
def mongod_uri(replica_set):
    """The address of an empty database in the replica set, all of whose members run."""
    replica_set.heal()
    return replica_set.uri(next(names))


@pytest.fixture
def database(mongod_uri):
    with MongoClient(mongod_uri, tz_aware=True) as client:
        yield client.get_default_database()


@data_sets
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_load_outlives_the_primary_or_can_be_run_again(load, replica_set, database, data, moment):
    data.publish(database, "old")
    primary = replica_set.primary()
    loading = load(data.dataset, "new", data.export("new"))
    wait_for(lambda: MOMENTS[moment](data, database), pause=0.001)

    primary.kill()

    assert loading.wait() in (0, 4), loading.said()
    assert "Traceback" not in loading.said()
    assert loading.returncode == 0 or load(data.dataset, "new", data.export("new")).wait() == 0
    assert data.live(database) == data.whole("new")


def test_a_load_that_loses_the_majority_ends_with_4_and_can_be_run_again(load, replica_set, database):
    data = Menus(60, 60)
    data.publish(database, "old")
    loading = load(data.dataset, "new", data.export("new"))
    wait_for(lambda: data.written(database), pause=0.001)

    replica_set.kill_the_majority()

    assert loading.wait() == 4, loading.said()
    assert loading.said().startswith("campus-load: the database is not available: ")
    assert len(loading.said().splitlines()) == 1
    replica_set.heal()
    assert load(data.dataset, "new", data.export("new")).wait() == 0
    assert data.live(database) == data.whole("new")


def test_buildings_are_loaded_with_their_indexes_while_a_member_is_away(load, replica_set, database):
    data = Buildings(300)
    replica_set.kill_a_secondary()

    loading = load(data.dataset, "new", data.export("new"))

    assert loading.wait() == 0, loading.said()
    assert "search.trigrams_1" in database.buildings_1.index_information()


def test_the_service_comes_back_when_the_primary_is_killed(serve, replica_set, database, mongod_uri):
    data = Buildings(300)
    data.publish(database, "old")
    url = serve(ROOT / "production.ini", CAMPUS_MONGO_URI=mongod_uri, **IMPATIENT).url + data.path
    answers = [fetch(url)]

    replica_set.primary().kill()
    answers.append(fetch(url))
    wait_for(lambda: answers.append(fetch(url)) or answers[-1].status == 200)

    assert {answer.status for answer in answers} <= {200, 503}
    assert answers[-1].body == answers[0].body
