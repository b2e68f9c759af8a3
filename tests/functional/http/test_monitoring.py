"""Heartbeats, version and metrics."""

import re

import pytest
from webob import Request

from tests.factories import TODAY, building, serving


@pytest.fixture
def loaded(start):
    """A new service, whose metrics are zero."""
    service = start()
    service.serve_buildings(building(1))
    service.serve_dining(serving(1), serving(2, date="2026-11-22"))
    return service


def test_the_heartbeat_reports_live_revisions_and_the_dates_of_menus(loaded):
    body = loaded.app.get("/__heartbeat__").json

    dining = body["datasets"]["dining"]
    assert (body["status"], body["warnings"], body["database"]) == ("ok", [], "up")
    assert {name: state["revision"] for name, state in body["datasets"].items()} == {"buildings": 1, "dining": 1}
    assert [name for name, state in body["datasets"].items() if not 0 <= state["age_seconds"] < 60] == []
    assert (dining["first_date"], dining["last_date"], dining["days_ahead"]) == (TODAY, "2026-11-22", 3)


def test_the_heartbeat_for_load_balancers_does_not_need_the_database(without_database):
    assert without_database.app.get("/__lbheartbeat__").status_int == 200


def test_the_heartbeat_warns_when_nothing_is_loaded_and_when_menus_end(service):
    empty = service.app.get("/__heartbeat__", status=200).json
    service.serve_buildings(building(1))

    assert (empty["status"], len(empty["warnings"]), service.metric("campus_menus_days_ahead")) == ("warn", 2, 0)
    for servings in ([], [serving(date="2026-11-10")]):
        service.serve_dining(*servings)
        ended = service.app.get("/__heartbeat__", status=200).json
        assert (ended["status"], ended["warnings"]) == ("warn", ["dining: no menus for today or later"]), servings
        assert ended["datasets"]["dining"]["days_ahead"] == 0, servings


def test_monitoring_responses_are_not_cacheable(loaded):
    responses = {name: loaded.app.get(f"/__{name}__") for name in ("lbheartbeat", "heartbeat", "version", "metrics")}

    assert {each.headers["Cache-Control"] for each in responses.values()} == {"no-store"}
    version = responses["version"].json
    assert (version["name"], version["version"].count(".")) == ("campus-api", 2)


def test_requests_are_counted_by_endpoint_and_status(loaded):
    for path, endpoint, status in (
        ("/map/buildings/1", "/map/buildings/{id}", 200),
        ("/map/buildings/9", "/map/buildings/{id}", 404),
        ("/dining/menus?meal=x", "/dining/menus", 400),
        ("/nowhere", "other", 404),
    ):
        loaded.app.get(path, status=status)
        assert loaded.metric("campus_http_requests_total", endpoint=endpoint, status=status) == 1, path
        assert loaded.metric("campus_http_request_duration_seconds_count", endpoint=endpoint) >= 1, path


def test_responses_are_counted_by_cache_result(loaded):
    tag = loaded.app.get("/map/buildings/1").headers["ETag"]
    loaded.app.get("/map/buildings/1")
    loaded.app.get("/map/buildings/1", headers={"If-None-Match": tag})
    loaded.database.datasets.update_one({"_id": "buildings"}, {"$unset": {"revision": ""}})
    loaded.revisions.poll()
    loaded.app.get("/map/buildings/1")

    for result in ("miss", "hit", "not_modified", "stale"):
        assert loaded.metric("campus_cache_requests_total", result=result) == 1, result


def test_metrics_include_the_state_of_the_data_the_cache_the_version_and_the_process(loaded):
    response = loaded.app.get("/__metrics__")
    before = loaded.metric("campus_cache_entries"), loaded.metric("campus_cache_size_bytes")
    Request.blank("/map/buildings?name=nobody").get_response(loaded.app.app)
    after = loaded.metric("campus_cache_entries"), loaded.metric("campus_cache_size_bytes")

    assert response.headers["Content-Type"].startswith("text/plain; version=")
    assert (loaded.metric("campus_database_up"), loaded.metric("campus_menus_days_ahead")) == (1, 3)
    assert loaded.metric("campus_dataset_revision", dataset="dining") == 1
    assert 0 <= loaded.metric("campus_dataset_age_seconds", dataset="buildings") < 60
    assert (after[0] - before[0] >= 1, after[1] > before[1]) == (True, True)
    assert re.search(r'^campus_build_info\{python="3[.0-9]+",version="[.0-9]+"\} 1\.0$', response.text, re.MULTILINE)
    assert loaded.metric("process_resident_memory_bytes") > 0
    assert "_created" not in response.text
    # Zero before the first request.
    for status in (200, 500, 503):
        labels = {"endpoint": "/dining/recipes/{id}/facts", "status": status}
        assert loaded.metric("campus_http_requests_total", **labels) == 0, status
