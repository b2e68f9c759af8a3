import base64
import signal
import threading
import time
from itertools import repeat

import pytest

from loaders.errors import UnreadableFileError
from loaders.sources.download import DownloadLimits, HttpClient, NotModified
from loaders.sources.urls import is_url, redact


@pytest.fixture
def client():
    return HttpClient()


def error_of(client, url, folder):
    with pytest.raises(UnreadableFileError) as caught:
        client.download(url, folder)
    return str(caught.value)


def redirect(web, path, location):
    web.responses[path] = lambda request: (302, {"Location": location}, b"")
    return web.url(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://example.edu/menus.csv", True),
        ("HTTP://example.edu", True),
        ("menus.csv", False),
        ("-", False),
        ("ftp://example.edu/menus.csv", False),
        ("http:/menus.csv", False),
    ],
)
def test_urls_are_told_from_files_by_their_scheme(text, expected):
    assert is_url(text) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://user:pass@example.edu/menus.csv", "https://example.edu/menus.csv"),
        ("https://example.edu/menus?token=abc&hall=7", "https://example.edu/menus?hall=7"),
        ("https://example.edu/menus?API_KEY=abc", "https://example.edu/menus"),
        ("https://example.edu/menus?X-Amz-Signature=abc&sig=1", "https://example.edu/menus"),
        ("https://example.edu/menus?%74oken=abc", "https://example.edu/menus"),
        ("https://example.edu/menus?term=fall%202026#token=abc", "https://example.edu/menus?term=fall%202026"),
        ("https://[example.edu/?token=abc", "https://..."),
        ("https://user:pa/ss@example.edu/", "https://..."),
    ],
)
def test_credentials_are_removed_from_a_url(url, expected):
    assert redact(url) == expected


def test_a_file_is_downloaded_with_its_validators(client, web, tmp_path):
    url = web.add("/export/menus.csv", "a,b\n", ETag='"1"', Last_Modified="Fri, 20 Nov 2026 12:00:00 GMT")

    download = client.download(url, tmp_path)

    assert (download.path.name, download.path.read_text()) == ("menus.csv", "a,b\n")
    assert download.source == {"url": url, "etag": '"1"', "last_modified": "Fri, 20 Nov 2026 12:00:00 GMT"}


def test_a_file_has_the_name_that_the_server_gives_it(client, web, tmp_path):
    url = web.add("/download", "a,b\n", Content_Disposition='attachment; filename="../Campus Map.zip"')

    assert client.download(url, tmp_path).path.relative_to(tmp_path).as_posix() == "Campus_Map.zip"


@pytest.mark.parametrize(("path", "name"), [("/", "127.0.0.1"), ("/..", "export"), ("/a%00%2Fb.csv", "b.csv")])
def test_a_file_has_a_safe_name(client, web, tmp_path, path, name):
    url = web.add(path, "a,b\n")

    assert client.download(url, tmp_path).path.relative_to(tmp_path).as_posix() == name


@pytest.mark.parametrize("validators", [{"etag": '"1"'}, {"last_modified": "Fri, 20 Nov 2026 12:00:00 GMT"}])
def test_a_file_that_has_not_changed_is_not_downloaded(client, web, tmp_path, validators):
    url = web.add("/menus.csv", "a,b\n", ETag='"1"', Last_Modified="Fri, 20 Nov 2026 12:00:00 GMT")

    with pytest.raises(NotModified):
        client.download(url, tmp_path, validators)

    assert web.statuses == [304]


def test_a_file_that_has_changed_is_downloaded(client, web, tmp_path):
    url = web.add("/menus.csv", "a,b\n", ETag='"2"')

    assert client.download(url, tmp_path, {"etag": '"1"'}).source["etag"] == '"2"'


def test_an_error_status_is_an_error_that_names_the_url(client, web, tmp_path):
    url = web.url("/menus.csv?token=abc", credentials="user:pass@")

    assert error_of(client, url, tmp_path) == f"{web.url('/menus.csv')}: cannot be downloaded: HTTP 404 Not Found"


