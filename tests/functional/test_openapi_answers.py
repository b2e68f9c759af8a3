"""Every answer is one that the description says: status, headers, media type and every field."""

import gzip

import pytest
from webob import Request

from tests.factories import building, serving
from tests.functional.described import undescribed

PATHS = [
    "/map/buildings",
    "/map/buildings/{id}",
    "/dining/categories",
    "/dining/categories/{id}",
    "/dining/locations",
    "/dining/locations/{id}",
    "/dining/recipes",
    "/dining/recipes/{id}",
    "/dining/menus",
]
DOCUMENTS = ["/", "/openapi.json", "/docs", "/explore"]
SERVICE = ["/__lbheartbeat__", "/__heartbeat__", "/__version__", "/__metrics__"]
IDS = {"/map": 1, "/dining/categories": 23, "/dining/locations": 30, "/dining/recipes": 31001}


@pytest.fixture
def uri():
    """One kind of database: other tests prove that answers are the same from both."""
    return "mongomock://"


@pytest.fixture
def app(service):
    service.serve_buildings(building(1), building(2, name=None, polygons=()))
    service.serve_dining(serving(), serving(date="2026-11-22"))
    return service.app


@pytest.fixture
def document(service):
    return service.app.get("/openapi.json").json


@pytest.fixture
def app_without_database(start):
    return start(**{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"}).app


def url(path):
    return path.format(id=next((id_ for start, id_ in IDS.items() if path.startswith(start)), None))


def test_every_path_is_asked_here(document):
    assert set(document["paths"]) == {*PATHS, *DOCUMENTS, *SERVICE}


@pytest.mark.parametrize("path", [*PATHS, *DOCUMENTS, *SERVICE])
def test_what_is_found_is_described(app, document, path):
    answer = app.get(url(path), status=200)

    assert undescribed(document, path, answer) == []


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/", "text/html"),
        ("/map/buildings", "application/geo+json"),
        ("/map/buildings/{id}", "application/geo+json"),
    ],
)
def test_another_form_is_described(app, document, path, media_type):
    answer = app.get(url(path), headers={"Accept": media_type}, status=200)

    assert answer.content_type == media_type
    assert undescribed(document, path, answer) == []


@pytest.mark.parametrize(
    ("query", "empty"),
    [
        ("date=2026-11-20", None),
        ("date=2026-11-20&recipe=1", "no-match"),
        ("date=2026-11-21", "closed"),
        ("date=2026-11-23", "not-loaded"),
    ],
)
def test_links_and_reasons_of_menus_are_described(app, document, query, empty):
    answer = app.get(f"/dining/menus?{query}", status=200)

    assert ('rel="' in answer.headers["Link"], answer.headers.get("X-Campus-Empty")) == (True, empty)
    assert undescribed(document, "/dining/menus", answer) == []


def test_every_form_is_asked_here(document):
    contents = [item["get"]["responses"]["200"]["content"] for item in document["paths"].values()]

    assert sum(len(content) - 1 for content in contents) == 3


@pytest.mark.parametrize("path", [*PATHS, *DOCUMENTS])
def test_what_is_known_already_is_described(app, document, path):
    tag = app.get(url(path)).headers["ETag"]

    answer = app.get(url(path), headers={"If-None-Match": tag}, status=304)

    assert undescribed(document, path, answer) == []


def test_what_is_compressed_is_described(app, document):
    app.app.registry["revisions"].poll()
    answer = Request.blank("/openapi.json", headers={"Accept-Encoding": "gzip"}).get_response(app.app)

    assert answer.headers["Content-Encoding"] == "gzip"
    answer.body = gzip.decompress(answer.body)
    assert undescribed(document, "/openapi.json", answer) == []


@pytest.mark.parametrize("path", [path for path in PATHS if "{id}" in path])
def test_what_is_not_there_is_described(app, document, path):
    answer = app.get(path.format(id=999), status=404)

    assert undescribed(document, path, answer) == []


@pytest.mark.parametrize("query", ["meal=lunch", "meal=lunch&date=today&x=y", "date=%FF"])
def test_what_is_not_understood_is_described(app, document, query):
    answer = app.get(f"/dining/menus?{query}", status=400)

    assert undescribed(document, "/dining/menus", answer) == []


@pytest.mark.parametrize("path", [*PATHS, *DOCUMENTS, *SERVICE])
def test_another_method_is_described(app, document, path):
    answer = app.post(url(path), status=405)

    assert undescribed(document, path, answer) == []


def test_an_outage_is_described(app_without_database, document):
    for path in (*PATHS, "/__heartbeat__"):
        answer = app_without_database.get(url(path), status=503)

        assert (path, undescribed(document, path, answer)) == (path, [])


def test_a_defect_of_ours_is_described(app, service, document):
    service.serve_broken_menu("2020-01-01")

    answer = app.get("/dining/menus?date=2020-01-01", status=500)

    assert undescribed(document, "/dining/menus", answer) == []


def test_the_examples_of_an_outage_and_of_a_defect_are_true(app, service, app_without_database, document):
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

    # What the tests above have seen, but for defects of ours, which can be anywhere.
    seen = {path: {"200", "405", "500"} for path in described}
    for path in (*PATHS, *DOCUMENTS):
        seen[path].add("304")
    for path in (*PATHS, "/__heartbeat__"):
        seen[path].add("503")
    for path in PATHS:
        seen[path] |= {"404"} if "{id}" in path else set()
    seen["/dining/menus"].add("400")
    assert described == seen
