"""The response cache: validators, caching headers, compression, stale responses."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from campus_api import catalog
from campus_api.domain.clock import Clock
from campus_api.http import conditional
from campus_api.http.cache_key import CacheKey, DataRequest
from tests.factories import NOON, TODAY, building, facts, hall, serving
from tests.functional.service import Service
from tests.loaders.live import live_collection
from tests.publishing import publish_dining


@pytest.fixture
def loaded(service):
    service.serve_buildings(*(building(id_) for id_ in range(1, 21)))
    service.serve_dining(*(serving(id_) for id_ in range(1, 21)))
    return service


def etag(service, path="/dining/menus"):
    return service.app.get(path).headers["ETag"]


def test_a_load_changes_the_etags_of_its_data_set_only(loaded):
    of_both = ["/dining/locations", "/dining/locations.geojson", "/dining/menus.ics", "/search"]
    of_both += ["/changes", "/changes.atom"]
    loaded.app.get("/map/buildings/1")

    for dataset, load in (
        ("buildings", lambda: loaded.serve_buildings(building(2))),
        ("dining", lambda: loaded.serve_dining(serving(2))),
    ):
        before = {path: etag(loaded, path) for path in catalog.DATA}
        load()
        for path in catalog.DATA:
            is_shown = path in of_both or path.startswith("/map/") == (dataset == "buildings")
            response = loaded.app.get(path, headers={"If-None-Match": before[path]})
            # A 304 has none.
            assert bool(response.body) == is_shown, (dataset, path)
    loaded.app.get("/map/buildings/1", status=404)


def test_a_database_that_was_created_again_has_other_etags(loaded):
    before = etag(loaded)

    loaded.set_loaded_at("dining", datetime.now(UTC) + timedelta(seconds=1))

    assert etag(loaded) != before


@pytest.fixture(scope="module")
def uncached(uri):
    service = Service(uri, **{"cache.memory_mb": "0"})
    service.serve_buildings(building(1, name="Wigglesworth"), building(2))
    rows = [serving(number, meal=meal) for number, meal in ((1, 0), (2, 1), (3, 1))]
    service.serve_dining(*rows, facts={1: facts(), 2: facts(allergens=("Milk",))}, halls={30: hall()})
    yield service
    service.close()


VALUES = {
    "q": ["wigg", "lesworth", "kashi"],
    "type": ["dish", "building", "x"],
    "label": ["VGN", "vegan"],
    "without": ["milk", "sesame", "Milk"],
    "bbox": ["-180,-90,180,90", "1,2,3,4"],
    "near": ["42.37,-71.11", "0,0"],
    "dataset": ["buildings", "dining"],
    "since": ["0", "1", "2000-01-01T00:00:00Z"],
    **dict.fromkeys(("name", "address"), ["wigg", "WORTH", "\xff", ""]),
    **dict.fromkeys(("date", "from", "to"), [TODAY, "2026-11-21"]),
}


@st.composite
def equal_requests(draw):
    """Return two requests of an endpoint, with and without repeated and ignored parameters, in any order."""
    endpoint = draw(st.sampled_from(list(catalog.DATA.values())))
    path = draw(st.sampled_from([endpoint.path, *endpoint.item_paths])).format(id=1)
    names = st.sampled_from([*endpoint.parameters, "_"])
    pair = names.flatmap(lambda name: st.tuples(st.just(name), st.sampled_from(VALUES.get(name, ["0", "1", "2"]))))
    pairs = draw(st.lists(pair, min_size=1, max_size=4))
    again = draw(st.permutations([*pairs, *draw(st.lists(st.sampled_from([*pairs, ("_", "1")]), max_size=2))]))
    return [_environ(path, query, draw(st.sampled_from(["", "/campus"]))) for query in (pairs, again)]


def _environ(path, pairs, prefix=""):
    return {"PATH_INFO": path, "QUERY_STRING": urlencode(pairs, encoding="latin-1"), "SCRIPT_NAME": prefix}


WORDS = [("q", "wigg"), ("q", "lesworth")]


@given(equal_requests())
@example([_environ("/search", WORDS), _environ("/search", WORDS[::-1])])
@example([_environ("/search", WORDS[:1]), _environ("/search", WORDS[:1], "/campus")])
def test_requests_with_equal_keys_have_equal_responses(uncached, requests):
    keys = [DataRequest.from_environ(each, Clock(UTC, datetime.fromisoformat(NOON))).key for each in requests]

    url = "{PATH_INFO}?{QUERY_STRING}"
    responses = [uncached.app.get(url.format(**each), extra_environ=each, status="*") for each in requests]

    assert responses[0].status == responses[1].status
    assert keys[0] != keys[1] or responses[0].status_int != 200 or responses[0].body == responses[1].body


def test_a_304_of_a_response_that_is_not_in_memory_stores_none_and_needs_a_known_revision(loaded, without_database):
    for service, status in ((loaded, 304), (without_database, 503)):
        tag = conditional.etag(CacheKey("/dining/recipes"), service.revisions.latest.revisions("dining"))
        service.app.get("/dining/recipes", headers={"If-None-Match": tag}, status=status)

    assert len(loaded.app.get("/dining/recipes").json) == 20
    loaded.app.get("/dining/recipes/999", headers={"If-None-Match": "*"}, status=404)


def test_menus_of_today_have_a_content_location(loaded):
    response = loaded.app.get("/dining/menus?meal=0")
    below = loaded.app.get("/dining/menus", extra_environ={"SCRIPT_NAME": "/caf\xc3\xa9"})

    assert response.headers["Content-Location"] == f"/dining/menus?date={TODAY}&meal=0"
    assert loaded.app.get(response.headers["Content-Location"]).body == response.body
    assert below.headers["Content-Location"] == f"/caf%C3%A9/dining/menus?date={TODAY}"
    assert "Content-Location" not in loaded.app.get(f"/dining/menus?date={TODAY}").headers
    assert loaded.app.get("/dining/menus?meal=x", status=400).headers["Cache-Control"] == "no-store"


def test_responses_are_fresh_for_max_age_and_those_of_today_end_at_midnight(start):
    service = start(**{"clock.frozen_at": f"{TODAY}T23:59:48-05:00", "cache.max_age": "5"})

    expected = "public, max-age=5, stale-while-revalidate=60, stale-if-error=86400"
    for path in ("/map/buildings", "/dining/recipes", f"/dining/menus?date={TODAY}"):
        assert service.app.get(path).headers["Cache-Control"] == expected, path
    dining = ("/dining/menus", "/dining/dishes", "/dining/hours", "/dining/menus.ics", "/dining/menus.csv")
    for path in (*dining, "/search?q=kashi"):
        header = service.app.get(path).headers["Cache-Control"]
        assert header == "public, max-age=5, stale-while-revalidate=7, stale-if-error=7", path


def test_responses_were_last_modified_by_the_load_those_of_today_at_midnight_at_the_earliest(start):
    today = ("/dining/menus", "/dining/dishes.csv", "/dining/hours", "/dining/menus.ics")
    for now, loaded_at, paths, expected in (
        ("2020-11-20T12:00", "2020-11-19T22:00", today, "Fri, 20 Nov 2020 05:00:00 GMT"),
        ("2020-11-20T12:00", "2020-11-20T08:00", today, "Fri, 20 Nov 2020 13:00:00 GMT"),
        ("2020-11-20T12:00", "2020-11-19T22:00", ["/dining/menus?date=2020-11-20"], "Fri, 20 Nov 2020 03:00:00 GMT"),
        # A frozen midnight would be in the future.
        ("9000-01-01T12:00", "2020-11-19T22:00", ["/dining/menus"], "Fri, 20 Nov 2020 03:00:00 GMT"),
    ):
        service = start(**{"clock.frozen_at": f"{now}:00-05:00"})
        service.serve_dining(serving())
        service.set_loaded_at("dining", datetime.fromisoformat(f"{loaded_at}:00-05:00"))
        for path in paths:
            assert service.app.get(path).headers["Last-Modified"] == expected, (now, loaded_at, path)


def test_what_is_in_memory_is_served_stale_while_no_revision_can_be_read(loaded):
    loaded.set_loaded_at("dining", datetime.now(UTC) - timedelta(days=1))
    empty = "/dining/menus?meal=2"
    fresh = {path: loaded.app.get(path) for path in ("/dining/recipes", empty, "/dining/recipes/1", "/search?q=kashi")}
    loaded.database.datasets.update_one({"_id": "dining"}, {"$unset": {"revision": ""}})
    loaded.revisions.poll()

    # The last two are rendered from names in memory.
    for path in [*fresh, "/dining/recipes/2", "/search?q=pilaf"]:
        stale = loaded.app.get(path, status=200)
        assert stale.headers["Cache-Status"] == "campus; fwd=stale", path
        # Since the last poll, not since the load.
        assert int(stale.headers["Age"]) < 3600, path
        assert stale.body == fresh.get(path, stale).body, path
    assert loaded.app.get(empty).headers["X-Campus-Empty"] == "no-match"
    loaded.app.get("/dining/recipes/1/facts", status=503)


def test_a_superseded_response_is_served_stale_if_the_new_one_is_unavailable(loaded):
    fresh = loaded.app.get("/dining/recipes")
    # Since the load that replaced it; the clock of the machine with the loads may be ahead.
    for hours, age in ((-1, 3600), (1, 0)):
        publish_dining(loaded.database, [serving(1, "Another")])
        # No response can be rendered.
        live_collection(loaded.database, "recipes").drop()
        loaded.set_loaded_at("dining", datetime.now(UTC) + timedelta(hours=hours))

        stale = loaded.app.get("/dining/recipes", status=200)

        assert (stale.body, "Cache-Status" in fresh.headers) == (fresh.body, False), hours
        assert stale.headers["Cache-Status"] == "campus; fwd=stale; detail=superseded", hours
        assert age <= int(stale.headers["Age"]) < age + 100, hours
        loaded.forget_revisions()
        loaded.serve_dining(serving(1))
        fresh = loaded.app.get("/dining/recipes")
