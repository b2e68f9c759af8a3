"""The response cache over HTTP: validators, caching headers, compression, stale responses."""

import gzip
import re
from datetime import UTC, datetime, timedelta

import pytest
from webob import Request

from campus_api.db.connection import read_record
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, building, serving

PATHS = ["/map/buildings", "/map/buildings/1", "/dining/recipes", "/dining/menus", f"/dining/menus?date={TODAY}"]
EVERYTHING = [building(id_, name=f"Building {id_}") for id_ in range(1, 21)]


@pytest.fixture
def loaded(service):
    service.serve_buildings(*EVERYTHING)
    service.serve_dining(*(serving(id_, f"Dish {id_}") for id_ in range(1, 21)))
    return service


@pytest.mark.parametrize("path", PATHS)
def test_data_has_validators_and_is_cacheable(loaded, path):
    headers = loaded.app.get(path).headers

    assert re.fullmatch(r'W/"[0-9a-f]{24}"', headers["ETag"])
    assert headers["Last-Modified"].endswith(" GMT")
    assert headers["Vary"] == ("Accept, Accept-Encoding" if path.startswith("/map/") else "Accept-Encoding")
    assert headers["Cache-Control"] == "public, max-age=60, stale-while-revalidate=60, stale-if-error=" + (
        "43140" if path == "/dining/menus" else "86400"
    )


def test_max_age_is_a_setting(start):
    headers = start(**{"cache.max_age": "5"}).app.get("/map/buildings").headers

    assert headers["Cache-Control"].startswith("public, max-age=5, ")


@pytest.mark.parametrize("path", PATHS)
def test_a_matching_if_none_match_returns_304(loaded, path):
    first = loaded.app.get(path)

    again = loaded.app.get(path, headers={"If-None-Match": first.headers["ETag"]}, status=304)

    names = ("ETag", "Last-Modified", "Vary", "Cache-Control", "Access-Control-Allow-Origin", "Content-Location")
    assert again.body == b""
    assert [again.headers.get(name) for name in names] == [first.headers.get(name) for name in names]


@pytest.mark.parametrize("headers", [{}, {"Accept-Encoding": "gzip"}])
def test_head_with_a_matching_if_none_match_returns_304(loaded, headers):
    tag = loaded.app.get("/map/buildings", headers=headers).headers["ETag"]

    loaded.app.head("/map/buildings", headers={**headers, "If-None-Match": tag}, status=304)


@pytest.mark.parametrize("path", PATHS)
def test_a_wildcard_if_none_match_returns_304(loaded, path):
    headers = {"If-None-Match": "*"}
    first = loaded.app.get(path, headers=headers, status=304)

    again = loaded.app.get(path, headers=headers, status=304)

    assert (first.body, again.body) == (b"", b"")
    assert first.headers["ETag"] == again.headers["ETag"] == loaded.app.get(path).headers["ETag"]


@pytest.mark.parametrize(("path", "status"), [("/map/buildings/99", 404), ("/dining/menus?meal=lunch", 400)])
def test_a_wildcard_if_none_match_does_not_hide_errors(loaded, path, status):
    loaded.app.get(path, headers={"If-None-Match": "*"}, status=status)


def test_a_non_matching_if_none_match_returns_the_full_response(loaded):
    tag = loaded.app.get("/map/buildings/2").headers["ETag"]

    assert loaded.app.get("/map/buildings/1", headers={"If-None-Match": tag}, status=200).json["id"] == 1


def test_a_load_changes_only_the_etags_of_its_data_set(loaded):
    before = [loaded.app.get(path).headers["ETag"] for path in ("/map/buildings", "/dining/recipes")]

    loaded.serve_dining(serving(1, "Another"))

    after = [loaded.app.get(path).headers["ETag"] for path in ("/map/buildings", "/dining/recipes")]
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


@pytest.mark.parametrize("memory", ["64", "0"])
def test_a_load_replaces_cached_responses(start, memory):
    service = start(**{"cache.memory_mb": memory})
    service.serve_dining(serving(1, "Rice"))
    before = service.app.get("/dining/recipes")

    service.serve_dining(serving(1, "Soup"))

    after = service.app.get("/dining/recipes", headers={"If-None-Match": before.headers["ETag"]})
    assert (before.json, after.json) == ([{"id": 1, "name": "Rice"}], [{"id": 1, "name": "Soup"}])


def as_sent(service, path, **headers):
    """Return the response as sent; WebTest would decompress it."""
    return Request.blank(path, headers=headers).get_response(service.app.app)


@pytest.mark.parametrize("path", ["/map/buildings", "/dining/menus"])
def test_a_gzipped_response_has_the_same_content(loaded, path):
    plain = as_sent(loaded, path)

    first, again = (as_sent(loaded, path, **{"Accept-Encoding": "br, gzip"}) for _ in range(2))

    assert (first.headers["Content-Encoding"], first.headers["Content-Length"]) == ("gzip", str(len(first.body)))
    assert (gzip.decompress(first.body), first.body == again.body) == (plain.body, True)
    assert (first.headers["ETag"], "Content-Encoding" in plain.headers) == (plain.headers["ETag"], False)


