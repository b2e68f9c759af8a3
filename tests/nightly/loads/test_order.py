"""Readers of several processes during loads: complete states only, in the order of the loads."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.processes.commands import PRODUCTION, fetch, wait_for
from tests.processes.synthetic_data import Buildings, Menus

NAMES = [f"load {number}" for number in range(8)]
COMPLETE = [(200, {name.encode(): 300}) for name in NAMES]


def record_states(url, done):
    """Request a URL until `done`; return the successive states, as the status and the number of records by name."""
    states = []
    while not done.is_set():
        response = fetch(url)
        state = (response.status, Counter(re.findall(rb'"name":"([^"]*)"', response.body)))
        if state not in states[-1:]:
            states.append(state)
    return states


@pytest.mark.parametrize("data", [Buildings(300), Menus(10, 30)], ids=["buildings", "menus"])
def test_readers_see_only_complete_states_in_order(load, serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, NAMES[0])
    urls = [serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri).url + data.path for _ in range(2)]
    done = Event()

    with ThreadPoolExecutor() as pool:
        readers = [pool.submit(record_states, url, done) for url in [*urls, *urls]]
        try:
            assert load(data.dataset, NAMES[1], data.export(NAMES[1])).wait() == 0
            for name in NAMES[2:]:
                data.publish(mongod_database, name)
            for url in urls:
                wait_for(lambda url=url: NAMES[-1].encode() in fetch(url).body)
        finally:
            done.set()

    states = [reader.result() for reader in readers]
    assert states == [[state for state in COMPLETE if state in each] for each in states]
    assert min(map(len, states)) > 1
