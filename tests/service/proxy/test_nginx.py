"""The site of deploy/ in a real nginx, in front of answers that each test chooses."""

import gzip
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from tests.service import nginx
from tests.service.nginx import ADDRESS, ask
from tests.service.processes import wait_for

FOREIGN, EAGER = "127.0.0.2", "127.0.0.3"
numbers = count()


@pytest.fixture(scope="module")
def shared_upstream():
    upstream = nginx.Upstream()
    yield upstream
    upstream.stop()


@pytest.fixture
def upstream(shared_upstream):
    """The service as nginx sees it, in its first state."""
    shared_upstream.reset()
    return shared_upstream


@pytest.fixture(scope="module")
def site(shared_upstream, tmp_path_factory):
    """One nginx for all tests; each asks for a path that no other one has asked for."""
    with nginx.running(tmp_path_factory.mktemp("nginx"), shared_upstream.port) as site:
        yield site


@pytest.fixture
def path():
    return f"/{next(numbers)}"


def expire(upstream, site, path):
    """Let nginx keep an answer that is no longer fresh."""
    upstream.headers["Cache-Control"] = "public, max-age=1, stale-while-revalidate=60, stale-if-error=60"
    answer = ask(site, path)
    time.sleep(2.1)
    return answer


def test_the_second_answer_comes_from_the_cache(upstream, site, path):
    answers = [ask(site, path), ask(site, path)]

    assert [answer.headers["X-Cache"] for answer in answers] == ["MISS", "HIT"]
    assert len(upstream.asked[path]) == 1


def test_an_answer_from_the_cache_has_the_id_of_its_own_request(upstream, site, path):
    ask(site, path, X_Request_Id="first.one")

    answer = ask(site, path, X_Request_Id="second_one")

    assert (upstream.asked[path][0].headers["X-Request-Id"], answer.headers.get_all("X-Request-Id")) == (
        "first.one",
        ["second_one"],
    )


@pytest.mark.parametrize("host", ["evil.example", "campus.example.edu", "campus.example.edu:8080"])
def test_http_redirects_to_the_configured_name_only(site, host):
    response = ask(site, "/a?b=c", secure=False, Host=host)

    assert (response.status, response.headers["Location"]) == (308, "https://campus.example.edu/a?b=c")


@pytest.mark.parametrize(("path", "status"), [("/a", 200), ("/docs", 200), ("/__metrics__", 404)])
def test_browsers_use_https_only(site, path, status):
    response = ask(site, path, source=FOREIGN)

    assert response.status == status
    assert response.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]


def test_browsers_guess_no_content_type_of_the_errors_of_nginx(site):
    response = ask(site, "/__metrics__", source=FOREIGN)

    assert response.headers.get_all("X-Content-Type-Options") == ["nosniff"]


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "é"])
def test_an_id_that_is_not_well_formed_is_replaced(upstream, site, path, given):
    answer = ask(site, path, X_Request_Id=given)

    assert len(answer.headers["X-Request-Id"]) == 32
    assert upstream.asked[path][0].headers["X-Request-Id"] == answer.headers["X-Request-Id"]


def test_two_forms_of_an_answer_are_kept_whatever_clients_accept(upstream, site, path):
    packed = [ask(site, path, Accept_Encoding=accepted) for accepted in ("gzip", "br, gzip;q=0.5", "gzip, zstd")]
    plain = [ask(site, path, Accept_Encoding=accepted) for accepted in ("identity", "gzip;q=0, br", "gzip;q=0.0")]

    assert {(each.headers["Content-Encoding"], gzip.decompress(each.body)) for each in packed} == {("gzip", b"[]")}
    assert {(each.headers["Content-Encoding"], each.body) for each in plain} == {(None, b"[]")}
    assert [request.headers["Accept-Encoding"] for request in upstream.asked[path]] == ["gzip", None]


def test_who_does_not_name_geojson_shares_an_answer_whatever_else_is_accepted(upstream, site, path):
    answers = [ask(site, path, Accept=accept) for accept in ("*/*", "text/html, */*;q=0.8", "application/json")]

    assert [each.headers["X-Cache"] for each in answers] == ["MISS", "HIT", "HIT"]


def test_head_is_answered_from_the_cache_of_get(upstream, site, path):
    ask(site, path)

    head = ask(site, path, "HEAD")

    assert (head.headers["X-Cache"], head.headers["Content-Length"], head.body) == ("HIT", "2", b"")


def test_an_answer_that_the_client_has_is_a_304(upstream, site, path):
    ask(site, path)

    assert ask(site, path, If_None_Match='"1"').status == 304
    assert len(upstream.asked[path]) == 1


