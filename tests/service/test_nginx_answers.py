"""The site of deploy/ in a real nginx: answers of the service are kept as their headers say."""

import gzip
import re
import time
from urllib.parse import urlsplit

import pytest

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.service import nginx
from tests.service.conftest import ROOT
from tests.service.nginx import ask

PATH = "/map/buildings?name=widener"


@pytest.fixture(params=["main", "granian"])
def service(request, serve, mongod_uri, mongod_database):
    """Production.ini with a hundred buildings, whose answers are fresh for a second."""
    publish(mongod_database, plan_buildings(mongod_database, map(building, range(1, 101))), [])
    settings = {"CAMPUS_MONGO_URI": mongod_uri, "CAMPUS_ANSWERS_MAX_AGE": "1"}
    return serve(ROOT / "production.ini", "--server-name", request.param, **settings)


@pytest.fixture
def site(service, tmp_path_factory):
    with nginx.running(tmp_path_factory.mktemp("nginx"), urlsplit(service.url).port) as site:
        yield site


def test_the_second_answer_comes_from_the_cache(site):
    first, second = ask(site, PATH), ask(site, PATH)

    assert [first.headers["X-Cache"], second.headers["X-Cache"]] == ["MISS", "HIT"]
    assert first.body == second.body
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]


def test_gzip_passes_through(site):
    plain = ask(site, PATH)

    packed = ask(site, PATH, Accept_Encoding="br, gzip")

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


def test_geojson_is_kept_apart_from_json(site):
    plain, geojson = ask(site, PATH), ask(site, PATH, Accept="application/geo+json")

    again = [ask(site, PATH, Accept=accept) for accept in ("application/json, */*", "application/geo+json")]

    assert [each.headers["X-Cache"] for each in (geojson, *again)] == ["MISS", "HIT", "HIT"]
    assert [each.body for each in again] == [plain.body, geojson.body]


@pytest.mark.parametrize("accepted", ["identity", "gzip"])
def test_an_answer_that_the_client_has_is_a_304(site, accepted):
    tag = ask(site, PATH, Accept_Encoding=accepted).headers["ETag"]

    unchanged = ask(site, PATH, Accept_Encoding=accepted, If_None_Match=tag)

    assert (unchanged.status, unchanged.headers["X-Cache"], unchanged.body) == (304, "HIT", b"")


def test_a_kept_answer_outlives_the_service(service, site):
    before = ask(site, PATH)
    time.sleep(2.1)
    service.kill()
    service.wait()

    answer = ask(site, PATH)

    assert (answer.status, answer.body) == (200, before.body)


def test_errors_say_that_they_are_not_to_be_kept(site):
    assert [ask(site, path).headers["Cache-Control"] for path in ("/nowhere", "/dining/menus?x=1")] == ["no-store"] * 2


def test_pages_pass_and_what_they_consist_of_is_kept(site):
    page = ask(site, "/explore")
    style = re.search(r'"(/static/[^"]+/site.css)"', page.body.decode())[1]

    answers = [ask(site, style, Accept_Encoding=accepted) for accepted in ("gzip", "gzip", "identity")]

    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert [answer.headers["X-Cache"] for answer in answers] == ["MISS", "HIT", "MISS"]
    assert answers[0].headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answers[1].body) == answers[2].body


def test_the_root_has_both_of_its_forms(site):
    forms = ["*/*", "text/html", "*/*", "text/html"]

    types = [ask(site, "/", Accept=accepted).headers["Content-Type"] for accepted in forms]

    assert types == ["application/json", "text/html; charset=utf-8"] * 2
