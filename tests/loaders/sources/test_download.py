import base64
import signal
import threading

import pytest

from loaders.errors import MissingFileError, UnavailableFileError, UnreadableFileError
from loaders.sources.download import DownloadLimits, HttpClient
from loaders.sources.urls import redact
from tests.loaders.errors import error_of

START = b"HTTP/1.1 200 OK\r\n"
CHUNKED = START + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def download(tmp_path_factory):
    """Download a URL into an empty folder."""

    def download(url, **limits):
        return HttpClient(DownloadLimits(**limits)).download(url, tmp_path_factory.mktemp("download"))

    return download


@pytest.fixture
def reason(download):
    """Return why a URL cannot be downloaded."""

    def reason(url, error=UnreadableFileError, **limits):
        caught = error_of(download, url, **limits)
        assert type(caught) is error, url
        return str(caught).removeprefix(f"{redact(url)}: cannot be downloaded: ")

    return reason


@pytest.fixture
def hold(web):
    """Serve responses that begin, and never end."""
    is_over = threading.Event()

    def hold(start=b"", part=b"", interval=60):
        def respond(request):
            request.wfile.write(start)
            while not is_over.wait(interval):
                request.wfile.write(part)
            raise ConnectionError

        web.responses["/held"] = respond
        return web.url("/held")

    yield hold
    is_over.set()


def redirect(web, path, location):
    web.responses[path] = lambda request: (302, {"Location": location}, b"")
    return web.url(path)


def test_a_file_has_a_safe_name_by_its_header_or_else_its_url(download, web):
    attachment = 'attachment; filename="../Campus Map.zip"'
    for path, headers, name in [
        ("/download", {"Content_Disposition": attachment}, "Campus_Map.zip"),
        ("/", {}, "127.0.0.1"),
        ("/..", {}, "export"),
        ("/a%00%2Fb.csv", {}, "b.csv"),
    ]:
        file = download(web.add(path, "a,b\n", **headers))

        assert (file.name, file.read_text()) == (name, "a,b\n"), path
    web.add("/Men%C3%BC%20a%2Fb.csv", "a,b\n")
    assert download(web.url("/Menü a%2Fb.csv")).read_text() == "a,b\n"


def test_any_other_status_is_an_error_without_credentials(download, web):
    url = web.url("/menus.csv?token=abc", credentials="user:pass@")
    for status, phrase, expected in [
        (201, "Created", UnreadableFileError),
        (204, "No Content", UnreadableFileError),
        (206, "Partial Content", UnreadableFileError),
        (304, "Not Modified", UnreadableFileError),
        (401, "Unauthorized", UnreadableFileError),
        (404, "Not Found", MissingFileError),
        (408, "Request Timeout", UnavailableFileError),
        (429, "Too Many Requests", UnavailableFileError),
        (500, "Internal Server Error", UnavailableFileError),
    ]:
        web.responses["/menus.csv"] = lambda request, status=status: (status, {}, b"")

        error = error_of(download, url)

        message = f"{web.url('/menus.csv')}: cannot be downloaded: HTTP {status} {phrase}"
        assert (type(error), str(error)) == (expected, message), status


def test_a_server_that_is_down_or_does_not_respond_in_time_is_temporary(reason, web, hold):
    web.responses["/menus.csv"] = lambda request: request.connection.close()

    assert reason("http://127.0.0.1:1/menus.csv", UnavailableFileError) == "Connection refused"
    assert reason(web.url("/menus.csv"), UnavailableFileError)
    assert reason(hold(), UnavailableFileError, timeout=0.1) == "the server does not respond in time"


def test_a_truncated_response_is_temporary(reason, web):
    for headers, body, expected in [
        ({"Content-Length": 10}, b"a,b\n", "the response ends after 4 of 10 bytes"),
        ({"Transfer-Encoding": "chunked"}, b"4\r\na,b\n\r\n", "IncompleteRead"),
        ({"Transfer-Encoding": "chunked"}, b"4\r\n", "IncompleteRead"),
    ]:

        def respond(request, headers=headers, body=body):
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            request.wfile.write(START + lines.encode() + b"\r\n" + body)
            request.connection.close()
            raise ConnectionError

        web.responses["/menus.csv"] = respond

        assert reason(web.url("/menus.csv"), UnavailableFileError).startswith(expected), body


