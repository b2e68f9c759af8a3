"""Every response conforms to the OpenAPI document: status, headers, media type and fields."""

from itertools import product

import pytest

from campus_api.catalog import DATA, ENDPOINTS, ROUTES
from tests.factories import building, facts, hall, serving
from tests.functional.formats.openapi_validation import error_example, response_errors

PATHS = list(ROUTES)
STRICT = [path for path, endpoint in DATA.items() if endpoint.is_strict]
# Of the lists of buildings, only some parameters may be invalid.
QUERIED = [path for path in DATA if path.startswith("/map/buildings")]
SERVICE = [endpoint.path for endpoint in ENDPOINTS if endpoint.path.startswith("/__")]
DOCUMENTS = [endpoint.path for endpoint in ENDPOINTS if endpoint.path not in (*DATA, *SERVICE)]
# Besides the first media type of a path.
OTHER_TYPES = [
    (path, media_type)
    for endpoint in ENDPOINTS
    for path in (endpoint.path, *endpoint.item_paths)
    for media_type in endpoint.media_types[1:]
]
IDS = {"/map": 1, "/dining/categories": 23, "/dining/locations": 30, "/dining/recipes": 31001}


@pytest.fixture
def app(service):
    service.serve_buildings(building(1), building(2, name=None, polygons=()))
    service.serve_dining(serving(), serving(date="2026-11-22"), facts={31001: facts()}, halls={30: hall()})
    return service.app


@pytest.fixture
def document(without_database):
    return without_database.app.get("/openapi.json").json


def url(path):
    return path.format(id=next((id_ for start, id_ in IDS.items() if path.startswith(start)), None))


def test_responses_to_a_get_are_described(app, document):
    queries = ("meal=lunch", "meal=lunch&date=today&x=y", "date=%FF")
    for path, requested, status in (
        *((path, url(path), 200) for path in (*PATHS, *DOCUMENTS, *SERVICE)),
        *((path, path.format(id=999), 404) for path in PATHS if "{id}" in path),
        *((path, f"{path}?{query}", 400) for path, query in product(STRICT, queries)),
        *((path, f"{path}?near=here", 400) for path in QUERIED),
        # No match, a closed day, and a date that is not loaded.
        *(
            ("/dining/menus", f"/dining/menus?{query}", 200)
            for query in ("recipe=1", "date=2026-11-21", "date=1900-01-01")
        ),
    ):
        assert response_errors(document, path, app.get(requested, status=status)) == [], requested


def test_other_representations_are_described(app, document):
    for path, media_type in OTHER_TYPES:
        response = app.get(url(path), headers={"Accept": media_type}, status=200)
        assert response.content_type == media_type, path
        assert response_errors(document, path, response) == [], path


def test_not_modified_responses_are_described(app, document):
    for path in (*PATHS, *DOCUMENTS):
        first = app.get(url(path))
        response = app.get(url(path), headers={"If-None-Match": first.headers["ETag"]}, status=304)
        for name in ("Cache-Control", "Content-Location", "ETag", "Last-Modified", "Vary"):
            assert response.headers.get(name) == first.headers.get(name), (path, name)
        assert response_errors(document, path, response) == [], path


def test_stale_responses_are_described(service, app, document):
    app.get("/dining/menus")
    service.database.datasets.update_many({}, {"$unset": {"revision": ""}})
    service.revisions.poll()

    response = app.get("/dining/menus", status=200)

    assert response.headers["Cache-Status"] == "campus; fwd=stale"
    assert response_errors(document, "/dining/menus", response) == []


def test_method_not_allowed_responses_are_described(app, document):
    for path in (*PATHS, *DOCUMENTS, *SERVICE):
        assert response_errors(document, path, app.post(url(path), status=405)) == [], path


def test_unavailable_responses_are_described(without_database, document):
    for path in (*PATHS, "/__heartbeat__"):
        assert response_errors(document, path, without_database.app.get(url(path), status=503)) == [], path
    assert without_database.app.get("/map/buildings", status=503).json == error_example(document, "DatabaseUnavailable")


def test_internal_errors_are_described(service, document):
    service.serve_broken_menu("2020-01-01")

    response = service.app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "tuesday-7"}, status=500)

    assert response_errors(document, "/dining/menus", response) == []
    assert response.json == error_example(document, "InternalError")
