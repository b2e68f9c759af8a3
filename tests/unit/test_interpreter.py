import os
import subprocess
import sys
import threading

import pytest

from campus_api.interpreter import be_patient, claimed

# Cores that no machine has, so that no service that runs beside the tests has claimed one.
CORES = {9001, 9002}
HOLDING = """
import sys
from campus_api.interpreter import claimed

print(claimed({9001, 9002}), flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system is not Linux")


@pytest.fixture
def claims(monkeypatch):
    """What this process holds, which ends with the test."""
    held = []
    monkeypatch.setattr("campus_api.interpreter._claims", held)
    yield held
    for claim in held:
        claim.close()


def test_a_core_is_claimed_by_one_process_while_there_are_others(claims):
    with subprocess.Popen([sys.executable, "-c", HOLDING], stdin=-1, stdout=-1) as other:
        taken = int(other.stdout.readline())

        assert {taken, claimed(CORES)} == CORES


def test_where_all_cores_are_claimed_any_will_do(claims):
    assert {claimed(CORES), claimed(CORES)} == CORES
    assert claimed(CORES) in CORES


def test_the_core_of_a_killed_process_is_free_again(claims):
    with subprocess.Popen([sys.executable, "-c", HOLDING], stdin=-1, stdout=-1) as other:
        taken = int(other.stdout.readline())
        other.kill()

    claimed({taken})

    assert len(claims) == 1


@pytest.mark.parametrize(("before", "after"), [("SCHED_OTHER", "SCHED_BATCH"), ("SCHED_IDLE", "SCHED_IDLE")])
def test_what_an_operator_has_chosen_stays(before, after):
    def change():
        # Of this thread only, which ends with the test.
        os.sched_setscheduler(0, getattr(os, before), os.sched_param(0))
        be_patient()
        seen.append(os.sched_getscheduler(0))

    seen = []
    thread = threading.Thread(target=change)
    thread.start()
    thread.join()

    assert seen == [getattr(os, after)]
