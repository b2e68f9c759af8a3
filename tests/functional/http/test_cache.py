"""The response cache: validators, caching headers, compression, stale responses."""

from datetime import UTC, datetime, timedelta

import pytest

from campus_api import catalog
from campus_api.db.connection import read_record
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, building, serving


@pytest.fixture
def loaded(service):
    service.serve_buildings(*(building(id_) for id_ in range(1, 21)))
    service.serve_dining(*(serving(id_) for id_ in range(1, 21)))
    return service


def etag(service, path="/dining/menus"):
    return service.app.get(path).headers["ETag"]


def test_a_load_changes_the_etags_of_its_data_set_only(loaded):
    loads = {
        "buildings": lambda: loaded.serve_buildings(building(2)),
        "dining": lambda: loaded.serve_dining(serving(2)),
    }
    for dataset, load in loads.items():
        before = {path: etag(loaded, path) for path in catalog.DATA}
        load()
        for path in catalog.DATA:
            is_of_both = path in ("/dining/locations.geojson", "/search")
            is_shown = is_of_both or path.startswith("/map/") == (dataset == "buildings")
            assert (etag(loaded, path) != before[path]) == is_shown, (dataset, path)


def test_a_database_that_was_created_again_has_other_etags(loaded):
    before = etag(loaded)
    loaded_at = loaded.database.datasets.find_one({"_id": "dining"})["loaded_at"] + timedelta(seconds=1)

    loaded.database.datasets.update_one({"_id": "dining"}, {"$set": {"loaded_at": loaded_at}})
    loaded.revisions.poll()

    assert etag(loaded) != before


def test_a_load_replaces_cached_responses(start):
    for memory in ("64", "0"):
        service = start(**{"cache.memory_mb": memory})
        service.serve_dining(serving(1, "Rice"))
        before = service.app.get("/dining/recipes")

        service.serve_dining(serving(1, "Soup"))

        after = service.app.get("/dining/recipes", headers={"If-None-Match": before.headers["ETag"]})
        assert (before.json, after.json) == ([{"id": 1, "name": "Rice"}], [{"id": 1, "name": "Soup"}]), memory


def test_menus_of_today_have_a_content_location(loaded):
    response = loaded.app.get("/dining/menus?meal=0")
    below = loaded.app.get("/dining/menus", extra_environ={"SCRIPT_NAME": "/caf\xc3\xa9"})

    assert response.headers["Content-Location"] == f"/dining/menus?date={TODAY}&meal=0"
    assert loaded.app.get(response.headers["Content-Location"]).body == response.body
    assert below.headers["Content-Location"] == f"/caf%C3%A9/dining/menus?date={TODAY}"
    assert "Content-Location" not in loaded.app.get(f"/dining/menus?date={TODAY}").headers


def test_responses_are_fresh_for_max_age_and_those_of_today_end_at_midnight(start):
    service = start(**{"clock.frozen_at": f"{TODAY}T23:59:48-05:00", "cache.max_age": "5"})

    expected = "public, max-age=5, stale-while-revalidate=60, stale-if-error=86400"
    for path in ("/map/buildings", "/dining/recipes", f"/dining/menus?date={TODAY}"):
        assert service.app.get(path).headers["Cache-Control"] == expected, path
    for path in ("/dining/menus", "/dining/dishes", "/dining/hours", "/dining/menus.ics", "/dining/menus.csv"):
        header = service.app.get(path).headers["Cache-Control"]
        assert header == "public, max-age=5, stale-while-revalidate=7, stale-if-error=7", path


def set_loaded_at(service, time):
    service.database.datasets.update_one({"_id": "dining"}, {"$set": {"loaded_at": time}})
    service.revisions.poll()


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
        set_loaded_at(service, datetime.fromisoformat(f"{loaded_at}:00-05:00"))
        for path in paths:
            assert service.app.get(path).headers["Last-Modified"] == expected, (now, loaded_at, path)


def test_what_is_in_memory_is_served_stale_while_no_revision_can_be_read(loaded):
    empty = "/dining/menus?meal=2"
    fresh = {path: loaded.app.get(path) for path in ("/dining/recipes", empty, "/dining/recipes/1", "/search?q=kashi")}
    loaded.database.datasets.update_one({"_id": "dining"}, {"$unset": {"revision": ""}})
    loaded.revisions.poll()

    # The last two are rendered from names in memory.
    for path in [*fresh, "/dining/recipes/2", "/search?q=pilaf"]:
        stale = loaded.app.get(path, status=200)
        assert (stale.headers["Cache-Status"], "Age" in stale.headers) == ("campus; fwd=stale", True), path
        assert stale.body == fresh.get(path, stale).body, path
    assert loaded.app.get(empty).headers["X-Campus-Empty"] == "no-match"
    loaded.app.get("/dining/recipes/1/facts", status=503)


def publish_unreadable(service, loaded_at):
    """Publish menus whose collections are lost, so that no response can be rendered."""
    publish(service.database, plan_dining(service.database, [serving(1, "Another")]), [])
    for collection in read_record(service.database, "dining")["collections"].values():
        service.database.drop_collection(collection)
    set_loaded_at(service, loaded_at)


def test_a_superseded_response_is_served_stale_if_the_new_one_is_unavailable(loaded):
    fresh = loaded.app.get("/dining/recipes")
    # Since the load that replaced it; the clock of the machine with the loads may be ahead.
    for hours, age in ((-1, 3600), (1, 0)):
        publish_unreadable(loaded, datetime.now(UTC) + timedelta(hours=hours))

        stale = loaded.app.get("/dining/recipes", status=200)

        assert (stale.body, "Cache-Status" in fresh.headers) == (fresh.body, False)
        assert stale.headers["Cache-Status"] == "campus; fwd=stale; detail=superseded"
        assert age <= int(stale.headers["Age"]) < age + 100
        loaded.forget_revisions()
        loaded.serve_dining(serving(1))
        fresh = loaded.app.get("/dining/recipes")


def test_a_live_version_has_the_age_of_the_last_poll_and_not_of_its_load(loaded):
    set_loaded_at(loaded, datetime.now(UTC) - timedelta(days=1))

    assert loaded.revisions.age(loaded.revisions.latest.version("dining")) < 3600
