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
def test_every_answer_has_one_request_id(service, method, path, status):
    service.serve_buildings(building(1))
    service.serve_broken_menu("2020-01-01")

    answer = service.app.request(path, method=method, status=status)

    assert [NEW.fullmatch(id_) is not None for id_ in answer.headers.getall("X-Request-Id")] == [True]


def test_an_answer_without_the_database_has_a_request_id():
    app = campus_api.main({}, **{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"})

    answer = TestApp(app).get("/dining/recipes", headers={"X-Request-Id": "q"}, status=503)
    app.registry["revisions"].close()

    assert answer.headers["X-Request-Id"] == "q"


@pytest.mark.parametrize("given", ["7", "x" * 64, "0190a0c1-5b6f-7c3e-9d1f-3f0e8f0a1b2c", "A.b_C-9", "--", "."])
def test_a_well_formed_id_is_kept(service, given):
    assert service.app.get("/", headers={"X-Request-Id": given}).headers["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a,b", "a/b", "café", "٣", "a\tb", '"a"', "{}", "x" * 9999])
def test_an_id_that_is_not_well_formed_is_replaced(service, given):
    id_ = service.app.get("/", headers={"X-Request-Id": given}).headers["X-Request-Id"]

    assert NEW.fullmatch(id_)


def test_no_two_requests_get_the_same_new_id(service):
    ids = [service.app.get("/").headers["X-Request-Id"] for _ in range(50)]

    assert len(set(ids)) == 50


def test_what_is_logged_for_a_request_carries_its_id(service, caplog):
    service.serve_broken_menu("2020-01-01")

    service.app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "first"}, status=500)
    service.app.get("/dining/menus?date=2020-01-01", headers={"X-Request-Id": "second"}, status=500)

    assert [(record.message, record.request_id) for record in caplog.records] == [
        ("A request failed", "first"),
        ("A request failed", "second"),
    ]
