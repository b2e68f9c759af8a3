"""Files, profiles and servers that say odd things: a clear error or a warning, never a traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.factories import feature

CAMPUS_LOAD = Path(sys.executable).with_name("campus-load")
PRODUCTION = Path(__file__).parents[2] / "production.ini"


def is_connected(client):
    """Tell whether campus-load has a connection, with which it begins after it has prepared for signals."""
    operations = client.admin.command("currentOp", 1, **{"$all": True})["inprog"]
    return any(operation.get("appName") == "campus-api" for operation in operations)


@contextmanager
def writes_blocked(client):
    """Let all writes wait until the end of the block."""
    client.admin.command("fsync", lock=True)
    try:
        yield
    finally:
        client.admin.command("fsyncUnlock")


def esri(**members):
    geometry = {"x": -71.1, "y": 42.3, "spatialReference": {"wkid": 4326}}
    return json.dumps({**members, "features": [{"attributes": {"id": 1}, "geometry": geometry}]})


def test_an_answer_that_a_server_has_cut_off_is_a_warning(campus_load, save):
    ended = campus_load("buildings", save(esri(exceededTransferLimit=True), "page.json"))

    said = "warning: page.json, line 1: exceededTransferLimit is set: the server has more features; load all pages"
    assert (ended.exit_code, ended.stderr.splitlines()) == (0, [said])


def test_a_swapped_longitude_beyond_90_is_named(campus_load, save_features):
    swapped = {"type": "Point", "coordinates": [34.4, -119.8]}

    ended = campus_load("buildings", save_features(feature(1, swapped)))

    assert ended.exit_code == 2
    assert "has longitude and latitude swapped" in ended.stderr


@pytest.mark.parametrize("name", ["IAU_2015:30100", "+proj=longlat +R=1737400", "\ud800"])
def test_a_reference_that_is_not_of_this_earth_is_refused(campus_load, save, name):
    crs = {"type": "name", "properties": {"name": name}}
    export = {"type": "FeatureCollection", "crs": crs, "features": [feature(1)]}

    ended = campus_load("buildings", save(json.dumps(export)))

    assert (ended.exit_code, "is not a known coordinate reference system" in ended.stderr) == (2, True)


@pytest.mark.parametrize("text", ["a = " + "1" * 5000, "a = " + "[" * 5000])
def test_a_profile_that_cannot_be_parsed_is_named(campus_load, save, save_features, text):
    ended = campus_load("buildings", save_features(feature(1)), "--profile", save(text, "own.toml"))

    assert (ended.exit_code, "is not TOML" in ended.stderr) == (2, True)


def test_an_ini_file_that_is_no_text_is_named(save):
    ini = save(b"[app:main]\nmongo.uri = caf\xe9\n", "latin.ini")

    ended = subprocess.run([CAMPUS_LOAD, "history", "--config", ini], capture_output=True, text=True, check=False)

    assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1)


def test_a_name_that_no_document_could_hold_is_bad(campus_load, save_features):
    ended = campus_load("buildings", save_features(feature(1, name="x" * 10_001)))

    assert (ended.exit_code, "is longer than 10000 characters" in ended.stderr) == (2, True)


def test_a_closed_standard_input_is_named():
    ended = subprocess.run(f"{CAMPUS_LOAD} profile - <&-", shell=True, capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (2, "campus-load: -: standard input is closed\n")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_load_that_is_interrupted_says_so(save_features, mongod_uri, mongod_database, number):
    command = [CAMPUS_LOAD, "buildings", save_features(feature(1)), "--config", PRODUCTION]
    with writes_blocked(mongod_database.client):
        process = subprocess.Popen(
            command,
            env={**os.environ, "CAMPUS_MONGO_URI": mongod_uri},
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while not is_connected(mongod_database.client):
            time.sleep(0.05)

        process.send_signal(number)
        _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (130, "campus-load: interrupted: run the load again\n")
