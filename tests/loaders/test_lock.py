import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from pymongo.errors import OperationFailure

from loaders.publishing.lock import Locked, locked


def hold(database, dataset, seconds):
    """Leave a lock that is valid for so long, as a holder that died would."""
    database.locks.insert_one(
        {"_id": dataset, "holder": "dead", "until": datetime.now(UTC) + timedelta(seconds=seconds)}
    )


def test_a_lock_is_free_afterwards(database):
    with locked(database, "dining", patience=0):
        assert database.locks.find_one()["_id"] == "dining"

    assert database.locks.find_one() is None


@pytest.mark.parametrize("failure", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_a_lock_is_free_after_a_failure(database, failure):
    with pytest.raises(failure), locked(database, "dining", patience=0):
        raise failure

    assert database.locks.find_one() is None


def test_a_lock_that_is_held_is_not_given_twice(database):
    with (
        locked(database, "dining", patience=0),
        pytest.raises(Locked, match="another load of dining is running"),
        locked(database, "dining", patience=0.5),
    ):
        pytest.fail("the lock was given twice")


def test_each_data_set_has_its_own_lock(database):
    with locked(database, "dining", patience=0), locked(database, "buildings", patience=0):
        assert database.locks.count_documents({}) == 2


def test_a_dead_holder_does_not_keep_its_lock(database):
    hold(database, "dining", seconds=-1)

    with locked(database, "dining", patience=0):
        assert database.locks.find_one()["holder"] != "dead"


def test_the_second_waits_for_the_first(database):
    hold(database, "dining", seconds=1)
    began = time.monotonic()

    with locked(database, "dining", patience=10):
        waited = time.monotonic() - began

    assert waited > 0.8


def test_a_holder_that_lives_renews_its_lock(mongod_database):
    with locked(mongod_database, "dining", patience=0):
        first = mongod_database.locks.find_one()["until"]
        time.sleep(6)

        assert mongod_database.locks.find_one()["until"] > first


def test_a_holder_does_not_free_the_lock_of_another(database):
    with locked(database, "dining", patience=0):
        database.locks.update_one({}, {"$set": {"holder": "another"}})

    assert database.locks.find_one()["holder"] == "another"


def test_of_many_who_come_at_once_one_gets_the_lock(mongod_database):
    barrier = Barrier(8)

    def try_to_load(_):
        barrier.wait()
        try:
            with locked(mongod_database, "dining", patience=0):
                time.sleep(0.5)
        except Locked:
            return False
        return True

    for _ in range(5):
        with ThreadPoolExecutor(8) as people:
            assert sum(people.map(try_to_load, range(8))) == 1


def test_after_a_failure_of_the_database_the_lock_is_no_longer_renewed(mongod_database, monkeypatch):
    monkeypatch.setattr("loaders.publishing.lock._RENEWAL_SECONDS", 0.1)
    with pytest.raises(OperationFailure), locked(mongod_database, "dining", patience=0):
        mongod_database.command("no such command")
    left = mongod_database.locks.find_one()

    time.sleep(0.5)

    assert mongod_database.locks.find_one() == left
