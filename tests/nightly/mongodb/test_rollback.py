"""A load that is rolled back: a primary accepts it without a majority, is cut off, and rejoins after another load."""

import time
from contextlib import contextmanager
from itertools import groupby, repeat

import bson
import pytest
from pymongo import MongoClient
from pymongo.read_concern import ReadConcern

from tests.nightly.mongodb import replica_set as sets
from tests.nightly.mongodb.replica_set import Member
from tests.nightly.traffic import traffic
from tests.processes.commands import IMPATIENT, PRODUCTION, fetch, wait_for
from tests.processes.servers import metric
from tests.processes.synthetic_data import Buildings, Menus

NAMES = ("old", "lost", "other")
DATASETS = "campus.datasets"


@pytest.fixture
def replica_set(tmp_path):
    """A replica set with the fail points of MongoDB's own tests."""
    with sets.running(tmp_path, "--setParameter", "enableTestCommands=1") as replica_set:
        yield replica_set


@pytest.fixture
def mongod_uri(replica_set):
    return replica_set.uri("campus")


@contextmanager
def paused(process):
    process.pause()
    try:
        yield
    finally:
        process.resume()


def read_dataset(member, dataset, concern):
    """Return the document of a data set as a member has it ("local"), or as a majority has committed it."""
    with MongoClient(f"mongodb://{member.host}/?directConnection=true") as client:
        datasets = client.campus.get_collection("datasets", read_concern=ReadConcern(concern))
        return datasets.find_one({"_id": dataset})


def stop_at_primary(replica_set, primary, start_load):
    """Start a load, and stop the replication when its last update arrives at the primary."""
    update = {"failCommands": ["findAndModify"], "namespace": DATASETS, "blockConnection": True, "blockTimeMS": 5000}
    primary.set_fail_point("failCommand", {"times": 1}, **update)
    loading = start_load()
    primary.wait_for_fail_point("failCommand")
    for member in replica_set.secondaries():
        member.set_fail_point("stopReplProducer", "alwaysOn")
    for member in replica_set.secondaries():
        member.wait_for_fail_point("stopReplProducer")
    return loading


def elect_without(replica_set, primary):
    """Let the secondaries replicate again, without the primary, until one of them is elected."""
    others = [member for member in replica_set.members if member is not primary]
    for member in others:
        member.set_fail_point("stopReplProducer", "off")
    wait_for(lambda: any((member.admin_command("hello") or {}).get("isWritablePrimary") for member in others))


def rolled_back(member):
    """Return the documents that a member saved when it rolled them back."""
    files = member.data.glob("rollback/*/*.bson")
    return [document for file in files for document in bson.decode_all(file.read_bytes())]


def names_seen(client):
    """Return the successive names in the responses of a client, without repetitions."""
    bodies = [response.body for response in client if response.status == 200]
    names = [[name for name in NAMES if f'"name":"{name}"'.encode() in body] for body in bodies]
    return [name for name, _ in groupby(names)]


def wait_for_poll(server):
    """Wait until the service has polled from begin to end: it does so every second."""
    later = time.time() + 1
    wait_for(lambda: metric(server, "campus_database_last_success_timestamp_seconds") > later)


@pytest.mark.parametrize(
    ("data", "cut_off", "rejoin"),
    [(Buildings(300), Member.pause, Member.resume), (Menus(2, 100), Member.kill, Member.start)],
    ids=["buildings, paused", "menus, killed"],
)
def test_a_load_that_is_rolled_back_is_never_served(
    load, serve, replica_set, mongod_database, mongod_uri, data, cut_off, rejoin
):
    data.publish(mongod_database, "old")
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri, CAMPUS_CACHE_MEMORY_MB="0", **IMPATIENT)
    wait_for(lambda: fetch(server.url + data.path).status == 200)
    primary = replica_set.primary()

    with traffic(server.url, repeat(data.path), repeat(data.path)) as clients:
        loading = stop_at_primary(replica_set, primary, lambda: load(data.dataset, "lost", data.export("lost")))
        wait_for(lambda: read_dataset(primary, data.dataset, "local")["revision"] == 2)
        wait_for_poll(server)
        committed = read_dataset(primary, data.dataset, "majority")
        with paused(loading):
            cut_off(primary)
            elect_without(replica_set, primary)
            data.publish(mongod_database, "other")
            wait_for(lambda: names_seen(clients[0])[-1] == ["other"])
            rejoin(primary)
            wait_for(lambda: rolled_back(primary))
            replica_set.heal()
        loading.wait()
        wait_for_poll(server)

    # A load that can still reach the new primary compares with what is live there, and publishes.
    names = {0: ["old", "other", "lost"], 4: ["old", "other"]}[loading.returncode]
    assert "Traceback" not in loading.output()
    assert committed["revision"] == 1
    assert [(each["revision"], each["sources"][0]["file"]) for each in rolled_back(primary)] == [(2, "lost.json")]
    assert [names_seen(client) for client in clients] == [[[name] for name in names]] * 2
    assert data.live(mongod_database) == data.expected(names[-1])
    assert load(data.dataset, "lost", data.export("lost")).wait() == 0
    assert data.live(mongod_database) == data.expected("lost")
