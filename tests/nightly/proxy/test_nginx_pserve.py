"""The nginx configuration in deploy/, in front of the service."""

import json
import re
import shutil
import subprocess
from datetime import datetime
from urllib.parse import urlsplit

import pytest

from tests.processes import nginx
from tests.processes.commands import ROOT, reserve_port, wait_for
from tests.processes.nginx import fetch
from tests.processes.servers import SERVERS, start
from tests.programs import require, require_root

OPERATIONS = ROOT / "docs" / "operations.md"


@pytest.fixture(scope="module", params=SERVERS)
def service(request, spawn_shared, shared_uri):
    """Production.ini on an empty database in the real MongoDB."""
    return start(spawn_shared, request.param, CAMPUS_MONGO_URI=shared_uri)


@pytest.fixture(scope="module")
def site(service, tmp_path_factory):
    with nginx.running(tmp_path_factory.mktemp("nginx"), urlsplit(service.url).port) as site:
        yield site


def test_debians_nginx_accepts_the_file_as_shipped(tmp_path):
    require_root()
    # Folders of the test in place of those of the system, in namespaces of its own.
    folders = {"/etc/nginx/conf.d": "conf.d", "/etc/ssl": "ssl", "/var/lib/nginx": "lib", "/var/log/nginx": "log"}
    for name in folders.values():
        (tmp_path / name).mkdir()
    shutil.copy(nginx.SITE, tmp_path / "conf.d" / "campus-api.conf")
    nginx.write_certificate(tmp_path / "ssl" / "campus-api.pem", tmp_path / "ssl" / "campus-api.key")
    mounts = [f"mount --bind {tmp_path / name} {folder}" for folder, name in folders.items()]
    script = " && ".join([*mounts, f"{require('nginx')} -t"])

    checked = subprocess.run(
        [require("unshare"), "--mount", "--net", "sh", "-c", script], capture_output=True, text=True
    )

    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr


def test_the_access_log_has_request_id_cache_status_and_upstream_time(site):
    def get(id_):
        return fetch(site, "/map/buildings?name=log", X_Request_Id=id_, User_Agent='"quoted"')

    get("first")
    wait_for(lambda: get("second").headers["X-Cache"] == "HIT")

    wait_for(lambda: site.access_log.read_text().endswith("\n") and lines_of_this_test(site)[-1]["cache"] == "HIT")
    first, *_, second = lines_of_this_test(site)
    assert (first["request_id"], second["request_id"]) == ("first", "second")
    assert (first["cache"], second["cache"], second["upstream_seconds"]) == ("MISS", "HIT", "")
    # Each is rounded to milliseconds of its own clock.
    assert float(first["upstream_seconds"]) <= first["seconds"] + 0.01
    assert (first["method"], first["status"], first["bytes"], first["client"]) == ("GET", 200, 2, "127.0.0.1")
    assert datetime.fromisoformat(first["time"]).tzinfo


def lines_of_this_test(site):
    lines = [json.loads(line) for line in site.access_log.read_text().splitlines()]
    return [line for line in lines if line["user_agent"] == '"quoted"']


def test_a_preflight_allows_the_requested_headers(site):
    response = fetch(site, "/dining/menus", "OPTIONS", Access_Control_Request_Headers="x-requested-with")

    assert (response.status, response.headers["Access-Control-Allow-Headers"]) == (204, "x-requested-with")


def test_head_is_get_without_a_body(site):
    head = fetch(site, "/map/buildings", "HEAD")

    assert (head.status, head.headers["Content-Length"], head.body) == (200, "2", b"")


def test_every_response_allows_any_origin(site):
    responses = [fetch(site, path) for path in ("/map/buildings", "/nowhere", "/dining/menus?meal=lunch")]

    assert [response.status for response in responses] == [200, 404, 400]
    assert [response.headers.get_all("Access-Control-Allow-Origin") for response in responses] == [["*"]] * 3


def test_errors_are_not_cached(site):
    responses = [fetch(site, "/nowhere"), fetch(site, "/nowhere")]

    assert [(response.status, response.headers["X-Cache"]) for response in responses] == [(404, "MISS")] * 2


def test_a_query_may_have_a_thousand_parameters(site):
    query = "&".join(f"recipe={number}" for number in range(2**40, 2**40 + 1000))

    assert fetch(site, f"/dining/menus?{query}").body == b"[]"


def test_http_redirects_to_https(site):
    response = fetch(site, "/map/buildings?name=x", secure=False, Host="campus.example.edu")

    assert (response.status, response.headers["Location"]) == (308, "https://campus.example.edu/map/buildings?name=x")
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_uncached_requests_without_the_service_are_a_problem_503(tmp_path):
    with nginx.running(tmp_path, reserve_port()) as site:
        response = fetch(site, "/map/buildings?name=x")

    assert (response.status, json.loads(response.body)["status"]) == (503, 503)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.headers["Access-Control-Allow-Origin"], response.headers["Cache-Control"]) == ("*", "no-store")
    assert response.headers["Retry-After"]
    assert response.headers["Access-Control-Expose-Headers"] == "Retry-After, X-Request-Id"


def test_nginx_reaches_the_service_by_a_unix_socket(spawn, tmp_path):
    path, ini = tmp_path / "http.sock", tmp_path / "production.ini"
    text = (ROOT / "production.ini").read_text(encoding="utf-8")
    ini.write_text(text.replace("host = 127.0.0.1\n", "").replace("port = 6543\n", socket_options(path)))
    spawn("pserve", ini, CAMPUS_MONGO_URI="mongomock://")
    wait_for(path.exists)

    with nginx.running(tmp_path, f"unix:{path}") as site:
        response = fetch(site, "/map/buildings")

    assert (response.status, response.body) == (200, b"[]")
    # Any user may connect, such as that of nginx.
    assert path.stat().st_mode & 0o777 == 0o666


def socket_options(path):
    """Return the options that operations.md shows."""
    [block] = re.findall(r"```ini\n(unix_socket = .*?)```", OPERATIONS.read_text(encoding="utf-8"), re.DOTALL)
    return block.replace("/run/campus-api/http.sock", str(path))