def test_a_preflight_reaches_the_service(upstream, site, path):
    ask(site, path, "OPTIONS")
    ask(site, path, "OPTIONS")

    assert [request.command for request in upstream.asked[path]] == ["OPTIONS", "OPTIONS"]


@pytest.mark.parametrize("status", [400, 404, 500, 503])
def test_errors_are_not_kept(upstream, site, path, status):
    upstream.status, upstream.headers = status, {"Cache-Control": "no-store"}

    assert [ask(site, path).status, ask(site, path).status] == [status, status]
    assert len(upstream.asked[path]) == 2


def test_many_who_ask_at_once_ask_the_service_once(upstream, site, path):
    upstream.seconds = 0.5
    with ThreadPoolExecutor(10) as clients:
        answers = list(clients.map(lambda _: ask(site, path).status, range(10)))

    assert answers == [200] * 10
    assert len(upstream.asked[path]) == 1


def test_nobody_waits_for_the_renewal_of_an_answer(upstream, site, path):
    expire(upstream, site, path)
    upstream.body, upstream.headers["ETag"] = b"[2]", '"2"'
    upstream.released.clear()

    answer = ask(site, path)

    assert (answer.body, answer.headers["X-Cache"]) == (b"[]", "STALE")
    upstream.released.set()
    wait_for(lambda: ask(site, path).body == b"[2]")


def test_menus_of_yesterday_are_not_given_while_those_of_today_are_fetched(upstream, site, path):
    upstream.headers["Cache-Control"] = "public, max-age=1, stale-while-revalidate=0, stale-if-error=0"
    ask(site, path)
    time.sleep(2.1)
    upstream.body, upstream.headers["ETag"] = b"[2]", '"2"'

    answer = ask(site, path)

    assert (answer.body, answer.headers["X-Cache"]) == (b"[2]", "EXPIRED")


def test_an_answer_that_did_not_change_is_renewed_without_its_body(upstream, site, path):
    expire(upstream, site, path)
    ask(site, path)

    wait_for(lambda: ask(site, path).headers["X-Cache"] == "HIT")
    assert upstream.asked[path][-1].headers["If-None-Match"] == '"1"'


def test_a_kept_answer_outlives_the_service(tmp_path, path):
    upstream = nginx.Upstream()
    with nginx.running(tmp_path, upstream.port) as site:
        before = expire(upstream, site, path)
        upstream.stop()

        answer = ask(site, path)

    assert (answer.status, answer.body) == (200, before.body)


def test_a_kept_answer_stands_in_for_an_error(upstream, site, path):
    before = expire(upstream, site, path)
    upstream.status, upstream.headers = 503, {"Cache-Control": "no-store"}

    assert [(answer.status, answer.body) for answer in (ask(site, path), ask(site, path))] == [(200, before.body)] * 2


@pytest.mark.parametrize("path", ["/__metrics__", "//__heartbeat__/", "/%5F_version__", "/map/../__lbheartbeat__"])
def test_health_and_metrics_are_not_open_to_the_world(upstream, site, path):
    seen = ask(site, path, source=FOREIGN)

    assert (seen.status, json.loads(seen.body)["status"]) == (404, 404)
    assert [each for each in upstream.asked if "__" in each] == []
    assert ask(site, path).status == 200


def test_health_and_metrics_are_never_kept(upstream, site):
    ask(site, "/__metrics__")
    ask(site, "/__metrics__")

    assert len(upstream.asked["/__metrics__"]) == 2


def test_an_address_that_asks_too_much_is_told_so(upstream, site, path):
    ask(site, path)
    request = f"GET {path} HTTP/1.1\r\nHost: campus\r\n\r\n".encode()
    plain = socket.create_connection((ADDRESS, site.secure), 30, source_address=(EAGER, 0))
    with plain, nginx.unchecked().wrap_socket(plain) as client:
        client.sendall(request * 899 + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        answers = b"".join(iter(lambda: client.recv(65536), b""))

    assert answers.count(b"HTTP/1.1 200 OK") >= 400
    assert answers.count(b"HTTP/1.1 429 Too Many Requests") > 100
    assert answers.count(b"Access-Control-Allow-Origin: *") == answers.count(b"HTTP/1.1 429")


def test_a_thousand_parameters_go_through_and_come_back(upstream, site):
    path = "/dining/menus?" + "&".join(f"recipe={number}" for number in range(2**40, 2**40 + 1000))
    upstream.headers["Content-Location"] = path

    answers = [ask(site, path), ask(site, path)]

    assert [(answer.status, answer.headers["X-Cache"]) for answer in answers] == [(200, "MISS"), (200, "HIT")]
