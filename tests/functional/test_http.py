"""The rules of every response: methods, CORS, content types, errors, trailing slashes."""

import pytest
from webtest import TestApp

import campus_api
from tests.factories import building, serving

PATHS = [
    "/map/buildings",
    "/map/buildings/1",
    "/dining/categories",
    "/dining/categories/23",
    "/dining/locations",
    "/dining/locations/30",
    "/dining/recipes",
    "/dining/recipes/31001",
    "/dining/menus",
]


@pytest.fixture
def app(service):
    service.serve_buildings(building(1))
    service.serve_dining(serving())
    return service.app


@pytest.mark.parametrize("path", PATHS)
def test_data_is_json_in_utf_8(app, path):
    response = app.get(path)

    assert response.headers["Content-Type"] == "application/json"
    assert response.body.decode("utf-8")


@pytest.mark.parametrize("path", PATHS)
def test_a_trailing_slash_is_the_same_resource(app, path):
    assert app.get(f"{path}/", status=200).body == app.get(path).body


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_a_body(app, path):
    head = app.head(path)

    assert head.body == b""
    assert head.headers["Content-Length"] == app.get(path).headers["Content-Length"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get", "$$$"])
@pytest.mark.parametrize("path", ["/dining/menus?meal=lunch", "/nowhere"])
def test_other_methods_are_not_allowed(app, path, method):
    response = TestApp(app.app, lint=False).request(path, method=method, status=405)

    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert response.json["status"] == 405


def test_a_preflight_allows_the_requested_headers(app):
    headers = {
        "Origin": "https://app.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "x-requested-with",
    }

    response = app.options("/dining/menus", headers=headers, status=204)

    assert response.body == b""
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "GET" in response.headers["Access-Control-Allow-Methods"]
    assert response.headers["Access-Control-Allow-Headers"] == "x-requested-with"


@pytest.mark.parametrize("path", [*PATHS, "/", "/nowhere", "/dining/menus?meal=lunch"])
def test_every_response_allows_any_origin(app, path):
    response = app.get(path, headers={"Origin": "https://app.example"}, expect_errors=True)

    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST"])
@pytest.mark.parametrize("path", [*PATHS, "/", "/explore", "/openapi.json", "/nowhere", "/dining/menus?meal=lunch"])
def test_every_response_disables_content_sniffing(app, path, method):
    response = app.request(path, method=method, expect_errors=True)

    assert response.headers.getall("X-Content-Type-Options") == ["nosniff"]


@pytest.mark.parametrize("path", ["/map/buildings", "/explore"])
def test_a_304_disables_content_sniffing(app, path):
    etag = app.get(path).headers["ETag"]

    response = app.get(path, headers={"If-None-Match": etag}, status=304)

    assert response.headers.getall("X-Content-Type-Options") == ["nosniff"]


@pytest.mark.parametrize(
    "path",
    ["/map", "/dining", "/nowhere", "/map/buildings/2", "/dining/menus/1", "/map/buildings/1/name", "/%C3%A9"],
)
def test_an_unknown_path_is_a_problem_404(app, path):
    response = app.get(path, status=404)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": f"There is nothing at {path}.",
        "errors": [],
        "corrected": None,
    }


@pytest.mark.parametrize("path", ["/%FF", "/map/%FF", "/map/buildings/%FF", "/%C3/menus"])
def test_a_path_with_invalid_utf_8_is_a_404(app, path):
    assert app.get(path, status=404).json["status"] == 404


@pytest.mark.parametrize("path", ["/map/@@buildings", "/map/buildings/@@", "/map/buildings/1/@@/x", "/dining/menus/@@"])
def test_a_path_with_the_name_of_a_view_is_a_404(app, path):
    assert app.get(path, status=404).json["status"] == 404


def test_an_invalid_query_is_a_problem_400(app):
    response = app.get("/dining/menus?meal=lunch", status=400)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.json["title"], response.json["status"]) == ("Bad Request", 400)


def test_an_internal_error_reveals_no_details(app, service, caplog):
    service.serve_broken_menu("2020-01-01")

    response = app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "tuesday-7"}, status=500)

    assert response.json["detail"] == "The request failed. The error was logged as tuesday-7."
    assert "KeyError" not in response.text
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "KeyError" in caplog.text


@pytest.fixture
def app_without_database():
    app = campus_api.main({}, **{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"})
    yield TestApp(app)
    app.registry["revisions"].close()


@pytest.mark.parametrize("path", PATHS)
def test_an_unavailable_database_is_a_503(app_without_database, path):
    response = app_without_database.get(path, status=503)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Retry-After"] == "5"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
