"""What the last loads changed, as a list and as a feed."""

import re
from xml.etree import ElementTree

import pytest

from campus_api.db import changes
from campus_api.db.connection import read_database_id
from tests.factories import TODAY, TOMORROW, building, facts, hall, serving
from tests.publishing import publish_buildings

ATOM = "{http://www.w3.org/2005/Atom}"
RELS = ["self", "alternate", "related"]


@pytest.fixture
def empty(service):
    """The service of a database without loads and revisions."""
    service.database.client.drop_database(service.database.name)
    return service


@pytest.fixture
def loaded(empty):
    empty.serve_buildings(building(1), building(2))
    empty.serve_dining(serving(1, "Rice"), serving(2, "Soup"))
    return empty


def rows(service, query="", status=200):
    return service.app.get(f"/changes?{query}", status=status).json


def test_a_first_load_of_buildings_adds_all_in_one_row_even_if_it_was_killed_after_it_was_live(loaded):
    loaded.database.loads.update_many({}, {"$set": {"state": "started"}})

    [row] = rows(loaded, "dataset=buildings")

    assert (row["kind"], row["type"], row["id"]) == ("added", "building", None)


def test_buildings_are_added_removed_renamed_moved_and_changed(loaded):
    loaded.serve_buildings(building(2, name="New Name", city="Boston"), building(3))
    loaded.serve_buildings(building(2, name="New Name", city="Boston", point=(42.0, -71.0)), building(3, city="Salem"))

    moved, changed, renamed, added, removed = rows(loaded, "dataset=buildings&since=1")

    assert (moved["kind"], moved["id"], moved["fields"]) == ("moved", 2, ["geometry"])
    assert (changed["kind"], changed["id"], changed["fields"]) == ("changed", 3, ["city"])
    assert [(row["kind"], row["id"]) for row in (removed, added)] == [("removed", 1), ("added", 3)]
    assert (renamed["kind"], renamed["id"], renamed["fields"]) == ("renamed", 2, ["city", "name"])
    assert (renamed["name"], renamed["name_before"], renamed["revision"]) == ("New Name", "Widener Library", 2)


def test_menus_are_the_dates_and_halls_that_differ(loaded):
    meals = [serving(2, "Soup", meal=meal, location=location) for meal in (0, 1) for location in (7, 30)]
    meals.append(serving(1, "Rice", date=TOMORROW))
    for day in (TODAY, TOMORROW):
        loaded.serve_dining(*meals, facts={1: facts(as_of=day)}, halls={30: hall(203)})

    menus = [row for row in rows(loaded, "dataset=dining&since=1") if row["type"] == "menu"]
    others = [row for row in rows(loaded, "dataset=dining&since=1") if row["type"] != "menu"]

    assert [(row["kind"], row["date"], row["id"], row["name"]) for row in menus] == [
        ("added", TOMORROW, None, None),
        ("changed", TODAY, 7, "Hall 7"),
        ("changed", TODAY, 30, "Hall 30"),
        ("changed", TOMORROW, 30, "Hall 30"),
    ]
    assert [(row["kind"], row["type"], row["id"]) for row in others] == [
        ("added", "location", 7),
        ("changed", "location", 30),
        ("changed", "recipe", 1),
    ]
    assert others[1]["fields"] == ["building", "hours"]


def test_a_client_that_requests_from_its_last_revision_or_time_on_misses_nothing(loaded):
    index, before = loaded.app.get("/").json["datasets"], rows(loaded)
    loaded.serve_buildings(building(2), building(3))
    times = [row["loaded_at"] for row in rows(loaded)]

    assert (times, rows(loaded)[-len(before) :]) == (sorted(times, reverse=True), before)
    since_time = f"since={max(times[1:])}".replace("+", "%2B")
    assert [row["dataset"] for row in rows(loaded, f"since={times[0]}")] == []
    assert {row["revision"] for row in rows(loaded, f"dataset=buildings&since={index['buildings']['revision']}")} == {2}
    assert rows(loaded, "dataset=dining&since=1") == rows(loaded, "since=2") == []
    assert len(rows(loaded, since_time)) < len(rows(loaded))
    for since in ("since=2000-01-01T00:00:00Z", "since=2100-01-01T00:00:00Z&since=2&since=0"):
        assert rows(loaded, since) == rows(loaded), since


def test_an_undone_load_and_its_undo_are_changes_and_others_are_none(loaded):
    load = loaded.database.loads.find_one({"dataset": "dining"}, {"_id": 0})
    loaded.database.loads.insert_one({**load, "state": "interrupted", "revision": 1})
    loaded.database.loads.update_one({"dataset": "dining"}, {"$set": {"state": "undone"}})

    assert {row["revision"] for row in rows(loaded, "dataset=dining")} == {1}
    assert len(rows(loaded, "dataset=dining")) == 5


def test_a_long_list_links_its_next_part(loaded):
    listed, path = [], "/changes?dataset=dining&limit=1&limit=2&start=1&start=0"
    for _ in range(3):
        response = loaded.app.get(path)
        listed += response.json
        link = re.fullmatch(r'<(\?[^>]+)>; rel="next"', response.headers.get("Link", ""))
        path = f"/changes{link[1]}" if link else ""

    assert (listed, path) == (rows(loaded, "dataset=dining"), "")
    nothing = loaded.app.get("/changes?limit=0")
    assert (nothing.json, "Link" in nothing.headers) == ([], False)


