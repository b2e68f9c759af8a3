"""Whose lock it is: of a process of this machine, living or dead, or of another machine."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from loaders.publishing import lock
from loaders.publishing.lock import Held, Locked, is_held, locked

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are told apart on Linux only")


def machine():
    """Return the name of this machine, which no other has."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot} {os.readlink('/proc/self/ns/pid')}"


def started(pid):
    """Return when a process started, in the clock of this machine."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19]


@pytest.fixture
def process():
    """A process of this machine that lives until it is told to end."""
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        yield process


@pytest.fixture
def hold(database):
    """Leave a lock of some process that is or was valid until so many seconds from now."""

    def hold(pid, since, seconds, of=None):
        until = datetime.now(UTC) + timedelta(seconds=seconds)
        whose = {"machine": of or machine(), "process": pid, "started": since}
        database.locks.insert_one({"_id": "dining", "holder": "another", "until": until, **whose})

    return hold


def can_load(database):
    try:
        with locked(database, "dining", patience=0):
            return True
    except Locked:
        return False


def test_the_lock_of_a_process_that_has_ended_is_free_at_once(database, hold, process):
    hold(process.pid, started(process.pid), seconds=1000)
    process.communicate()

    assert (is_held(database, "dining"), can_load(database)) == (False, True)


def test_the_lock_of_a_process_that_ended_and_that_nobody_waited_for_is_free(database, hold, process):
    hold(process.pid, started(process.pid), seconds=1000)
    process.stdin.close()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    assert can_load(database)


@pytest.mark.parametrize("seconds", [1000, -1000])
def test_the_lock_of_a_process_that_lives_is_not_free_whatever_the_time(database, hold, process, seconds):
    hold(process.pid, started(process.pid), seconds)

    assert (is_held(database, "dining"), can_load(database)) == (True, False)


def test_the_lock_of_a_process_whose_number_another_has_now_is_free(database, hold, process):
    hold(process.pid, str(int(started(process.pid)) - 1), seconds=1000)

    assert can_load(database)


@pytest.mark.parametrize(("seconds", "free"), [(1000, False), (-1, True)])
@pytest.mark.parametrize("of", ["another machine", None])
def test_the_lock_of_another_machine_is_free_after_its_time(database, process, seconds, free, of):
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    whose = {"machine": of, "process": process.pid, "started": started(process.pid)}
    database.locks.insert_one({"_id": "dining", "holder": "another", "until": until, **whose})

    assert (is_held(database, "dining"), can_load(database)) == (not free, free)


def test_a_process_of_this_machine_that_loads_is_named(database, hold, process):
    hold(process.pid, started(process.pid), seconds=1000)

    with pytest.raises(Locked) as error, locked(database, "dining", patience=0):
        pytest.fail("the lock was given twice")

    assert str(error.value) == f"another load of dining is running (process {process.pid})"


def test_a_process_of_another_machine_is_not_named(database, hold, process):
    hold(process.pid, started(process.pid), seconds=1000, of="another machine")

    with pytest.raises(Locked) as error, locked(database, "dining", patience=0):
        pytest.fail("the lock was given twice")

    assert str(error.value) == "another load of dining is running"


def test_a_lock_names_the_process_that_holds_it(database):
    with locked(database, "dining", patience=0):
        found = database.locks.find_one({"_id": "dining"})

    assert (found["machine"], found["process"], found["started"]) == (machine(), os.getpid(), started(os.getpid()))


def test_nobody_holds_a_lock_that_is_not_there(database):
    assert not is_held(database, "dining")


def test_a_lock_that_is_got_from_a_dead_holder_is_whole(database, hold, process):
    hold(process.pid, started(process.pid), seconds=1000, of="another machine")
    database.locks.update_one({}, {"$set": {"until": datetime.now(UTC) - timedelta(seconds=1)}})

    with locked(database, "dining", patience=0):
        found = database.locks.find_one({"_id": "dining"})

    assert (found["machine"], found["process"]) == (machine(), os.getpid())
    assert found["until"].replace(tzinfo=UTC) > datetime.now(UTC)


def test_a_lock_that_is_valid_can_be_confirmed(database):
    with locked(database, "dining", patience=0) as held:
        assert held.confirm() is None


def test_a_lock_whose_time_is_almost_over_cannot_be_confirmed(database, monkeypatch):
    monkeypatch.setattr(lock, "_VALID_SECONDS", 5.2)
    held = Held(database.locks, "dining")
    held.acquire(patience=0)
    held.confirm()

    time.sleep(0.4)

    with pytest.raises(Locked, match="this load of dining stood still for too long, another may have begun"):
        held.confirm()


def test_a_lock_that_was_lost_is_not_renewed(mongod_database, monkeypatch):
    monkeypatch.setattr(lock, "_VALID_SECONDS", 0.6)
    monkeypatch.setattr(lock, "_RENEWAL_SECONDS", 0.1)
    with locked(mongod_database, "dining", patience=0) as held:
        mongod_database.locks.update_one({}, {"$set": {"holder": "another"}})
        time.sleep(1)

        with pytest.raises(Locked):
            held.confirm()


def test_a_lock_that_is_renewed_can_be_confirmed_after_its_first_time(mongod_database, monkeypatch):
    monkeypatch.setattr(lock, "_VALID_SECONDS", 0.6)
    monkeypatch.setattr(lock, "_RENEWAL_SECONDS", 0.1)
    with locked(mongod_database, "dining", patience=0) as held:
        time.sleep(1)

        assert held.confirm() is None
