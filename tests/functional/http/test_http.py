"""The rules of every response: methods, CORS, request IDs, trailing slashes."""

import re

import pytest
from webtest import TestApp

from tests.factories import building

# A response of each kind.
REQUESTS = [
    *(("GET", path, 200) for path in ("/map/buildings", "/map/buildings/1", "/", "/explore", "/__lbheartbeat__")),
    ("HEAD", "/dining/menus", 200),
    ("OPTIONS", "/map/buildings", 204),
    ("GET", "/dining/menus?meal=lunch", 400),
    *(("GET", path, 404) for path in ("/nowhere", "/%FF", "/static/0/site.css", "/dining/recipes/9")),
    ("POST", "/map/buildings", 405),
    ("GET", "/dining/menus?date=2020-01-01", 500),
]
NEW_ID = re.compile(r"[0-9a-f]{24}")


@pytest.fixture
def responses(service, without_database):
    """A response of each kind, by the method, the path and the status."""
    service.serve_buildings(building(1))
    service.serve_broken_menu("2020-01-01")
    responses = {}
    for method, path, status in REQUESTS:
        responses[method, path, status] = service.app.request(path, method=method, status=status)
    for path in ("/map/buildings", "/explore"):
        tag = {"If-None-Match": service.app.get(path).headers["ETag"]}
        responses["GET", path, 304] = service.app.get(path, headers=tag, status=304)
    responses["GET", "/dining/recipes", 503] = without_database.app.get("/dining/recipes", status=503)
    return responses


def test_scripts_of_any_origin_may_read_every_response_and_its_headers(responses):
    for request, response in responses.items():
        assert response.headers["Access-Control-Allow-Origin"] == "*", request
        assert response.headers["Access-Control-Expose-Headers"] == "*", request
        assert response.headers["X-Content-Type-Options"] == "nosniff", request


def test_every_response_has_one_request_id(responses):
    ids = [response.headers["X-Request-Id"] for response in responses.values()]

    assert [id_ for id_ in ids if not NEW_ID.fullmatch(id_)] == []
    assert len(set(ids)) == len(ids)


def test_a_well_formed_id_is_echoed_and_a_malformed_one_replaced(service):
    for id_ in ("7", "x" * 64, "0190a0c1-5b6f-7c3e-9d1f-3f0e8f0a1b2c", "A.b_C-9", "--", "."):
        assert service.app.get("/", headers={"X-Request-Id": id_}).headers["X-Request-Id"] == id_, id_
    for id_ in ("", "x" * 65, "a b", "a,b", "a/b", "café", "٣", "a\tb", '"a"', "{}", "x" * 9999):
        assert NEW_ID.fullmatch(service.app.get("/", headers={"X-Request-Id": id_}).headers["X-Request-Id"]), id_


def test_log_records_of_a_request_have_its_id(service, caplog):
    service.serve_broken_menu("2020-01-01")

    for id_ in ("first", "second"):
        service.app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": id_}, status=500)

    records = [(record.message, record.request_id, record.exc_info[0]) for record in caplog.records]
    assert records == [("A request failed", id_, TypeError) for id_ in ("first", "second")]


def test_a_trailing_slash_is_the_same_resource(app):
    for path in ("/map/buildings", "/map/buildings/1", "/dining/categories/23", "/dining/recipes", "/dining/menus"):
        assert app.get(f"{path}/", status=200).body == app.get(path).body, path
    assert app.get("/map/buildings/?name=zzz").json == []
    app.get("/dining/recipes/x/", status=404)


def test_urls_include_the_prefix_of_the_service_and_are_escaped(app):
    prefix = "/campus%20%22data"
    for path, accept, expected in (
        ("/", "*/*", f'"href":"{prefix}/dining/menus"'),
        ("/openapi.json", "*/*", f'"servers":[{{"url":"{prefix}"}}]'),
        ("/llms.txt", "*/*", f"]({prefix}/dining/menus)"),
        ("/robots.txt", "*/*", f"Disallow: {prefix}/__"),
        ("/explore", "*/*", f'data-base="{prefix}/"'),
        ("/search?q=kashi", "*/*", f'"url":"{prefix}/dining/recipes/31001"'),
        ("/dining/menus?meal=lunch", "*/*", f'"corrected":"{prefix}/dining/menus?meal=1"'),
        ("/dining/menus?meal=lunch", "text/html", f'<a href="{prefix}/dining/menus?meal=1">'),
    ):
        environ = {"SCRIPT_NAME": '/campus "data'}
        text = app.get(path, headers={"Accept": accept}, extra_environ=environ, status="*").text
        assert expected in text, path
        assert not re.search(r'"/static/|\]\(/dining/', text), path


def test_a_virtual_root_is_ignored(app):
    paths = ("/dining/recipes/31001", "/openapi.json")
    for value in ("/dining/locations/@@", "/dining", "/\xff"):
        recipe, document = (app.get(path, headers={"X-Vhm-Root": value}, status=200) for path in paths)
        assert (recipe.json["name"], document.json["openapi"]) == ("Kashi Pilaf", "3.1.0"), value


def test_head_is_get_without_a_body(app):
    for path in ("/map/buildings", "/dining/menus", "/explore", "/dining/menus?meal=lunch", "/nowhere"):
        head, get = app.head(path, status="*"), app.get(path, status="*")
        assert (head.status, head.body) == (get.status, b""), path
        assert {**head.headers, "X-Request-Id": ""} == {**get.headers, "X-Request-Id": ""}, path


def test_other_methods_are_not_allowed(app):
    client = TestApp(app.app, lint=False)

    for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get", "$$$"):
        for path in ("/dining/menus?meal=lunch", "/nowhere"):
            response = client.request(path, method=method, status=405)
            assert (response.headers["Allow"], response.json["status"]) == ("GET, HEAD, OPTIONS", 405), (method, path)


def test_options_lists_the_methods_and_a_preflight_allows_the_requested_headers(app):
    requested = {"Origin": "https://app.example", "Access-Control-Request-Headers": "x-requested-with"}

    for path in ("/dining/menus", "/nowhere"):
        response = app.options(path, headers=requested, status=204)
        assert (response.headers["Allow"], response.body) == ("GET, HEAD, OPTIONS", b""), path
        assert "Content-Length" not in response.headers, path
        assert "GET" in response.headers["Access-Control-Allow-Methods"], path
        assert response.headers["Access-Control-Allow-Headers"] == "x-requested-with", path
        assert response.headers["Access-Control-Max-Age"] == "86400", path


def test_requests_are_logged_if_the_access_log_is_enabled(start, caplog):
    caplog.set_level("INFO", "campus_api.access")

    for setting, lines in (("true", 1), ("false", 0)):
        caplog.clear()
        start(**{"log.access": setting}).app.get("/dining/recipes")
        assert [hasattr(record, "duration_ms") for record in caplog.records] == [True] * lines, setting
