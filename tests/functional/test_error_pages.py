"""Errors for browsers: HTML that helps with a mistyped URL."""

import re

import pytest

from tests.factories import building, serving

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}


@pytest.fixture
def app(service):
    service.serve_buildings(building(1))
    service.serve_dining(serving())
    return service.app


def links(response):
    return re.findall(r'<a href="([^"]*)"><code>', response.text)


def test_a_browser_gets_a_page_for_an_unknown_path(app):
    response = app.get("/map/building", headers=BROWSER, status=404)

    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "There is nothing at /map/building." in response.text
    assert {"/", "/docs", "/explore"} <= set(re.findall(r'href="([^"]*)"', response.text))


@pytest.mark.parametrize("headers", [{}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "image/png"}])
def test_a_program_gets_a_problem_document_for_an_unknown_path(app, headers):
    response = app.get("/map/building", headers=headers, status=404)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json["corrected"] is None


@pytest.mark.parametrize("headers", [BROWSER, {}])
@pytest.mark.parametrize(("path", "status"), [("/map/building", 404), ("/dining/menus?meal=lunch", 400)])
def test_both_representations_vary_and_are_not_stored(app, headers, path, status):
    response = app.get(path, headers=headers, status=status)

    assert response.headers["Vary"] == "Accept"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" not in response.headers


def test_an_error_page_has_the_content_security_policy_of_pages(app):
    policy = app.get("/docs").headers["Content-Security-Policy"]

    assert app.get("/nowhere", headers=BROWSER, status=404).headers["Content-Security-Policy"] == policy


@pytest.mark.parametrize(
    ("path", "corrected"),
    [
        ("/map/building", "/map/buildings"),
        ("/Map/Buildings/", "/map/buildings"),
        ("/buildings?name=hall", "/map/buildings?name=hall"),
        ("/map/building/1", "/map/buildings/1"),
        ("/map/buildings/999", "/map/buildings"),
        ("/menu?date=2026-11-20&meal=1", "/dining/menus?date=2026-11-20&amp;meal=1"),
        ("/buildings?name=old+hall", "/map/buildings?name=old+hall"),
        ("/explorer", "/explore"),
        ("/map/@@buildings", "/map/buildings"),
    ],
)
def test_a_page_suggests_the_url_that_was_probably_meant(app, path, corrected):
    assert links(app.get(path, headers=BROWSER, status=404)) == [corrected]


@pytest.mark.parametrize("path", ["/nowhere", "/%FF", "/dining/menus/1"])
def test_a_page_suggests_nothing_if_nothing_is_similar(app, path):
    assert links(app.get(path, headers=BROWSER, status=404)) == []


def test_a_suggestion_has_the_prefix_of_the_service_and_is_escaped(app):
    response = app.get('/menus?name="><script>', headers=BROWSER, extra_environ={"SCRIPT_NAME": "/campus"}, status=404)

    assert links(response) == ["/campus/dining/menus?name=%22%3E%3Cscript%3E"]


def test_a_very_long_suggestion_is_left_out(app):
    assert links(app.get(f"/menus?name={'a' * 8000}", headers=BROWSER, status=404)) == []


def test_a_browser_gets_a_page_for_an_invalid_menu_query(app):
    response = app.get("/dining/menus?meal=lunch", headers=BROWSER, status=400)

    assert "meal=lunch is not an integer" in response.text
    assert links(response) == ["/dining/menus?meal=1"]


def test_a_browser_gets_a_page_while_the_database_is_unavailable(start):
    app = start(**{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"}).app

    response = app.get("/dining/menus?meal=1", headers=BROWSER, status=503)

    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "The database is unavailable." in response.text
    assert [response.headers[name] for name in ("Retry-After", "Cache-Control", "Vary")] == ["5", "no-store", "Accept"]


@pytest.mark.parametrize("headers", [{}, {"Accept": "application/json, text/html;q=0.9"}])
def test_a_program_gets_a_problem_document_while_the_database_is_unavailable(start, headers):
    app = start(**{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"}).app

    response = app.get("/dining/menus?meal=1", headers=headers, status=503)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert [response.headers[name] for name in ("Retry-After", "Cache-Control", "Vary")] == ["5", "no-store", "Accept"]


def test_a_corrected_url_has_the_prefix_of_the_service(app):
    response = app.get("/dining/menus?meal=lunch", extra_environ={"SCRIPT_NAME": "/campus"}, status=400)

    assert response.json["corrected"] == "/campus/dining/menus?meal=1"


@pytest.mark.parametrize("path", ["//dining/menus", "//evil.example/../dining/menus", "/./dining//menus/"])
def test_a_corrected_url_has_the_canonical_path(app, path):
    response = app.get("/?meal=lunch", extra_environ={"PATH_INFO": path}, headers=BROWSER, status=400)

    assert links(response) == ["/dining/menus?meal=1"]


def test_an_error_page_has_no_body_for_head(app):
    response = app.head("/nowhere", headers=BROWSER, status=404)

    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.body == b""