def test_an_invalid_url_is_an_error_without_its_password(download):
    for url in ("http://[::1/", "http://127.0.0.1:port/", "http://a..b/", "http://user:se/cret@127.0.0.1/"):
        message = str(error_of(download, url))

        assert message.endswith(": cannot be downloaded: the URL is invalid"), url
        assert "se" not in message.partition(" ")[0], url
    assert str(error_of(download, "http://")).startswith("http://: cannot be downloaded: ")


def test_only_http_and_https_are_opened(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    for scheme in ("file", "ftp", "data", "gopher", ""):
        message = str(error_of(HttpClient().get, f"{scheme}://{secret}"))

        assert message.endswith("it is not an http or https URL"), scheme


def test_the_sizes_of_all_downloads_and_of_a_response_that_is_read_as_a_whole_are_limited(web, tmp_path):
    for headers in ({"Content-Length": 5}, {}):
        client = HttpClient(DownloadLimits(max_bytes=10, max_page_bytes=6))
        client.get(web.add("/a.json", "123456"))
        web.responses["/b.csv"] = lambda request, headers=headers: (200, headers, b"12345")

        reason = error_of(client.download, web.url("/b.csv"), tmp_path).reason

        assert reason == "cannot be downloaded: the downloads of the load are larger than 10 bytes", headers
        (tmp_path / "b.csv").unlink()

        page = error_of(HttpClient(DownloadLimits(max_page_bytes=4)).get, web.url("/b.csv"))
        assert str(page).endswith("the response is larger than 4 bytes"), headers


def test_whatever_drips_ends_at_the_deadline(reason, hold):
    for start, part in [
        (b"", b"H"),
        (START + b"X-Header: ", b"a"),
        (START, b"X: a\r\n"),
        (START + b"\r\n", b"a,b\n"),
        (CHUNKED, b"0"),
        (CHUNKED + b"1;", b"x"),
        (CHUNKED + b"fffff\r\n", b"a"),
        (CHUNKED + b"0\r\n", b"X: a\r\n"),
        (b"HTTP/1.1 302 Found\r\nLocation: /held\r\nX-Header: ", b"a"),
        (b"HTTP/1.1 404 Not Found\r\nX-Header: ", b"a"),
    ]:
        message = reason(hold(start, part, interval=0.02), UnavailableFileError, total_seconds=0.1)

        assert message == "the downloads of the load take over 0.1 seconds", (start, part)


def test_the_deadline_is_for_all_downloads_of_a_client(hold):
    client = HttpClient(DownloadLimits(total_seconds=0.5))
    error_of(client.get, hold())
    fast = hold(START + b"Content-Length: 10\r\n\r\n", b"1", interval=0.01)

    assert str(error_of(client.get, fast)).endswith("the downloads of the load take over 0.5 seconds")


def test_the_deadline_repeats_its_signal_and_ends_with_the_download(download, web):
    web.responses["/interval"] = lambda request: (200, {}, str(signal.getitimer(signal.ITIMER_REAL)[1]).encode())

    # Else whatever catches its exception, such as importlib.metadata, would go on.
    assert float(download(web.url("/interval")).read_text()) > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_user_and_password_of_a_url_are_sent_but_not_to_where_it_redirects(download, web):
    redirect(web, "/old.csv", "/new.csv")
    web.add("/new.csv", "a,b\n")

    file = download(web.url("/old.csv", credentials="us%40er:pass@"))

    assert file.read_text() == "a,b\n"
    credentials = f"Basic {base64.b64encode(b'us@er:pass').decode()}"
    assert [request.headers["Authorization"] for request, _ in web.requests] == [credentials, None]


def test_a_redirect_to_another_host_must_be_to_https(reason, web):
    for location in ("http://localhost:1/new.csv?token=abc", "ftp://127.0.0.1/new.csv"):
        url = redirect(web, "/old.csv", location)

        assert reason(url) == f"redirected to {redact(location)}, which is not https", location
    secure = redirect(web, "/old.csv", "https://127.0.0.1:1/new.csv")
    assert reason(secure, UnavailableFileError) == "Connection refused"
    assert reason(redirect(web, "/old.csv", "/old.csv")).startswith("HTTP 302 ")
