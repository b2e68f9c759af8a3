"""The rules of every response: methods, CORS, content types, errors, trailing slashes."""

import pytest
from webtest import TestApp

import campus_api
from tests.factories import building, facts, serving
from tests.loaders.live import live_collection

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


UNUSUAL = [
    "/map/buildings?name=%00",
    "/map/buildings?name[$regex]=.*&name=$where&address=%F0%9F%8D%95",
    f"/map/buildings?{'&' * 500}",
    f"/map/buildings?address={'%28' * 1000}",
    "/dining/menus?recipe=%00&date=%0D%0A",
    "/dining/menus?date=%7B%22%24gt%22%3A%22%22%7D&meal[$ne]=1",
    f"/dining/menus?location=1{'0' * 5000}",
    "/dining/recipes/%00",
    "/dining/recipes/%7B%22$gt%22:0%7D",
    "/map/buildings/..%2F..%2Fetc%2Fpasswd",
    "//map//buildings",
    f"/{'a/' * 500}",
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


def test_a_query_after_a_trailing_slash_counts(app):
    assert app.get("/map/buildings/?name=zzz").json == []
    assert app.get("/dining/menus/?meal=lunch", status=400).json["errors"][0]["value"] == "lunch"


@pytest.mark.parametrize("value", ["/dining/locations/@@", "/dining", "/\xff"])
@pytest.mark.parametrize(
    ("path", "member"), [("/dining/recipes/31001", ("name", "Kashi Pilaf")), ("/openapi.json", ("openapi", "3.1.0"))]
)
def test_a_virtual_root_is_ignored(app, path, member, value):
    response = app.get(path, headers={"X-Vhm-Root": value}, status=200)

    assert member in response.json.items()


def test_an_invalid_id_with_a_trailing_slash_is_a_404(app):
    app.get("/dining/recipes/x/", status=404)


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_a_body(app, path):
    head = app.head(path)

    assert head.body == b""
    assert head.headers["Content-Length"] == app.get(path).headers["Content-Length"]


@pytest.mark.parametrize(
    ("path", "status"), [("/dining/menus?meal=lunch", 400), ("/nowhere", 404), ("/map/buildings/x", 404)]
)
def test_head_of_an_error_has_its_status_without_a_body(app, path, status):
    assert app.head(path, status=status).body == b""


@pytest.mark.parametrize("path", ["/map/buildings", "/dining/menus"])
def test_options_lists_the_methods(app, path):
    response = app.options(path, status=204)

    assert (response.headers["Allow"], response.body) == ("GET, HEAD, OPTIONS", b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get", "$$$"])
@pytest.mark.parametrize("path", ["/dining/menus?meal=lunch", "/nowhere"])
def test_other_methods_are_not_allowed(app, path, method):
    response = TestApp(app.app, lint=False).request(path, method=method, status=405)

    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert response.json["status"] == 405


@pytest.mark.parametrize("path", ["/dining/menus", "/nowhere"])
def test_a_preflight_allows_the_requested_headers(app, path):
    headers = {
        "Origin": "https://app.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "x-requested-with",
    }

    response = app.options(path, headers=headers, status=204)

    assert response.body == b""
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "GET" in response.headers["Access-Control-Allow-Methods"]
    assert response.headers["Access-Control-Allow-Headers"] == "x-requested-with"
    assert response.headers["Access-Control-Max-Age"] == "86400"


@pytest.mark.parametrize("headers", [{}, {"Origin": "https://app.example"}])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("path", [*PATHS, "/", "/nowhere", "/dining/menus?meal=lunch"])
def test_every_response_allows_any_origin(app, path, method, headers):
    response = app.request(path, method=method, headers=headers, expect_errors=True)

    exposed = response.headers["Access-Control-Expose-Headers"].split(", ")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert {"ETag", "Content-Location", "X-Request-Id"} <= {*exposed}


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
    [
        "/map",
        "/dining",
        "/nowhere",
        "/map/buildings/2",
        "/dining/menus/1",
        "/map/buildings/1/name",
        "/%C3%A9",
        "/Map/Buildings",
    ],
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


@pytest.mark.parametrize(("slashes", "status"), [(983, 200), (984, 404)])
def test_a_path_of_over_1000_characters_is_a_404(app, slashes, status):
    app.get(f"/dining{'/' * slashes}categories", status=status)


def test_an_invalid_query_is_a_problem_400(app):
    response = app.get("/dining/menus?meal=lunch", status=400)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.json["title"], response.json["status"]) == ("Bad Request", 400)


@pytest.mark.parametrize("path", UNUSUAL)
def test_an_unusual_request_reveals_no_internals(app, path):
    response = app.get(path, expect_errors=True)

    assert response.status_int in (200, 400, 404)
    assert [text for text in ("Traceback", 'File "', "site-packages", "Exception", "pymongo") if text in response] == []


def test_an_internal_error_reveals_no_details(app, service, caplog):
    service.serve_broken_menu("2020-01-01")

    response = app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "tuesday-7"}, status=500)

    assert response.json["detail"] == "The request failed. The error was logged as tuesday-7."
    assert "TypeError" not in response.text
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "TypeError" in caplog.text


@pytest.mark.parametrize(
    ("path", "collection", "field"),
    [
        ("/map/buildings/1", "buildings", "address"),
        ("/map/buildings", "buildings", "address"),
        ("/dining/recipes/1", "recipes", "name"),
        ("/dining/recipes/1/facts", "recipes", "name"),
        ("/dining/locations/30", "locations", "name"),
        ("/dining/menus", "menus", "items"),
        ("/dining/dishes?without=milk", "menus", "items"),
    ],
)
def test_a_damaged_document_is_a_503(start, caplog, path, collection, field):
    service = start(**{"cache.memory_mb": "0"})
    service.serve_buildings(building(1))
    service.serve_dining(serving(1), facts={1: facts(allergens=("Milk",))})
    live_collection(service.database, collection).update_many({}, {"$unset": {field: ""}})

    service.app.get(path, status=503)
    service.app.get(path, status=503)

    [record] = [record for record in caplog.records if record.message.startswith("A query failed")]
    assert record.message.startswith(f"A query failed: {collection} ")
    assert record.message.endswith(f" is damaged: KeyError: '{field}'")


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