def test_a_refused_connection_is_an_error(client, web, tmp_path):
    message = error_of(client, "http://127.0.0.1:1/menus.csv", tmp_path)

    assert message == "http://127.0.0.1:1/menus.csv: cannot be downloaded: Connection refused"


@pytest.mark.parametrize(
    "url", ["http://[::1/", "http://127.0.0.1:port/", "http://a..b/", "http://user:se/cret@127.0.0.1/"]
)
def test_an_invalid_url_is_an_error_without_its_password(client, tmp_path, url):
    message = error_of(client, url, tmp_path)

    assert message.endswith(": cannot be downloaded: the URL is invalid")
    assert "se" not in message.partition(" ")[0]


def test_a_url_without_a_host_is_an_error(client, tmp_path):
    assert error_of(client, "http://", tmp_path).startswith("http://: cannot be downloaded: ")


def test_a_truncated_response_is_an_error(client, web, tmp_path):
    web.responses["/menus.csv"] = lambda request: (200, {"Content-Length": 10}, b"a,b\n")

    message = error_of(client, web.url("/menus.csv"), tmp_path)

    assert message.endswith(": cannot be downloaded: the response ends after 4 of 10 bytes")


def test_a_truncated_chunked_response_is_an_error(client, web, tmp_path):
    body = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na,b\n\r\n"

    def respond(request):
        request.wfile.write(body)
        request.connection.close()
        raise ConnectionError

    web.responses["/menus.csv"] = respond

    assert "cannot be downloaded: IncompleteRead" in error_of(client, web.url("/menus.csv"), tmp_path)


@pytest.mark.parametrize("headers", [{"Content-Length": 11}, {}])
def test_a_response_over_the_size_limit_is_an_error(web, tmp_path, headers):
    web.responses["/menus.csv"] = lambda request: (200, headers, b"0123456789\n")

    message = error_of(HttpClient(DownloadLimits(max_bytes=10)), web.url("/menus.csv"), tmp_path)

    assert message.endswith(": cannot be downloaded: the downloads of the load are larger than 10 bytes")


def test_the_size_limit_is_for_all_downloads_of_a_client(web, tmp_path):
    client = HttpClient(DownloadLimits(max_bytes=10))
    client.get(web.add("/a.json", "123456"))
    client.get(web.add("/b.json", "1234"))

    message = error_of(client, web.add("/c.csv", "1"), tmp_path)

    assert message.endswith(": cannot be downloaded: the downloads of the load are larger than 10 bytes")


@pytest.mark.parametrize("headers", [{"Content-Length": 11}, {}])
def test_a_response_that_is_read_as_a_whole_has_a_lower_limit(web, headers):
    web.responses["/page.json"] = lambda request: (200, headers, b"0123456789\n")

    with pytest.raises(UnreadableFileError, match="the response is larger than 10 bytes"):
        HttpClient(DownloadLimits(max_page_bytes=10)).get(web.url("/page.json"))


def test_a_server_that_does_not_respond_in_time_is_an_error(web, tmp_path):
    is_over = threading.Event()
    web.responses["/menus.csv"] = lambda request: is_over.wait(60) and (200, {}, b"")

    message = error_of(HttpClient(DownloadLimits(timeout=0.1)), web.url("/menus.csv"), tmp_path)
    is_over.set()

    assert message.endswith(": cannot be downloaded: the server does not respond in time")


