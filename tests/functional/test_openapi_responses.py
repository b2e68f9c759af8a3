"""Every response conforms to the OpenAPI document: status, headers, media type and fields."""

import gzip

import pytest
from webob import Request

from tests.factories import building, facts, hall, serving
from tests.functional.openapi_validation import response_errors

PATHS = [
    "/map/buildings",
    "/map/buildings/{id}",
    "/map/buildings.geojson",
    "/map/buildings/{id}.geojson",
    "/map/buildings.csv",
    "/dining/categories",
    "/dining/categories/{id}",
    "/dining/locations",
    "/dining/locations/{id}",
    "/dining/locations.geojson",
    "/dining/recipes",
    "/dining/recipes/{id}",
    "/dining/recipes/{id}/facts",
    "/dining/recipes.csv",
    "/dining/facts",
    "/dining/menus",
    "/dining/menus.csv",
    "/dining/menus.ics",
    "/dining/hours",
    "/dining/dishes",
    "/dining/dishes.csv",
]
STRICT = [
    "/dining/menus",
    "/dining/menus.csv",
    "/dining/menus.ics",
    "/dining/dishes",
    "/dining/dishes.csv",
    "/dining/facts",
    "/dining/hours",
]
DOCUMENTS = ["/", "/openapi.json", "/llms.txt", "/robots.txt", "/docs", "/explore"]
SERVICE = ["/__lbheartbeat__", "/__heartbeat__", "/__version__", "/__metrics__"]
IDS = {"/map": 1, "/dining/categories": 23, "/dining/locations": 30, "/dining/recipes": 31001}


@pytest.fixture
def app(service):
    service.serve_buildings(building(1), building(2, name=None, polygons=()))
    service.serve_dining(serving(), serving(date="2026-11-22"), facts={31001: facts()}, halls={30: hall()})
    return service.app


@pytest.fixture
def document(service):
    return service.app.get("/openapi.json").json


@pytest.fixture
def app_without_database(start):
    return start(**{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"}).app


def url(path):
    return path.format(id=next((id_ for start, id_ in IDS.items() if path.startswith(start)), None))


def test_every_path_is_tested_here(document):
    assert set(document["paths"]) == {*PATHS, *DOCUMENTS, *SERVICE}


@pytest.mark.parametrize("path", [*PATHS, *DOCUMENTS, *SERVICE])
def test_successful_responses_are_described(app, document, path):
    response = app.get(url(path), status=200)

    assert response_errors(document, path, response) == []


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/", "text/html"),
        ("/map/buildings", "application/geo+json"),
        ("/map/buildings/{id}", "application/geo+json"),
    ],
)
def test_other_representations_are_described(app, document, path, media_type):
    response = app.get(url(path), headers={"Accept": media_type}, status=200)

    assert response.content_type == media_type
    assert response_errors(document, path, response) == []


@pytest.mark.parametrize(
    ("query", "empty"),
    [
        ("date=2026-11-20", None),
        ("date=2026-11-20&recipe=1", "no-match"),
        ("date=2026-11-21", "closed"),
        ("date=2026-11-23", "not-loaded"),
    ],
)
def test_menu_headers_are_described(app, document, query, empty):
    response = app.get(f"/dining/menus?{query}", status=200)

    assert ('rel="' in response.headers["Link"], response.headers.get("X-Campus-Empty")) == (True, empty)
    assert response_errors(document, "/dining/menus", response) == []


def test_every_representation_is_tested_here(document):
    contents = [item["get"]["responses"]["200"]["content"] for item in document["paths"].values()]

    assert sum(len(content) - 1 for content in contents) == 3


@pytest.mark.parametrize("path", [*PATHS, *DOCUMENTS])
def test_not_modified_responses_are_described(app, document, path):
    tag = app.get(url(path)).headers["ETag"]

    response = app.get(url(path), headers={"If-None-Match": tag}, status=304)

    assert response_errors(document, path, response) == []


def test_gzipped_responses_are_described(app, document):
    app.app.registry["revisions"].poll()
    response = Request.blank("/openapi.json", headers={"Accept-Encoding": "gzip"}).get_response(app.app)

    assert response.headers["Content-Encoding"] == "gzip"
    response.body = gzip.decompress(response.body)
    assert response_errors(document, "/openapi.json", response) == []


@pytest.mark.parametrize("path", [path for path in PATHS if "{id}" in path])
def test_not_found_responses_are_described(app, document, path):
    response = app.get(path.format(id=999), status=404)

    assert response_errors(document, path, response) == []


@pytest.mark.parametrize("query", ["meal=lunch", "meal=lunch&date=today&x=y", "date=%FF"])
@pytest.mark.parametrize("path", STRICT)
def test_bad_request_responses_are_described(app, document, path, query):
    response = app.get(f"{path}?{query}", status=400)

    assert response_errors(document, path, response) == []


@pytest.mark.parametrize("path", [*PATHS, *DOCUMENTS, *SERVICE])
def test_method_not_allowed_responses_are_described(app, document, path):
    response = app.post(url(path), status=405)

    assert response_errors(document, path, response) == []


def test_unavailable_responses_are_described(app_without_database, document):
    for path in (*PATHS, "/__heartbeat__"):
        response = app_without_database.get(url(path), status=503)

        assert (path, response_errors(document, path, response)) == (path, [])


def test_internal_errors_are_described(app, service, document):
    service.serve_broken_menu("2020-01-01")

    response = app.get("/dining/menus?date=2020-01-01", status=500)

    assert response_errors(document, "/dining/menus", response) == []


def test_the_examples_of_500_and_503_are_real_responses(app, service, app_without_database, document):
    service.serve_broken_menu("2020-01-01")

    unavailable = app_without_database.get("/map/buildings", status=503).json
    failure = app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "tuesday-7"}, status=500).json

    responses = document["components"]["responses"]
    examples = [
        responses[name]["content"]["application/problem+json"]["example"]
        for name in ("DatabaseUnavailable", "InternalError")
    ]
    assert [unavailable, failure] == examples


def test_no_other_status_is_described(document):
    described = {path: set(item["get"]["responses"]) for path, item in document["paths"].items()}

    # The statuses of the tests above; a 500 is possible on every path.
    tested = {path: {"200", "405", "500"} for path in described}
    for path in (*PATHS, *DOCUMENTS):
        tested[path].add("304")
    for path in (*PATHS, "/__heartbeat__"):
        tested[path].add("503")
    for path in PATHS:
        tested[path] |= {"404"} if "{id}" in path else set()
        tested[path] |= {"400"} if path in STRICT else set()
    assert described == tested
