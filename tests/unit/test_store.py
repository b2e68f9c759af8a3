import sys
from concurrent.futures import ThreadPoolExecutor

from campus_api.http.cache_key import CacheKey
from campus_api.http.response import OK, CachedResponse, CompressedBody
from campus_api.http.store import ResponseStore


def response(body=b"[]", revisions="1"):
    return CachedResponse(OK, [("Content-Type", "application/json")], CompressedBody(body), 'W/"tag"', revisions)


def recipe(id_):
    return CacheKey(f"/dining/recipes/{id_}")


def put(store, ids, size):
    for id_ in ids:
        store.put(recipe(id_), response(b"x" * size))


def stored_ids(store):
    return [id_ for id_ in range(1, 5) if store.get(recipe(id_))]


def test_the_least_recently_used_response_is_evicted():
    # Exactly three of them.
    store = ResponseStore(0.009954)
    put(store, (1, 2, 3), 1000)

    store.get(recipe(1))
    put(store, [4], 1000)

    assert stored_ids(store) == [1, 3, 4]


def test_the_size_stays_within_the_limit():
    store = ResponseStore(0.05)
    store.pin([recipe(1), recipe(2)])

    for id_ in range(500):
        store.put(recipe(id_ % 70), response(b"x" * (id_ * 37 % 9000)))

        assert 0 < store.bytes <= 50_000, id_


def test_a_response_that_is_too_large_with_its_key_and_its_gzipped_body_is_not_stored_and_evicts_nothing():
    store, stored = ResponseStore(0.05), response()
    store.put(recipe(1), stored)

    store.put(CacheKey("/map/buildings", (("name", "x" * 20_000),)), response())
    store.put(CacheKey("/map/buildings/" + "0" * 20_000), response())
    store.put(recipe(2), response(b"x" * 50_000))
    store.put(recipe(2), response(b"x" * 39_000))
    assert (len(store), store.get(recipe(1)), store.get(recipe(2))) == (1, stored, None)
    store.put(recipe(3), response(b"x" * 10_000))

    assert store.bytes > 12_500


def test_responses_are_not_evicted_while_they_are_pinned():
    store = ResponseStore(0.02)
    store.pin([recipe(1)])
    # More than half of the memory.
    store.put(recipe(1), response(b"x" * 9000))
    put(store, range(2, 100), 1000)
    assert store.get(recipe(1))
    assert len(store) == 1 + 2

    store.pin([recipe(2)])
    assert len(store) == 1 + 2
    put(store, range(2, 100), 2)

    assert store.get(recipe(1)) is None


def test_only_a_pinned_response_evicts_pinned_ones_if_they_fill_the_memory():
    store = ResponseStore(0.014)
    store.pin([recipe(1), recipe(2), recipe(3)])
    put(store, (1, 2), 3500)

    put(store, [4], 1)
    assert stored_ids(store) == [1, 2]
    put(store, [3], 3500)

    assert stored_ids(store) == [2, 3]


def test_threads_can_share_a_store():
    store, interval = ResponseStore(0.1), sys.getswitchinterval()
    put(store, [10], 1000)
    size = store.bytes

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            orders = [[10 + number * step % 41 for number in range(20_000)] for step in (3, 5, 7, 11)]
            list(threads.map(lambda ids: put(store, ids, 1000), orders))
    finally:
        sys.setswitchinterval(interval)

    assert 0 < store.bytes == len(store) * size <= 100_000


def test_nothing_is_stored_in_no_memory():
    store = ResponseStore(0)
    store.pin([recipe(2)])

    put(store, (1, 2), 2)

    assert len(store) == 0
