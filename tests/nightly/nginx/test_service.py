"""The nginx configuration in deploy/ in front of granian, at a Unix socket, and as the nginx of Debian reads it."""

import json
import re
import shutil
import socket
import subprocess
from datetime import datetime
from itertools import count
from urllib.parse import urlsplit

import pytest

from tests.factories import building
from tests.processes import nginx
from tests.processes.commands import PROCESS_DEADLINE, PRODUCTION, ROOT, wait_for
from tests.processes.nginx import fetch
from tests.processes.servers import start_granian
from tests.programs import require, require_root
from tests.publishing import publish_buildings

numbers = count()


@pytest.fixture(scope="module")
def site(spawn_shared, shared_uri, shared_database, tmp_path_factory):
    """One nginx for all tests, in front of a hundred buildings; each test requests a unique path."""
    publish_buildings(shared_database, map(building, range(1, 101)))
    service = start_granian(spawn_shared, CAMPUS_MONGO_URI=shared_uri)
    with nginx.running(tmp_path_factory.mktemp("nginx"), urlsplit(service.url).netloc) as site:
        yield site


@pytest.fixture
def path():
    return f"/map/buildings?name=widener&_={next(numbers)}"


def test_debians_nginx_accepts_the_file_as_shipped(tmp_path):
    require_root()
    # Folders of the test in place of those of the system, in other namespaces.
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


def test_the_access_log_has_request_id_cache_status_and_upstream_time(site, path):
    for id_ in ("first", "second"):
        fetch(site, path, X_Request_Id=id_, User_Agent='"quoted"')

    first, second = wait_for(lambda: lines_of_this_test(site))

    assert [(each["request_id"], each["cache"]) for each in (first, second)] == [("first", "MISS"), ("second", "HIT")]
    assert (float(first["upstream_seconds"]) >= 0, second["upstream_seconds"]) == (True, "")
    assert (first["method"], first["status"], first["client"]) == ("GET", 200, "127.0.0.1")
    assert datetime.fromisoformat(first["time"]).tzinfo


def lines_of_this_test(site):
    """Return both lines, or nothing while the second one is incomplete."""
    lines = [json.loads(line) for line in site.access_log.read_text().splitlines() if line.endswith("}")]
    lines = [line for line in lines if line["user_agent"] == '"quoted"']
    return len(lines) == 2 and lines


def test_json_geojson_and_html_are_cached_separately(site, path):
    plain, geojson = fetch(site, path), fetch(site, path, Accept="application/geo+json")

    cached = [fetch(site, path, Accept=accept) for accept in ("application/json, */*", "application/geo+json")]

    assert [each.headers["X-Cache"] for each in (geojson, *cached)] == ["MISS", "HIT", "HIT"]
    assert [each.body for each in cached] == [plain.body, geojson.body]
    types = [fetch(site, "/", Accept=accept).headers["Content-Type"] for accept in ("*/*", "text/html") * 2]
    assert types == ["application/json", "text/html; charset=utf-8"] * 2


def test_nginx_reaches_the_service_by_a_unix_socket(spawn, tmp_path):
    path, ini = tmp_path / "http.sock", tmp_path / "production.ini"
    [options] = re.findall(
        r"```ini\n(unix_socket = .*?)```", (ROOT / "docs/operations.md").read_text(encoding="utf-8"), re.DOTALL
    )
    text = PRODUCTION.read_text(encoding="utf-8").replace("host = 127.0.0.1\n", "")
    ini.write_text(text.replace("port = 6543\n", options.replace("/run/campus-api/http.sock", str(path))))
    # As a server leaves it that was killed.
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    spawn("pserve", ini, CAMPUS_MONGO_URI="mongomock://")

    with nginx.running(tmp_path, f"unix:{path}") as site:
        wait_for(lambda: fetch(site, "/map/buildings").status == 200, PROCESS_DEADLINE)

    # Any user may connect, such as that of nginx.
    assert path.stat().st_mode & 0o777 == 0o666
