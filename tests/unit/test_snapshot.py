from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

from campus_api.db.errors import QueryTimeout
from campus_api.db.snapshot import Snapshot
from tests.processes.commands import DEADLINE


class Memo(dict):
    """A memo that lacks what eight threads need, until all of them have added it."""

    barrier = Barrier(8)

    def get(self, key):
        return None

    def setdefault(self, key, future):
        first = super().setdefault(key, future)
        self.barrier.wait(DEADLINE)
        return first


def test_what_requests_need_at_once_is_read_once_also_in_vain():
    snapshot, outcomes = Snapshot(None, None, {}, _memo=Memo()), iter((QueryTimeout("slow"), "names"))

    def read():
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    for expected in ("QueryTimeout('slow')", "'names'"):
        with ThreadPoolExecutor(8) as pool:
            requests = [pool.submit(snapshot.memoize, "name", read) for _ in range(8)]
        assert {repr(each.exception() or each.result()) for each in requests} == {expected}, expected


def test_of_what_is_read_for_a_date_only_the_last_one_is_in_memory():
    snapshot, numbers = Snapshot(None, None, {}), count(1)
    dates = ("2026-11-20", "2026-11-20", "2026-11-21", "2026-11-21", "2026-11-20")

    assert [snapshot.memoize("number", lambda: next(numbers), date) for date in dates] == [1, 1, 2, 2, 3]
