"""Errors: problem documents for programs, pages for browsers."""

import re

from tests.factories import building, facts, problem, serving
from tests.loaders.live import live_collection

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}
PAGE, PROBLEM = "text/html; charset=utf-8", "application/problem+json"


def test_an_unknown_path_is_a_problem_404(app):
    for path in (
        *("/map", "/dining", "/map/buildings/2", "/map/buildings/1/name", "/%C3%A9", "/Map/Buildings"),
        *("/map/buildings.geojson/1", "/map/buildings/1.geojson.geojson", "/map/buildings/1.json"),
        *("/map/buildings/9.geojson", "/map/buildings/.geojson", "/map/buildings/geojson", "/map/buildings.GEOJSON"),
        *("/dining/recipes.geojson", "/dining/recipes/31001.geojson", "/map/buildings/1.csv", "/map/buildings.csv/1"),
        *("/dining/locations.csv", "/dining.csv", "/dining/recipes/facts", "/dining/recipes/31001/facts/sodium"),
        *("/dining/recipes/999/facts", "/dining/recipes/x/facts", "/dining/recipes/31001/Facts"),
        *("/dining/locations/30/facts", "/dining/categories/23/facts"),
    ):
        response = app.get(path, status=404)
        assert response.headers["Content-Type"] == PROBLEM, path
        assert response.json == problem(404, "Not Found", f"There is nothing at {path}."), path


def test_a_path_that_is_no_path_of_the_tree_is_a_404(app):
    invalid_utf_8 = ("/%FF", "/map/%FF", "/map/buildings/%FF", "/%C3/menus")
    views = ("/map/@@buildings", "/map/buildings/@@", "/map/buildings/1/@@/x", "/dining/menus/@@", "/robots.txt/x")

    # Over 1,000 characters.
    for path in (*invalid_utf_8, *views, f"/dining{'/' * 984}categories"):
        assert app.get(path, status=404).json["status"] == 404, path
    app.get(f"/dining{'/' * 983}categories", status=200)


def test_a_damaged_document_is_a_503(start, caplog):
    for collection, field, paths in (
        ("buildings", "point", ["/map/buildings/1", "/map/buildings"]),
        ("recipes", "name", ["/dining/recipes/1", "/dining/recipes/1/facts"]),
        ("locations", "name", ["/dining/locations/30"] * 2),
        ("menus", "items", ["/dining/menus", "/dining/dishes?without=milk"]),
    ):
        service = start(**{"cache.memory_mb": "0"})
        service.serve_buildings(building(1))
        service.serve_dining(serving(1), facts={1: facts(allergens=("Milk",))})
        live_collection(service.database, collection).update_many({}, {"$unset": {field: ""}})
        caplog.clear()

        for path in paths:
            service.app.get(path, status=503)

        # Once, however many requests fail.
        [message] = [record.message for record in caplog.records if record.message.startswith("A query failed")]
        assert message.startswith(f"A query failed: {collection}: "), collection
        assert message.endswith(f" is damaged: KeyError: '{field}'"), collection


def test_a_browser_gets_a_page_for_an_unknown_path(app):
    response = app.get("/map/building", headers=BROWSER, status=404)

    assert "There is nothing at /map/building." in response.text
    assert {"/", "/docs", "/explore"} <= set(re.findall(r'href="([^"]*)"', response.text))
    assert response.headers["Content-Security-Policy"] == app.get("/docs").headers["Content-Security-Policy"]


def test_a_browser_gets_a_page_and_a_program_a_problem_document_which_are_not_stored(app, without_database):
    requests = (app, "/map/building"), (app, "/dining/menus?meal=lunch"), (without_database.app, "/dining/menus")
    accepts = ("*/*", "application/json", "application/json, text/html;q=0.9", "image/png", "application/geo+json")
    programs = ({}, *({"Accept": accept} for accept in accepts))
    for headers, content_type in ((BROWSER, PAGE), *((each, PROBLEM) for each in programs)):
        for client, path in requests:
            response = client.get(path, headers=headers, status=(400, 404, 503))
            assert response.headers["Content-Type"] == content_type, (path, headers)
            named = [response.headers.get(name) for name in ("Vary", "Cache-Control", "ETag")]
            assert named == ["Accept", "no-store", None], (path, headers)


def test_a_corrected_url_has_the_canonical_path(app):
    for path in ("/dining/menus", "//dining/menus", "//evil.example/../dining/menus", "/./dining//menus/"):
        response = app.get("/?meal=lunch", extra_environ={"PATH_INFO": path}, headers=BROWSER, status=400)
        assert "meal=lunch is not an integer" in response.text, path
        assert re.findall(r'<a href="([^"]*)"><code>', response.text) == ["/dining/menus?meal=1"], path
