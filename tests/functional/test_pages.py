"""Pages for browsers and their static files."""

import gzip
import re

import pytest
from webob import Request

PAGES = ["/explore"]


def static(app, name):
    """Return the URL of a static file."""
    return re.search(r'"(/static/[0-9a-f]+/)', app.get(PAGES[0]).text)[1] + name


def content_security_policy(response):
    """Return the sources of a response's policy by directive."""
    return dict(each.split(" ", 1) for each in response.headers["Content-Security-Policy"].split("; "))


@pytest.mark.parametrize(
    ("path", "images"), [("/explore", "'self' data: https:"), ("/docs", "'self' data:"), ("/", "'self' data:")]
)
def test_the_content_security_policy_allows_only_photos_from_other_hosts(service, path, images):
    response = service.app.get(path, headers={"Accept": "text/html"})

    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = content_security_policy(response)
    assert policy.pop("img-src") == images
    assert set(policy.values()) == {"'none'", "'self'"}
    assert response.headers["Referrer-Policy"] == "no-referrer"


def test_the_content_security_policy_of_the_map_alone_allows_the_host_of_its_tiles(start):
    service = start(**{"map.tiles_url": "http://tiles.example.edu:8080/a;b/{z}/{x}/{y}.png"})

    policies = [content_security_policy(service.app.get(path)) for path in ("/explore", "/docs")]

    assert [policy["img-src"] for policy in policies] == [
        "'self' data: https: http://tiles.example.edu:8080",
        "'self' data:",
    ]


def test_the_map_has_the_tiles_and_their_attribution_escaped(start):
    tiles = {"map.tiles_url": "https://tiles.example.edu/{z}/{x}/{y}?a&b", "map.attribution": '<a href="/c">C</a>'}

    page = start(**tiles).app.get("/explore")

    container = page.html.find(id="map")
    assert [container["data-tiles-url"], container["data-attribution"]] == list(tiles.values())


@pytest.mark.parametrize("path", PAGES)
def test_every_static_file_of_a_page_exists(service, path):
    urls = re.findall(r'(?:src|href)="(/static/[^"]+)"', service.app.get(path).text)

    assert urls
    assert {service.app.get(url).status_int for url in urls} == {200}


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_the_header_marks_the_current_page(service, path):
    page = service.app.get(path, headers={"Accept": "text/html"}).text

    assert re.findall(r'<a .*?href="(.*?)" aria-current="page"', page) == [path]


def test_a_page_is_revalidated_each_time(service):
    first = service.app.get("/explore")

    again = service.app.get("/explore", headers={"If-None-Match": first.headers["ETag"]}, status=304)

    assert first.headers["Cache-Control"] == again.headers["Cache-Control"] == "no-cache"
    assert again.body == b""
    assert "Content-Length" not in again.headers


def test_urls_in_a_page_include_the_prefix_of_the_service(service):
    page = service.app.get("/explore", extra_environ={"SCRIPT_NAME": '/campus "data'}).text

    assert 'data-base="/campus%20%22data/"' in page
    assert '"/campus%20%22data/static/' in page
    assert '"/static/' not in page


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("site.css", "text/css; charset=utf-8"),
        ("leaflet/leaflet.js", "text/javascript; charset=utf-8"),
        ("leaflet/leaflet.css", "text/css; charset=utf-8"),
    ],
)
def test_a_static_file_is_immutable(service, name, content_type):
    response = service.app.get(static(service.app, name))

    assert response.headers["Content-Type"] == content_type
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_a_static_file_is_gzipped_if_the_client_accepts_it(service):
    path = static(service.app, "leaflet/leaflet.js")
    plain = service.app.get(path)

    # WebTest would decompress it.
    compressed = Request.blank(path, headers={"Accept-Encoding": "gzip"}).get_response(service.cache)

    assert compressed.headers["Content-Encoding"] == "gzip"
    assert compressed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(compressed.body) == plain.body


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing.js",
        "explore.jinja2",
        "leaflet",
        "leaflet/",
        "site.css/x",
        "../../setup.py",
        "..%2Fassets.py",
        "%2e%2e",
    ],
)
def test_an_unknown_static_file_is_a_problem_404(service, name):
    response = service.app.get(static(service.app, name), status=404)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"


def test_static_files_of_another_version_are_a_404(service):
    service.app.get("/static/0123456789abcdef0123/site.css", status=404)


def test_the_menus_page_knows_the_clock_of_the_campus(start):
    frozen = start(**{"clock.time_zone": "Asia/Tokyo"}).app.get("/explore").text
    running = start(**{"clock.frozen_at": ""}).app.get("/explore").text

    assert 'data-time-zone="Asia/Tokyo" data-frozen-at="2026-11-20T12:00:00-05:00"' in frozen
    assert 'data-time-zone="America/New_York" hidden' in running


def test_pages_are_available_without_the_database(start):
    service = start(**{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"})

    assert service.app.get("/explore").headers["Content-Type"] == "text/html; charset=utf-8"
    service.app.get(static(service.app, "site.css"))
