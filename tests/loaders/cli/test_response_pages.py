"""Responses of servers that are one page of several: nothing is published without the others."""

import json

import pytest

from tests.factories import TODAY, feature


def page(*ids, **members):
    before, after = ({}, members) if members.pop("is_after", False) else (members, {})
    return json.dumps({"type": "FeatureCollection", **before, "features": [feature(id_) for id_ in ids], **after})


@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    "members",
    [
        {"count": 120, "next": "https://example.edu/buildings?page=2"},
        {"links": [{"rel": "self", "href": "a"}, {"rel": "next", "href": "b"}]},
        {"links": {"next": "b"}},
        {"meta": {"pagination": {"next_page": 2}}},
        {"@odata.nextLink": "b"},
        {"hasMore": True},
        {"numberMatched": 500, "numberReturned": 1},
        {"totalFeatures": 2, "numberMatched": 0},
        {"count": 250, "limit": 1, "offset": 0},
        {"page": 1, "pages": 250, "total": 250},
        {"total_count": 2},
        {"_links": {"next": {"href": "b"}}, "page": {"size": 1, "totalElements": 250}},
        {"meta": {"count": 1, "totalResults": 250}},
    ],
    ids=str,
)
def test_a_page_that_says_that_there_are_more_features_is_rejected(campus_load, save, members, is_after):
    result = campus_load("buildings", save(page(1, **members, is_after=is_after), "page.json"))

    assert (result.exit_code, "page.json: is not the last page: its members say " in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "members",
    [
        {"count": 1, "next": None},
        {"links": [{"rel": "self", "href": "a"}]},
        {"_links": {"next": "/api/3/action/datastore_search?offset=100"}},
        {"totalFeatures": "unknown", "numberMatched": 0},
        {"hasMore": False},
        {"count": 1, "total": 1, "page": {"totalElements": 1, "number": 7}},
        {"total": 0, "count": None, "totalItems": "250", "total_area": 250, "meta": {"total_hits": True}},
        json.loads('{"meta":' * 900 + "1" + "}" * 900),
    ],
    ids=lambda members: str(members)[:60],
)
def test_a_response_that_has_all_features_is_loaded(campus_load, save, members):
    assert campus_load("buildings", save(page(1, **members))).exit_code == 0


def test_pages_with_all_features_that_match_are_loaded(campus_load, save):
    paths = [save(page(id_, numberMatched=3), f"{id_}.json") for id_ in (1, 2, 3)]

    assert campus_load("buildings", *paths).exit_code == 0


def test_pages_without_all_features_that_match_are_rejected(campus_load, save):
    paths = [save(page(id_, numberMatched=3), f"{id_}.json") for id_ in (1, 3)]

    assert campus_load("buildings", *paths).exit_code == 2


def test_a_page_of_a_table_of_buildings_is_rejected(campus_load, save):
    table = json.dumps({"results": [{"id": 1, "lat": 42.3, "lon": -71.1}], "next": "b"})

    result = campus_load("buildings", save(table))

    assert (result.exit_code, "is not the last page" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "response",
    [
        {"total": 2, "data": [{"id": 1, "lat": 42.3, "lon": -71.1}]},
        {"_embedded": {"buildings": [{"id": 1, "lat": 42.3, "lon": -71.1}]}, "page": {"totalElements": 250}},
    ],
)
def test_a_page_of_a_table_with_a_total_is_rejected(campus_load, save, response):
    result = campus_load("buildings", save(json.dumps(response)))

    assert (result.exit_code, "is not the last page" in result.stderr) == (2, True)


def test_a_page_of_menus_with_a_total_is_rejected(campus_load, save):
    path = save(json.dumps({"total": 9, "data": [{"date": TODAY, "meal": "Lunch", "dish": "Soup"}]}))

    result = campus_load("dining", path, "--profile", "menu-table")

    reason = "has only 1 of 9 rows: save the rows of all pages in one list"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


def test_a_page_of_menus_is_rejected(campus_load, save):
    path = save(json.dumps({"links": {"next": "b"}, "data": [{"date": TODAY, "meal": "Lunch", "dish": "Soup"}]}))

    result = campus_load("dining", path, "--profile", "menu-table")

    reason = "has a next page, by its links.next: save the rows of all pages in one list"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")
