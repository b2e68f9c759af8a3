"""Pages for people and the files that they consist of, as they come over HTTP."""

import gzip
import re

import pytest
from webob import Request

PAGES = ["/explore"]


def static(app, name):
    """Return the address that pages have for a file of theirs."""
    return re.search(r'"(/static/[0-9a-f]+/)', app.get(PAGES[0]).text)[1] + name


@pytest.mark.parametrize("path", PAGES)
def test_a_page_may_load_nothing_from_elsewhere_but_photos(service, path):
    answer = service.app.get(path)

    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = dict(each.split(" ", 1) for each in answer.headers["Content-Security-Policy"].split("; "))
    assert policy.pop("img-src") == "'self' data: https:"
    assert set(policy.values()) == {"'none'", "'self'"}
    assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", PAGES)
def test_all_that_a_page_names_is_there(service, path):
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', service.app.get(path).text)

    assert addresses
    assert {service.app.get(address).status_int for address in addresses} == {200}


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_the_header_marks_the_current_page(service, path):
    page = service.app.get(path, headers={"Accept": "text/html"}).text

    assert re.findall(r'<a .*?href="(.*?)" aria-current="page"', page) == [path]


def test_a_page_is_asked_for_each_time_and_known_again(service):
    first = service.app.get("/explore")

    again = service.app.get("/explore", headers={"If-None-Match": first.headers["ETag"]}, status=304)

    assert first.headers["Cache-Control"] == again.headers["Cache-Control"] == "no-cache"
    assert again.body == b""
    assert "Content-Length" not in again.headers


def test_addresses_in_a_page_begin_where_the_service_stands(service):
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
def test_a_file_of_a_page_is_kept_for_good(service, name, content_type):
    answer = service.app.get(static(service.app, name))

    assert answer.headers["Content-Type"] == content_type
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_file_is_compressed_for_whom_takes_it(service):
    path = static(service.app, "leaflet/leaflet.js")
    plain = service.app.get(path)

    # WebTest would unpack it.
    packed = Request.blank(path, headers={"Accept-Encoding": "gzip"}).get_response(service.cache)

    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body


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
def test_what_is_no_file_of_a_page_is_a_problem_404(service, name):
    answer = service.app.get(static(service.app, name), status=404)

    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"


def test_files_of_another_version_are_not_there(service):
    service.app.get("/static/0123456789abcdef0123/site.css", status=404)


def test_pages_come_while_the_database_is_away(start):
    service = start(**{"mongo.uri": "mongodb://127.0.0.1:1", "mongo.timeout_ms": "100"})

    assert service.app.get("/explore").headers["Content-Type"] == "text/html; charset=utf-8"
    service.app.get(static(service.app, "site.css"))
