"""Readers see only complete states during loads."""

import pytest

from tests.nightly.loads.readers import concurrent_readers
from tests.processes.commands import ROOT, wait_for
from tests.processes.synthetic_data import Buildings, Menus

PRODUCTION = ROOT / "production.ini"
NAMES = [f"load {number}" for number in range(8)]
COMPLETE = [(200, {name.encode(): 300}) for name in NAMES]
data_sets = pytest.mark.parametrize("data", [Buildings(300), Menus(10, 30)], ids=["buildings", "menus"])


def complete_states(states):
    """Return the complete states among `states`, once each, in the order of the loads."""
    return [state for state in COMPLETE if state in states]


@data_sets
def test_readers_see_only_complete_states_in_order(load, serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, NAMES[0])
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    with concurrent_readers(server.url + data.path) as readers:
        statuses = [load(data.dataset, name, data.export(name)).wait() for name in NAMES[1:4]]
        wait_for(lambda: all(reader.states[-1] == COMPLETE[3] for reader in readers))

    assert statuses == [0, 0, 0]
    assert all(len(reader.states) > 1 for reader in readers)
    assert [reader.states for reader in readers] == [complete_states(reader.states) for reader in readers]


@data_sets
def test_readers_see_only_complete_states_during_rapid_loads(serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, NAMES[0])
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    with concurrent_readers(server.url + data.path) as readers:
        wait_for(lambda: all(reader.states for reader in readers))
        for name in NAMES[1:]:
            data.publish(mongod_database, name)
        wait_for(lambda: all(reader.states[-1] == COMPLETE[-1] for reader in readers))

    assert [reader.states for reader in readers] == [complete_states(reader.states) for reader in readers]