START = b"HTTP/1.1 200 OK\r\n"
CHUNKED = START + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("start", "part"),
    [
        (b"", b"H"),
        (START + b"X-Header: ", b"a"),
        (START, b"X: a\r\n"),
        (START + b"\r\n", b"a,b\n"),
        (CHUNKED, b"0"),
        (CHUNKED + b"1;", b"x"),
        (CHUNKED + b"fffff\r\n", b"a"),
        (CHUNKED + b"0\r\n", b"X: a\r\n"),
        (b"HTTP/1.1 302 Found\r\nLocation: /drip\r\nX-Header: ", b"a"),
        (b"HTTP/1.1 404 Not Found\r\nX-Header: ", b"a"),
    ],
    ids=["status", "header", "headers", "body", "chunk size", "extension", "chunk", "trailers", "redirect", "error"],
)
def test_whatever_drips_ends_at_the_deadline(web, tmp_path, start, part):
    is_over = threading.Event()

    def drip(request):
        request.wfile.write(start)
        while not is_over.wait(0.02):
            request.wfile.write(part)
        raise ConnectionError

    web.responses["/drip"] = drip

    message = error_of(HttpClient(DownloadLimits(total_seconds=0.5)), web.url("/drip"), tmp_path)
    is_over.set()

    assert message.endswith(": cannot be downloaded: the downloads of the load take over 0.5 seconds")


def test_the_deadline_is_for_all_downloads_of_a_client(web):
    client = HttpClient(DownloadLimits(total_seconds=1))
    # No response takes as long; while one is awaited, the client owns all of its sockets.
    web.responses["/page.json"] = lambda request: time.sleep(0.4) or (200, {}, b"[]")

    with pytest.raises(UnreadableFileError, match="the downloads of the load take over 1 seconds"):
        list(map(client.get, repeat(web.url("/page.json"))))

    assert len(web.requests) > 1


def test_the_deadline_ends_with_the_download(web, tmp_path):
    HttpClient().download(web.add("/menus.csv", "a,b\n"), tmp_path)

    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_user_and_password_of_a_url_are_sent(client, web, tmp_path):
    web.add("/menus.csv", "a,b\n")

    client.download(web.url("/menus.csv", credentials="us%40er:pass@"), tmp_path)

    [(request, _)] = web.requests
    assert request.headers["Authorization"] == f"Basic {base64.b64encode(b'us@er:pass').decode()}"


def test_a_redirect_on_the_same_host_is_followed_without_the_password(client, web, tmp_path):
    redirect(web, "/old.csv", "/new.csv")
    web.add("/new.csv", "a,b\n")

    download = client.download(web.url("/old.csv", credentials="user:pass@"), tmp_path)

    assert (download.path.read_text(), download.source["url"]) == ("a,b\n", web.url("/old.csv"))
    assert [request.headers["Authorization"] is not None for request, _ in web.requests] == [True, False]


@pytest.mark.parametrize("location", ["http://localhost:1/new.csv?token=abc", "ftp://127.0.0.1/new.csv"])
def test_a_redirect_to_another_host_without_https_is_an_error(client, web, tmp_path, location):
    url = redirect(web, "/old.csv", location)

    message = error_of(client, url, tmp_path)

    assert message == f"{url}: cannot be downloaded: redirected to {redact(location)}, which is not https"


def test_a_redirect_to_https_is_followed(client, web, tmp_path):
    url = redirect(web, "/old.csv", "https://127.0.0.1:1/new.csv")

    assert error_of(client, url, tmp_path) == f"{url}: cannot be downloaded: Connection refused"


def test_a_redirect_to_itself_is_an_error(client, web, tmp_path):
    url = redirect(web, "/old.csv", "/old.csv")

    assert f"{url}: cannot be downloaded: HTTP 302 " in error_of(client, url, tmp_path)


def test_a_url_with_spaces_and_umlauts_is_encoded(client, web, tmp_path):
    web.add("/Men%C3%BC%20a%2Fb.csv", "a,b\n")

    assert client.download(web.url("/Menü a%2Fb.csv"), tmp_path).path.read_text() == "a,b\n"


@pytest.mark.parametrize("scheme", ["file", "ftp", "data", "gopher", ""])
def test_only_http_and_https_are_opened(client, tmp_path, scheme):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")

    with pytest.raises(UnreadableFileError, match="is not an http or https URL"):
        client.get(f"{scheme}://{secret}")
