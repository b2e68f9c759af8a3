"""The MongoDB of development.ini: started, shared, and never left behind."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.service.processes import ROOT, fetch, mongod_of, processes_using, serve_samples, wait_for

SAMPLES = ROOT / "loaders" / "samples"


def names(server, path="/map/buildings"):
    return [row["name"] for row in json.loads(fetch(server.url + path).body)]


def test_a_new_checkout_serves_the_samples(spawn, ini):
    server = serve_samples(spawn, ini())

    assert "Wigglesworth A" in names(server, "/map/buildings?name=wigglesworth")
    assert names(server, "/dining/menus")


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_behind_however_the_server_ends(serve, ini, tmp_path, end):
    server = serve(ini())
    running = processes_using(tmp_path / "mongo")

    server.send_signal(end)
    server.wait()

    assert "mongod" in running.values()
    wait_for(lambda: not processes_using(tmp_path / "mongo"))


@pytest.mark.slow
def test_nothing_is_left_behind_when_the_supervisor_is_killed(serve, ini, tmp_path):
    serve(ini())
    [mongod] = mongod_of(tmp_path / "mongo")
    [supervisor] = set(processes_using(tmp_path / "mongo")) - {mongod}

    os.kill(supervisor, signal.SIGKILL)

    wait_for(lambda: not processes_using(tmp_path / "mongo"))


@pytest.mark.slow
def test_a_mongod_that_was_killed_is_started_again(serve, ini, tmp_path):
    server = serve(ini())
    [mongod] = mongod_of(tmp_path / "mongo")

    os.kill(mongod, signal.SIGKILL)

    wait_for(lambda: set(mongod_of(tmp_path / "mongo")) - {mongod})
    wait_for(lambda: fetch(server.url + "/dining/locations").status == 200)


@pytest.mark.slow
def test_a_load_reaches_the_running_server(serve, spawn, ini, tmp_path):
    server = serve(ini())
    [mongod] = mongod_of(tmp_path / "mongo")
    export = tmp_path / "one.geojson"
    point = {"type": "Point", "coordinates": [-71.1, 42.3]}
    feature = {"type": "Feature", "id": 1, "geometry": point, "properties": {"name": "Only One"}}
    export.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))

    load = spawn("campus-load", "buildings", export, "--config", tmp_path / "development.ini")

    assert load.wait() == 0, load.said()
    wait_for(lambda: names(server) == ["Only One"])
    assert mongod_of(tmp_path / "mongo") == [mongod]


@pytest.mark.slow
def test_the_server_keeps_a_mongod_that_another_process_started(serve, ini, tmp_path, embedded_user):
    first = embedded_user(tmp_path / "mongo")
    server = serve(ini())
    [mongod] = mongod_of(tmp_path / "mongo")

    first.kill()
    first.wait()

    assert fetch(server.url + "/dining/locations").status == 200
    assert mongod_of(tmp_path / "mongo") == [mongod]


@pytest.fixture
def as_nobody():
    """The start of a command line that runs a program as the user nobody, who may also read the files of root."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() or not setpriv:
        pytest.skip("only root can start a process as another user, with setpriv")
    user = ["--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    # Python itself may be in the home of root.
    return [setpriv, *user, "--inh-caps=-all,+dac_read_search", "--ambient-caps=+dac_read_search"]


@pytest.mark.slow
def test_two_users_of_the_machine_have_an_embedded_mongodb_each(embedded_user, tmp_path, as_nobody):
    embedded_user(tmp_path / "root")
    (tmp_path / "nobody").mkdir()
    shutil.chown(tmp_path / "nobody", "nobody")

    embedded_user(tmp_path / "nobody", *as_nobody)

    owners = [Path(f"/proc/{pid}").owner() for name in ("root", "nobody") for pid in mongod_of(tmp_path / name)]
    assert owners == ["root", "nobody"]


def unix_sockets_of(pid):
    """Return the paths of the Unix sockets that a process has bound."""
    inodes = {os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()}
    rows = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return [Path(row[7]) for row in rows if len(row) > 7 and f"socket:[{row[6]}]" in inodes]


def test_mongod_opens_no_socket_outside_of_its_private_folder(embedded_user, tmp_path):
    user = embedded_user(tmp_path / "mongo")

    [mongod] = mongod_of(tmp_path / "mongo")

    private = Path(unquote(user.said().strip().removeprefix("mongodb://"))).parent
    assert {path.parent for path in unix_sockets_of(mongod)} == {private}
    assert private.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
def test_loaded_data_outlive_the_server(serve, spawn, ini, tmp_path):
    server = serve(ini())
    load = spawn("campus-load", "dining", SAMPLES / "foodpro.csv", "--config", tmp_path / "development.ini")
    assert load.wait() == 0, load.said()
    server.terminate()
    server.wait()

    server = serve(tmp_path / "development.ini")

    assert names(server, "/dining/menus?date=2024-01-02")


@pytest.mark.slow
def test_a_reload_keeps_serving(spawn, ini, tmp_path):
    server = serve_samples(spawn, ini(), "--reload")
    before = names(server)

    os.utime(tmp_path / "development.ini")

    wait_for(lambda: server.said().count("Starting server") == 2)
    wait_for(lambda: fetch(server.url + "/map/buildings"))
    assert names(server) == before
    assert len(mongod_of(tmp_path / "mongo")) == 1
    server.kill()
    server.wait()
    wait_for(lambda: not processes_using(tmp_path / "mongo"))


@pytest.fixture
def path_with_mongod(tmp_path):
    """Write a shell script named mongod and return a PATH on which it is the first."""

    def write(script):
        program = tmp_path / "bin" / "mongod"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return f"{program.parent}:{os.environ['PATH']}"

    return write


@pytest.mark.slow
def test_a_mongod_that_never_answers_is_not_left_behind(spawn, ini, tmp_path, path_with_mongod):
    silent = f"""exec {sys.executable} -c 'import time; time.sleep(60)' "$@\""""
    server = spawn("pserve", ini(), "http_port=0", PATH=path_with_mongod(silent))
    wait_for(lambda: mongod_of(tmp_path / "mongo"))

    server.kill()

    wait_for(lambda: not processes_using(tmp_path / "mongo"))


@pytest.fixture
def failed_start(spawn, ini):
    """Start `pserve development.ini`, which fails, and return what it said."""

    def failed_start(**environment):
        server = spawn("pserve", ini(), "http_port=0", **environment)
        assert server.wait() == 1
        assert "Traceback" not in server.said()
        return server.said()

    return failed_start


def test_a_mongod_that_cannot_run_stops_the_start_with_its_reason(failed_start, path_with_mongod):
    said = failed_start(PATH=path_with_mongod("echo 'no such library' >&2; exit 127"))

    assert "No embedded MongoDB: mongod stopped: no such library (more in " in said


def test_without_any_mongod_the_server_says_so(failed_start, tmp_path):
    hidden = tmp_path / "hidden" / "fiftyone"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").touch()

    said = failed_start(PATH="/nowhere", PYTHONPATH=str(hidden.parent))

    assert "there is no mongod on the PATH, and the extra 'embedded' is not installed" in said


def test_the_first_error_of_mongod_is_the_reason(failed_start, tmp_path):
    data = tmp_path / "mongo" / "data"
    data.mkdir(parents=True)
    (data / "storage.bson").write_text("not what mongod wrote")

    assert "mongod stopped: Unable to read the storage engine metadata file" in failed_start()


@pytest.mark.parametrize("name", ["users.lock", "supervisor.lock"])
def test_a_folder_that_cannot_be_used_is_the_reason(failed_start, tmp_path, name):
    (tmp_path / "mongo" / name).mkdir(parents=True)

    assert "cannot be used: Is a directory" in failed_start()


@pytest.mark.slow
def test_a_load_without_a_mongod_says_why(spawn, ini, tmp_path):
    (tmp_path / "mongo").write_text("not a folder")

    load = spawn("campus-load", "buildings", SAMPLES / "buildings.geojson", "--config", ini())

    assert load.wait() == 4
    assert "the database is not available:" in load.said()
