"""Readers see whole states only, however many loads there are."""

import pytest

from tests.service.named import Buildings, Menus
from tests.service.processes import ROOT, wait_for
from tests.service.readers import reading

pytestmark = pytest.mark.slow

PRODUCTION = ROOT / "production.ini"
NAMES = [f"load {number}" for number in range(8)]
WHOLE = [(200, {name.encode(): 300}) for name in NAMES]
data_sets = pytest.mark.parametrize("data", [Buildings(300), Menus(10, 30)], ids=["buildings", "menus"])


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


@data_sets
def test_readers_see_only_whole_states_however_fast_loads_follow(serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, NAMES[0])
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    with reading(server.url + data.path) as readers:
        wait_for(lambda: all(reader.seen for reader in readers))
        for name in NAMES[1:]:
            data.publish(mongod_database, name)
        wait_for(lambda: all(reader.seen[-1] == WHOLE[-1] for reader in readers))

    assert [reader.seen for reader in readers] == [of(reader.seen) for reader in readers]