def test_a_query_that_is_not_understood_is_a_400(loaded):
    no_time = "is neither a revision nor a time with its offset, such as 2026-11-20T06:00:00Z"
    for query, reason in {
        **dict.fromkeys(("since=yesterday", "since=2026-11-20T06:00:00"), no_time),
        "dataset=rooms": "is not a data set: these are buildings, dining",
        "limit=-1": "is not a number of zero or more",
    }.items():
        assert [error["reason"] for error in rows(loaded, query, 400)["errors"]] == [reason], query


def test_changes_that_are_no_longer_stored_are_a_410_with_the_oldest(loaded, monkeypatch):
    monkeypatch.setattr(changes, "LOADS_WITH_CHANGES", 2)
    loaded.serve_buildings(building(3))
    # Nothing precedes the first load.
    assert {row["revision"] for row in rows(loaded, "dataset=buildings&since=2000-01-01T00:00:00Z")} == {1, 2}
    loaded.serve_buildings(building(4))

    for since in ("0", "2000-01-01T00:00:00Z"):
        problem = rows(loaded, f"dataset=buildings&since={since}", 410)
        assert problem["detail"].startswith("The changes of buildings are stored from revision 2 on, of 20"), since
        assert problem["errors"][0]["parameter"] == "since", since
    assert {row["revision"] for row in rows(loaded, "dataset=buildings&since=1")} == {2, 3}
    assert {row["revision"] for row in rows(loaded, "dataset=buildings")} == {2, 3}
    assert "text/html" in loaded.app.get("/changes?since=0", headers={"Accept": "text/html"}, status=410).content_type


def test_a_revision_that_the_database_has_not_had_is_a_410(loaded):
    loaded.serve_buildings(building(3))
    for query, since in (("since=57", 57), ("since=3", 3), ("dataset=dining&since=2", 2)):
        problem = rows(loaded, query, 410)
        reason = f"This database has not had the revision {since}: load all"
        assert problem["detail"].startswith(reason), query

    # Another process serves it already.
    publish_buildings(loaded.database, [building(4)])
    assert rows(loaded, "since=3") == rows(loaded, "dataset=buildings&since=2") == []
    # A backup may lack the history.
    loaded.database.loads.drop()
    assert rows(loaded, "since=2") == []


def test_before_the_first_load_nothing_has_changed(empty):
    assert rows(empty) == rows(empty, "since=5") == []
    assert ElementTree.fromstring(empty.app.get("/changes.atom").body).findall(f"{ATOM}entry") == []


def test_the_feed_has_an_entry_for_each_load(loaded):
    loaded.serve_buildings(building(2), building(3, name="<Annex & Co.>"))

    response = loaded.app.get("/changes.atom")
    feed = ElementTree.fromstring(response.body)

    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    names = [f"{ATOM}{name}" for name in ("id", "title", "content")]
    entries = [[each.findtext(name) for name in names] for each in feed.iter(f"{ATOM}entry")]
    urn = f"urn:campus-api:{read_database_id(loaded.database)}"
    assert entries[0] == [f"{urn}:buildings:2", "Buildings, revision 2", "buildings: 1 added, 1 removed"]
    assert [id_ for id_, *_ in entries[1:]] == [f"{urn}:dining:1", f"{urn}:buildings:1"]
    assert feed.findtext(f"{ATOM}updated") == rows(loaded)[0]["loaded_at"]
    related = [link.get("href") for link in feed.iter(f"{ATOM}link") if link.get("rel") == "related"]
    assert [row["revision"] for row in loaded.app.get(f"/{related[0]}").json] == [2, 2]
    assert len(ElementTree.fromstring(loaded.app.get("/changes.atom?dataset=dining").body).findall(f"{ATOM}entry")) == 1


def test_entries_of_the_feed_link_the_page_of_the_day_or_the_building_that_changed(start):
    base = "https://campus.example.edu/"
    service = start(**{"pages.url": base})
    service.database.client.drop_database(service.database.name)
    service.serve_buildings(building(1), building(2))
    service.serve_buildings(building(1), building(2, name="New Name"))
    service.serve_buildings(*(building(id_, name="Another Name") for id_ in (1, 2)))
    service.serve_dining(serving(1, "Rice"), serving(1, "Rice", date=TOMORROW))
    service.serve_dining(serving(1, "Rice"), serving(2, "Soup", date=TOMORROW))
    service.serve_dining(serving(1, "Rice"), serving(2, "Soup", date=TOMORROW), facts={1: facts()})

    feed = ElementTree.fromstring(service.app.get("/changes.atom").body)

    links = {rel: [each.get("href") for each in feed.iter(f"{ATOM}link") if each.get("rel") == rel] for rel in RELS}
    pages = ["menus", f"menus&date={TOMORROW}", f"menus&date={TODAY}", "buildings", "buildings&id=2", "buildings"]
    assert links["alternate"] == [f"{base}explore?view={page}" for page in pages]
    assert (links["self"], links["related"][0]) == ([f"{base}changes.atom"], f"{base}changes?dataset=dining&since=2")
    service.database.loads.update_many({}, {"$unset": {"changed_ids": ""}})
    assert f'"{base}explore?view=menus"' in service.app.get("/changes.atom?dataset=dining").text
