"""The nginx configuration in deploy/: responses of the service are cached according to their headers."""

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
from tests.processes import nginx, servers
from tests.processes.nginx import fetch

numbers = count()


@pytest.fixture(scope="module")
def buildings_uri(shared_uri):
    """The URI of a database with a hundred buildings."""
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
    """One nginx for all tests; each test requests a unique path."""
    with nginx.running(tmp_path_factory.mktemp("nginx"), urlsplit(service.url).port) as site:
        yield site


@pytest.fixture
def path():
    return f"/map/buildings?name=widener&_={next(numbers)}"


def test_the_second_response_is_cached(site, path):
    first, second = fetch(site, path), fetch(site, path)

    assert [first.headers["X-Cache"], second.headers["X-Cache"]] == ["MISS", "HIT"]
    assert first.body == second.body
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]


def test_gzip_responses_pass_through_unchanged(site, path):
    plain = fetch(site, path)

    gzipped = fetch(site, path, Accept_Encoding="br, gzip")

    assert gzipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(gzipped.body) == plain.body


def test_geojson_and_json_are_cached_separately(site, path):
    plain, geojson = fetch(site, path), fetch(site, path, Accept="application/geo+json")

    cached = [fetch(site, path, Accept=accept) for accept in ("application/json, */*", "application/geo+json")]

    assert [each.headers["X-Cache"] for each in (geojson, *cached)] == ["MISS", "HIT", "HIT"]
    assert [each.body for each in cached] == [plain.body, geojson.body]


@pytest.mark.parametrize("accepted", ["identity", "gzip"])
def test_a_cached_response_is_a_304_if_the_etag_matches(site, path, accepted):
    etag = fetch(site, path, Accept_Encoding=accepted).headers["ETag"]

    not_modified = fetch(site, path, Accept_Encoding=accepted, If_None_Match=etag)

    assert (not_modified.status, not_modified.headers["X-Cache"], not_modified.body) == (304, "HIT", b"")


@pytest.mark.parametrize("name", servers.SERVERS)
def test_a_cached_response_outlives_the_service(spawn, buildings_uri, tmp_path, path, name):
    service = start(spawn, name, buildings_uri)
    with nginx.running(tmp_path, urlsplit(service.url).port) as site:
        before = fetch(site, path)
        time.sleep(2.1)
        # The workers of granian outlive a main process that is killed.
        service.terminate()
        service.wait()

        response = fetch(site, path)

    assert (response.status, response.headers["X-Cache"], response.body) == (200, "STALE", before.body)


def test_errors_are_marked_no_store(site):
    assert [fetch(site, path).headers["Cache-Control"] for path in ("/nowhere", "/dining/menus?x=1")] == [
        "no-store"
    ] * 2


def test_pages_are_not_cached_but_their_assets_are(site):
    page = fetch(site, "/explore")
    style = re.search(r'"(/static/[^"]+/site.css)"', page.body.decode())[1]

    responses = [fetch(site, style, Accept_Encoding=accepted) for accepted in ("gzip", "gzip", "identity")]

    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert [response.headers["X-Cache"] for response in responses] == ["MISS", "HIT", "MISS"]
    assert responses[0].headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(responses[1].body) == responses[2].body


def test_the_root_has_html_and_json_representations(site):
    accepts = ["*/*", "text/html", "*/*", "text/html"]

    types = [fetch(site, "/", Accept=accept).headers["Content-Type"] for accept in accepts]

    assert types == ["application/json", "text/html; charset=utf-8"] * 2
