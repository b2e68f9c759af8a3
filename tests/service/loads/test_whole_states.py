"""Readers see whole states only, however many loads there are."""

from datetime import datetime

import pytest

from tests.service.named import Buildings, Menus
from tests.service.processes import ROOT, wait_for
from tests.service.readers import reading

pytestmark = pytest.mark.slow

PRODUCTION = ROOT / "production.ini"
NAMES = [f"load {number}" for number in range(8)]
WHOLE = [(200, {name.encode(): 300}) for name in NAMES]
data_sets = pytest.mark.parametrize("data", [Buildings(300), Menus(2, 300)], ids=["buildings", "menus"])


def of(states):
    """Return the whole states that are among these, once each, in the order of the loads."""
    return [state for state in WHOLE if state in states]


@data_sets
def test_readers_see_only_whole_states_in_their_order(load, serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, NAMES[0])
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    with reading(server.url + data.path) as readers:
        statuses = [load(data.dataset, name, data.export(name)).wait() for name in NAMES[1:4]]
        wait_for(lambda: all(reader.seen[-1] == WHOLE[3] for reader in readers))

    assert statuses == [0, 0, 0]
    assert all(len(reader.seen) > 1 for reader in readers)
    assert [reader.seen for reader in readers] == [of(reader.seen) for reader in readers]


def test_readers_see_only_whole_buildings_however_fast_loads_follow(serve, mongod_database, mongod_uri):
    data = Buildings(300)
    data.publish(mongod_database, NAMES[0])
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    with reading(server.url + data.path) as readers:
        wait_for(lambda: all(reader.seen for reader in readers))
        for name in NAMES[1:]:
            data.publish(mongod_database, name)
        wait_for(lambda: all(reader.seen[-1] == WHOLE[-1] for reader in readers))

    assert [reader.seen for reader in readers] == [of(reader.seen) for reader in readers]


def test_buildings_are_dropped_once_nothing_needs_them(load, mongod_database):
    data = Buildings(10)
    for name in NAMES[:3]:
        data.publish(mongod_database, name)
    mongod_database.buildings_9.insert_one({"_id": 1, "name": "left by a dead load"})
    mongod_database.buildings_of_import_0a.insert_one({"_id": 1, "name": "left by another"})
    mongod_database.imports.update_many({}, {"$set": {"finished_at": datetime(2026, 1, 1)}})

    loading = load("buildings", "new", data.export("new"))

    assert loading.wait() == 0
    # The buildings before the live ones are for undo.
    left = {name for name in mongod_database.list_collection_names() if name.startswith("buildings")}
    assert left == {"buildings_3", "buildings_4"}
