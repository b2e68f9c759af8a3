import gzip
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from campus_api.http.cache_key import CacheKey
from campus_api.http.lru import CachedResponse, LRUCache


def answer(body=b"[]", version="1"):
    return CachedResponse(version, 'W/"tag"', [("Content-Type", "application/json"), ("Vary", "Accept")], body)


def number(id_):
    return CacheKey(f"/dining/recipes/{id_}")


def test_an_answer_comes_back():
    kept, given = LRUCache(0.01), answer()

    kept.put(number(1), given)

    assert (kept.get(number(1)), kept.get(number(2))) == (given, None)


def test_what_was_not_used_for_longest_gives_way():
    kept = LRUCache(0.01)
    for id_ in (1, 2, 3):
        kept.put(number(id_), answer(b"x" * 1000))

    kept.get(number(1))
    kept.put(number(4), answer(b"x" * 1000))

    assert [id_ for id_ in range(1, 5) if kept.get(number(id_))] == [1, 3, 4]


def test_the_bytes_stay_within_the_limit_whatever_is_put():
    kept = LRUCache(0.05)

    for id_ in range(500):
        kept.put(number(id_ % 70), answer(b"x" * (id_ * 37 % 9000)))

        assert 0 < kept.bytes <= 50_000


def test_the_bytes_of_what_is_asked_count():
    kept = LRUCache(0.05)

    kept.put(CacheKey("/map/buildings", (("name", "x" * 20_000),)), answer())

    assert (len(kept), kept.bytes) == (0, 0)


def test_the_bytes_of_the_path_count():
    kept = LRUCache(0.05)

    kept.put(CacheKey("/map/buildings/" + "0" * 20_000), answer())

    assert (len(kept), kept.bytes) == (0, 0)


def test_an_answer_over_the_limit_is_not_kept_and_drops_nothing():
    kept = LRUCache(0.01)
    kept.put(number(1), answer())

    kept.put(number(2), answer(b"x" * 10_000))

    assert (len(kept), kept.get(number(2))) == (1, None)


def test_the_same_answer_put_again_counts_once():
    kept = LRUCache(0.01)
    kept.put(number(1), answer())
    before = kept.bytes

    kept.put(number(1), answer())

    assert (len(kept), kept.bytes) == (1, before)


def test_pinned_answers_stay_whatever_else_is_asked_for():
    kept = LRUCache(0.02)
    kept.pin([number(1)])
    kept.put(number(1), answer(b"x" * 1000))

    for id_ in range(2, 100):
        kept.put(number(id_), answer(b"x" * 1000))

    assert (kept.get(number(1)) is None, len(kept)) == (False, 6)


def test_pinned_answers_for_which_there_is_no_room_are_not_kept():
    kept = LRUCache(0.008)
    kept.pin([number(1), number(2)])

    for id_ in (1, 2, 3):
        kept.put(number(id_), answer(b"x" * 3000))

    assert [id_ for id_ in (1, 2, 3) if kept.get(number(id_))] == [1]


def test_threads_get_what_others_put_and_drop():
    kept, interval = LRUCache(0.01), sys.getswitchinterval()
    kept.put(number(0), answer(b"x" * 1000, version="0"))
    size = kept.bytes

    def work(first):
        for id_ in range(first, first + 2000):
            kept.put(number(id_ % 7), answer(b"x" * 1000, version=str(id_ % 7)))
            found = kept.get(number((id_ + 3) % 7))
            assert found is None or found.version == str((id_ + 3) % 7)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(work, range(4)))
    finally:
        sys.setswitchinterval(interval)

    assert 0 < kept.bytes == len(kept) * size <= 10_000


def test_nothing_is_kept_with_no_memory():
    kept = LRUCache(0)

    kept.put(number(1), answer())

    assert len(kept) == 0


def test_the_plain_form_has_its_length():
    assert dict(answer(b"[1]").headers) == {
        "Content-Type": "application/json",
        "Vary": "Accept",
        "Content-Length": "3",
    }


def test_the_compressed_form_is_made_once():
    given = answer(b"[" + b"1," * 5000 + b"1]")

    made = given.compress(), given.compress()

    assert made == (True, False)
    assert gzip.decompress(given.gzipped) == given.body
    assert dict(given.gzipped_headers) == {
        "Content-Type": "application/json",
        "Vary": "Accept",
        "Content-Encoding": "gzip",
        "Content-Length": str(len(given.gzipped)),
    }


@pytest.mark.parametrize(("length", "compressed"), [(499, False), (500, True)])
def test_short_answers_are_not_compressed(length, compressed):
    assert answer(b"x" * length).compress() is compressed


def test_the_compressed_form_counts():
    given = answer(b"x" * 5000)
    before = given.size

    given.compress()

    assert given.size == before + len(given.gzipped)
