import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Condition, Event

from campus_api.db.errors import QueryTimeout
from campus_api.db.snapshot import Snapshot
from tests.processes.commands import wait_for


def test_what_requests_need_at_once_is_read_once_also_in_vain():
    snapshot, outcomes = Snapshot(None, None, {}), iter((QueryTimeout("slow"), "names"))
    for expected in ("QueryTimeout('slow')", "'names'"):
        released = Event()

        def read(released=released):
            outcome = next(outcomes)
            released.wait()
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        with ThreadPoolExecutor(8, "reader") as pool:
            requests = [pool.submit(snapshot.memoize, "name", read) for _ in range(8)]
            try:
                wait_for(lambda pool=pool: _waiting(pool) == 8)
            finally:
                released.set()
        assert {repr(each.exception() or each.result()) for each in requests} == {expected}, expected


def _waiting(pool):
    frames = sys._current_frames()
    return [frames[thread.ident].f_code for thread in pool._threads].count(Condition.wait.__code__)


def test_of_what_is_read_for_a_date_only_the_last_one_is_in_memory():
    snapshot, numbers = Snapshot(None, None, {}), count(1)
    dates = ("2026-11-20", "2026-11-20", "2026-11-21", "2026-11-21", "2026-11-20")

    assert [snapshot.memoize("number", lambda: next(numbers), date) for date in dates] == [1, 1, 2, 2, 3]
