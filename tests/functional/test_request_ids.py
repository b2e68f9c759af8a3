import re

import pytest
from webtest import TestApp

import campus_api
from tests.factories import building

NEW = re.compile(r"[0-9a-f]{16}-[0-9a-f]+")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/map/buildings", 200),
        ("HEAD", "/map/buildings", 200),
        ("GET", "/map/buildings/1", 200),
        ("OPTIONS", "/map/buildings", 204),
        ("GET", "/dining/menus?meal=lunch", 400),
        ("GET", "/nowhere", 404),
        ("GET", "/%FF", 404),
        ("POST", "/map/buildings", 405),
        ("GET", "/dining/menus?date=2020-01-01", 500),
    ],
)
def test_every_response_has_one_request_id(service, method, path, status):
    service.serve_buildings(building(1))
    service.serve_broken_menu("2020-01-01")

    response = service.app.request(path, method=method, status=status)

    assert [NEW.fullmatch(id_) is not None for id_ in response.headers.getall("X-Request-Id")] == [True]


def test_a_503_has_a_request_id():
    app = campus_api.main({}, **{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"})

    response = TestApp(app).get("/dining/recipes", headers={"X-Request-Id": "q"}, status=503)
    app.registry["revisions"].close()

    assert response.headers["X-Request-Id"] == "q"


@pytest.mark.parametrize("id_", ["7", "x" * 64, "0190a0c1-5b6f-7c3e-9d1f-3f0e8f0a1b2c", "A.b_C-9", "--", "."])
def test_a_well_formed_id_is_echoed(service, id_):
    assert service.app.get("/", headers={"X-Request-Id": id_}).headers["X-Request-Id"] == id_


@pytest.mark.parametrize("malformed", ["", "x" * 65, "a b", "a,b", "a/b", "café", "٣", "a\tb", '"a"', "{}", "x" * 9999])
def test_a_malformed_id_is_replaced(service, malformed):
    id_ = service.app.get("/", headers={"X-Request-Id": malformed}).headers["X-Request-Id"]

    assert NEW.fullmatch(id_)


def test_a_304_has_the_id_of_its_request(service):
    tag = service.app.get("/map/buildings").headers["ETag"]

    response = service.app.get("/map/buildings", headers={"If-None-Match": tag, "X-Request-Id": "second"}, status=304)

    assert response.headers["X-Request-Id"] == "second"


def test_generated_ids_are_unique(service):
    ids = [service.app.get("/").headers["X-Request-Id"] for _ in range(50)]

    assert len(set(ids)) == 50


def test_log_records_of_a_request_have_its_id(service, caplog):
    service.serve_broken_menu("2020-01-01")

    service.app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "first"}, status=500)
    service.app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "second"}, status=500)

    assert [(record.message, record.request_id) for record in caplog.records] == [
        ("A request failed", "first"),
        ("A request failed", "second"),
    ]
