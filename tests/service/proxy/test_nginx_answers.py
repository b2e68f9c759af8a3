"""The site of deploy/ in a real nginx: answers of the service are kept as their headers say."""

import gzip
import re
import time
from itertools import count
from urllib.parse import urlsplit

import pytest
from pymongo import MongoClient

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.service import nginx, servers
from tests.service.nginx import ask

numbers = count()


@pytest.fixture(scope="module")
def buildings_uri(shared_uri):
    """The address of a database with a hundred buildings."""
    with MongoClient(shared_uri, tz_aware=True) as client:
        database = client.get_default_database()
        publish(database, plan_buildings(database, map(building, range(1, 101))), [])
    return shared_uri


def start(spawn, name, uri):
    """Start production.ini, whose responses are fresh for a second."""
    return servers.start(spawn, name, CAMPUS_MONGO_URI=uri, CAMPUS_CACHE_MAX_AGE="1")


@pytest.fixture(scope="module", params=servers.SERVERS)
def service(request, spawn_shared, buildings_uri):
    return start(spawn_shared, request.param, buildings_uri)


@pytest.fixture(scope="module")
def site(service, tmp_path_factory):
    """One nginx for all tests; each asks for a path that no other one has asked for."""
    with nginx.running(tmp_path_factory.mktemp("nginx"), urlsplit(service.url).port) as site:
        yield site


@pytest.fixture
def path():
    return f"/map/buildings?name=widener&_={next(numbers)}"


def test_the_second_answer_comes_from_the_cache(site, path):
    first, second = ask(site, path), ask(site, path)

    assert [first.headers["X-Cache"], second.headers["X-Cache"]] == ["MISS", "HIT"]
    assert first.body == second.body
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]


def test_gzip_passes_through(site, path):
    plain = ask(site, path)

    packed = ask(site, path, Accept_Encoding="br, gzip")

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


def test_geojson_is_kept_apart_from_json(site, path):
    plain, geojson = ask(site, path), ask(site, path, Accept="application/geo+json")

    again = [ask(site, path, Accept=accept) for accept in ("application/json, */*", "application/geo+json")]

    assert [each.headers["X-Cache"] for each in (geojson, *again)] == ["MISS", "HIT", "HIT"]
    assert [each.body for each in again] == [plain.body, geojson.body]


@pytest.mark.parametrize("accepted", ["identity", "gzip"])
def test_an_answer_that_the_client_has_is_a_304(site, path, accepted):
    tag = ask(site, path, Accept_Encoding=accepted).headers["ETag"]

    unchanged = ask(site, path, Accept_Encoding=accepted, If_None_Match=tag)

    assert (unchanged.status, unchanged.headers["X-Cache"], unchanged.body) == (304, "HIT", b"")


@pytest.mark.parametrize("name", servers.SERVERS)
def test_a_kept_answer_outlives_the_service(spawn, buildings_uri, tmp_path, path, name):
    service = start(spawn, name, buildings_uri)
    with nginx.running(tmp_path, urlsplit(service.url).port) as site:
        before = ask(site, path)
        time.sleep(2.1)
        service.kill()
        service.wait()

        answer = ask(site, path)

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
