import json
import threading
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from loaders.errors import UnreadableFileError
from loaders.sources.campus_service import download_menus, is_menus
from loaders.sources.download import DownloadLimits, HttpClient
from tests.factories import row, serving
from tests.functional.service import Service

DATES = ("2026-11-20", "2026-11-21", "2026-11-22")


class SilentHandler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def service():
    service = Service("mongomock://")
    yield service
    service.close()


@pytest.fixture
def service_url(service):
    """The URL of the service, served on 127.0.0.1."""
    with make_server("127.0.0.1", 0, service.cache, handler_class=SilentHandler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def serve_lists(web):
    """Serve the lists without menus, and return the URL of the menus."""

    def serve_lists(rows=(), **headers):
        for name in ("categories", "locations", "recipes"):
            web.add(f"/dining/{name}", "[]")
        return web.add("/dining/menus", json.dumps(rows) if isinstance(rows, list | tuple) else rows, **headers)

    return serve_lists


def read(url, folder):
    return json.loads(download_menus(HttpClient(), url, folder).path.read_text())


def error_of(url, folder):
    with pytest.raises(UnreadableFileError) as caught:
        download_menus(HttpClient(), url, folder)
    return caught.value.reason.removeprefix("cannot be downloaded: ")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.edu/dining/menus", True),
        ("https://example.edu/api/dining/menus/?token=abc", True),
        ("https://example.edu/dining/menus.csv", False),
        ("https://example.edu/export?path=/dining/menus", False),
    ],
)
def test_menus_are_told_from_files_by_their_path(url, expected):
    assert is_menus(url) is expected


def test_all_dates_are_downloaded(service, service_url, tmp_path):
    service.serve_dining(serving(date=DATES[0]), serving(2, "Soup", date=DATES[2]))

    assert read(f"{service_url}/dining/menus", tmp_path) == {
        "categories": [{"id": 23, "name": "Category 23"}],
        "locations": [{"id": 30, "name": "Hall 30"}],
        "recipes": [{"id": 2, "name": "Soup"}, {"id": 31001, "name": "Kashi Pilaf"}],
        "menus": [row(date=DATES[0]), row(2, "Soup", date=DATES[2])],
        "closed_days": [DATES[1]],
    }


def test_the_dates_of_the_url_are_downloaded(service, service_url, tmp_path):
    service.serve_dining(*(serving(date=date) for date in DATES))

    value = read(f"{service_url}/dining/menus?date={DATES[0]}&date={DATES[1]}", tmp_path)

    assert value["menus"] == [row(date=DATES[0]), row(date=DATES[1])]
    assert "closed_days" not in value


def test_parameters_of_the_url_are_sent_with_every_request_but_not_recorded(serve_lists, web, tmp_path):
    url = serve_lists([row()])

    download = download_menus(HttpClient(), f"{url}?token=abc&date=2026-11-20", tmp_path)

    assert {request.query["token"] for request, _ in web.requests} == {"abc"}
    assert download.source == {"url": f"{url}?date=2026-11-20"}


def test_a_server_without_links_is_an_error(serve_lists, tmp_path):
    url = serve_lists([row()])

    message = "the server does not link to a date with menus: add dates to the URL (?date=)"
    assert error_of(url, tmp_path) == message


def test_a_server_that_links_backwards_is_an_error(serve_lists, tmp_path):
    url = serve_lists([row()], Link='<?date=2026-11-20>; rel="next"')

    assert error_of(url, tmp_path) == "the date after 2026-11-20 is 2026-11-20 in a link of the server"


def test_data_that_changes_during_the_download_is_an_error(serve_lists, web, tmp_path):
    url = serve_lists([row()])
    etags = iter(["1", "2"])
    web.responses["/dining/recipes"] = lambda request: (200, {"ETag": next(etags)}, b"[]")

    message = "the data has changed during the download: run it again"
    assert error_of(f"{url}?date=2026-11-20", tmp_path) == message


@pytest.mark.parametrize(
    ("content", "reason"), [("{}", "the response is not a list of menu rows"), ("<html>", "the response is not JSON: ")]
)
def test_a_response_of_another_form_is_an_error(serve_lists, tmp_path, content, reason):
    assert error_of(serve_lists(content), tmp_path).startswith(reason)


@pytest.mark.parametrize(
    "link",
    [
        "file:///etc/passwd?date=2026-11-20",
        "ftp://127.0.0.1/?date=2026-11-20",
        "data:,?date=2026-11-20",
        "//localhost/dining/menus?date=2026-11-20",
        "http://localhost/dining/menus?date=2026-11-20",
        "http://127.0.0.1:1/dining/menus?date=2026-11-20",
        "https://127.0.0.1/dining/menus?date=2026-11-20",
        "http://127.0.0.1:port/?date=2026-11-20",
        "http://[::1/?date=2026-11-20",
    ],
)
def test_a_link_to_another_server_is_not_followed(serve_lists, web, tmp_path, link):
    url = serve_lists([], Link=f'<{link}>; rel="next"')

    assert error_of(url, tmp_path).startswith("a link of the server leads to another one: ")
    assert len(web.requests) == 4


@pytest.mark.parametrize("link", ["?date=2026-11-20", "/dining/menus?date=2026-11-20", "{url}?date=2026-11-20"])
def test_a_link_to_the_same_server_is_followed(serve_lists, web, tmp_path, link):
    url = serve_lists([])
    next_page = {"Link": f'<{link.format(url=url)}>; rel="next"'}
    pages = {"2026-11-20": (200, {}, json.dumps([row()]).encode())}
    web.responses["/dining/menus"] = lambda request: pages.get(request.query["date"], (200, next_page, b"[]"))
    web.add("/dining/recipes", "[]", ETag='"1"')

    assert len(read(url, tmp_path)["menus"]) == 1


def test_endless_pages_end_with_the_budget(serve_lists, web, tmp_path):
    url = serve_lists([])

    def respond(request):
        date = str(int(request.query["date"][:4]) + 1).zfill(4)
        return 200, {"Link": f'<?date={date}-01-01>; rel="next"'}, json.dumps([row()] * 10).encode()

    web.responses["/dining/menus"] = respond

    with pytest.raises(UnreadableFileError, match="the downloads of the load are larger than 50,000 bytes"):
        download_menus(HttpClient(DownloadLimits(max_bytes=50_000)), url, tmp_path)