def test_responses_are_gzipped_without_a_cache(start):
    service = start(**{"cache.memory_mb": "0"})
    service.serve_buildings(*EVERYTHING)

    assert as_sent(service, "/map/buildings", **{"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("path", PATHS)
def test_head_has_the_headers_of_get(loaded, path):
    head, get = loaded.app.head(path), loaded.app.get(path)

    headers = [{**response.headers, "X-Request-Id": ""} for response in (head, get)]
    assert (head.body, headers[0]) == (b"", headers[1])


def test_menus_of_today_have_a_content_location(loaded):
    response = loaded.app.get("/dining/menus?meal=0")

    assert response.headers["Content-Location"] == f"/dining/menus?date={TODAY}&meal=0"
    assert loaded.app.get(response.headers["Content-Location"]).body == response.body


def test_the_content_location_includes_the_prefix_of_the_service(loaded):
    response = loaded.app.get("/dining/menus", extra_environ={"SCRIPT_NAME": "/caf\xc3\xa9"})

    assert response.headers["Content-Location"] == f"/caf%C3%A9/dining/menus?date={TODAY}"


def test_menus_of_today_expire_at_midnight(start):
    service = start(**{"clock.frozen_at": f"{TODAY}T23:59:48-05:00"})

    header = service.app.get("/dining/menus").headers["Cache-Control"]

    assert header == "public, max-age=12, stale-while-revalidate=0, stale-if-error=0"


def modified(service, path, loaded_at):
    """Return the Last-Modified of a response, if the menus were loaded at this time."""
    service.serve_dining(serving())
    change = {"$set": {"loaded_at": datetime.fromisoformat(loaded_at)}}
    service.database.datasets.update_one({"_id": "dining"}, change)
    service.revisions.poll()
    return service.app.get(path).headers["Last-Modified"]


@pytest.mark.parametrize("path", ["/dining/menus", "/dining/dishes.csv", "/dining/hours", "/dining/menus.ics"])
@pytest.mark.parametrize(
    ("loaded_at", "expected"),
    [
        ("2020-11-19T22:00:00-05:00", "Fri, 20 Nov 2020 05:00:00 GMT"),
        ("2020-11-20T08:00:00-05:00", "Fri, 20 Nov 2020 13:00:00 GMT"),
    ],
)
def test_responses_of_today_were_last_modified_by_the_load_or_at_midnight(start, path, loaded_at, expected):
    service = start(**{"clock.frozen_at": "2020-11-20T12:00:00-05:00"})

    assert modified(service, path, loaded_at) == expected


def test_last_modified_is_not_in_the_future(start):
    service = start(**{"clock.frozen_at": "9000-01-01T12:00:00-05:00"})

    assert modified(service, "/dining/menus", "2020-11-19T22:00:00-05:00") == "Fri, 20 Nov 2020 03:00:00 GMT"


def test_menus_of_a_date_were_last_modified_by_the_load(start):
    service = start(**{"clock.frozen_at": "2020-11-20T12:00:00-05:00"})

    assert modified(service, "/dining/menus", "2020-11-19T22:00:00-05:00") == "Fri, 20 Nov 2020 05:00:00 GMT"
    assert service.app.get("/dining/menus?date=2020-11-20").headers["Last-Modified"] == "Fri, 20 Nov 2020 03:00:00 GMT"


def test_a_response_of_today_without_a_load_has_no_last_modified(service):
    assert "Last-Modified" not in service.app.get("/dining/menus").headers


def test_menus_of_a_date_have_no_content_location(loaded):
    assert "Content-Location" not in loaded.app.get(f"/dining/menus?date={TODAY}").headers


@pytest.mark.parametrize("path", ["/dining/menus?meal=lunch", "/dining/recipes/9999", "/nowhere", "/map/buildings/x"])
def test_errors_are_not_cacheable(loaded, path):
    response = loaded.app.get(path, status="4*")

    assert (response.headers["Cache-Control"], "ETag" in response.headers) == ("no-store", False)


def publish_unreadable(service, **fields):
    """Publish menus whose collections are lost, so that no response can be rendered."""
    publish(service.database, plan_dining(service.database, [serving(1, "Another")]), [])
    for collection in read_record(service.database, "dining")["collections"].values():
        service.database.drop_collection(collection)
    service.database.datasets.update_one({"_id": "dining"}, {"$set": {"sources": [], **fields}})
    service.revisions.poll()


def test_a_superseded_response_is_served_stale_if_the_new_one_is_unavailable(loaded):
    fresh = loaded.app.get("/dining/recipes")
    publish_unreadable(loaded)

    stale = loaded.app.get("/dining/recipes", status=200)

    assert stale.body == fresh.body
    assert stale.headers["Cache-Status"] == "campus; fwd=stale; detail=superseded"
    assert "Cache-Status" not in fresh.headers
    assert 'campus_cache_requests_total{result="stale"} 1.0' in loaded.app.get("/__metrics__").text


def test_the_age_of_a_superseded_response_counts_from_the_load_that_replaced_it(loaded):
    loaded.app.get("/dining/recipes")
    publish_unreadable(loaded, loaded_at=datetime.now(UTC) - timedelta(hours=1))

    stale = loaded.app.get("/dining/recipes", status=200)

    assert 3600 <= int(stale.headers["Age"]) < 3700


def test_an_age_is_never_negative(loaded):
    """The clock of the machine with the loads may be ahead."""
    loaded.app.get("/dining/recipes")
    publish_unreadable(loaded, loaded_at=datetime.now(UTC) + timedelta(hours=1))

    stale = loaded.app.get("/dining/recipes", status=200)

    assert 0 <= int(stale.headers["Age"]) < 100


def test_each_request_has_its_own_id_even_if_cached(loaded):
    ids = [loaded.app.get("/map/buildings/1").headers.getall("X-Request-Id") for _ in range(3)]

    assert [len(response_ids) for response_ids in ids] == [1, 1, 1]
    assert len({id_ for (id_,) in ids}) == 3


@pytest.mark.parametrize(("setting", "lines"), [("true", 1), ("false", 0)])
def test_requests_are_logged_if_the_access_log_is_enabled(start, caplog, setting, lines):
    caplog.set_level("INFO", "campus_api.access")

    start(**{"log.access": setting}).app.get("/dining/recipes")

    assert [hasattr(record, "duration_ms") for record in caplog.records] == [True] * lines
