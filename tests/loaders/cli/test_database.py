"""The settings of campus-load: an ini file, the environment, or both."""

import json

import pytest

from tests.factories import feature, foodpro_row
from tests.loaders.ini import ini_text

INVALID_URI = "this is not a connection string that MongoDB's driver takes, or names a file or host that it cannot use"


@pytest.fixture
def here(run, tmp_path, monkeypatch):
    """Run campus-load in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run(*arguments, config=None)


def test_without_an_ini_file_the_uri_in_the_environment_is_required(here, save_features, save_rows):
    save_features(feature(1))
    save_rows(foodpro_row())
    reading = [["buildings", "buildings.geojson"], ["dining", "foodpro.json"], ["check", "foodpro.json"]]
    others = [["history"], ["undo", "dining"], ["diff", "dining", "1"], ["dump", "dining"], ["samples"]]
    for arguments in reading + others:
        result = here(*arguments)

        message = "There is no development.ini here: name the ini file with --config, or set CAMPUS_MONGO_URI"
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"campus-load: {message}\n"), arguments


def test_the_environment_is_enough(here, save_rows, mongod_uri, monkeypatch):
    monkeypatch.setenv("CAMPUS_MONGO_URI", mongod_uri)
    monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", "2001-01-01T12:00:00-05:00")
    path = save_rows(foodpro_row(Serve_Date="12/20/2000"))

    for arguments, status in [(["dining", path, "--max-stale", 3], 3), (["history"], 0), (["samples"], 0)]:
        assert here(*arguments).exit_code == status, arguments


def test_development_ini_is_the_default_and_the_environment_overrides_it(here, save, mongod_uri, monkeypatch):
    save(ini_text(mongod_uri), "development.ini")
    assert here("history").stdout == "no loads yet\n"

    save(ini_text("localhost"), "development.ini")
    assert here("history").exit_code == 2

    monkeypatch.setenv("CAMPUS_MONGO_URI", mongod_uri)
    assert here("history").stdout == "no loads yet\n"
    result = here("history", "--config", "nowhere.ini")
    assert (result.exit_code, "nowhere.ini is not a valid ini file" in result.stderr) == (2, True)


def test_an_invalid_ini_file_is_an_error_without_passwords(run, save, save_rows):
    path = save_rows(foodpro_row())
    for text in (
        "",
        "[server:main]\nuse = egg:waitress\n",
        "[app:main]\nmongo.uri = mongomock://\n",
        "[app:main]\nuse = egg:no-such-package\n",
        "mongo.uri = mongomock://\n",
        "[app:main]\nuse = egg:campus-api\nmongo.uri = mongodb://reader:hunter%402@db.example.edu\n",
        b"[app:main]\nmongo.uri = caf\xe9\n",
    ):
        ini = save(text, "invalid.ini")

        result = run("dining", path, config=ini)

        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), text
        assert result.stderr.startswith(f"campus-load: {ini} is not a valid ini file: "), text
        assert "hunter" not in result.stderr + str(result.exception), text


def test_an_invalid_setting_is_an_error(run, save, save_rows):
    for uri, message in [
        ("mongodb://db.example.edu:99999/campus", f"mongo.uri: {INVALID_URI}."),
        ("mongomock://", "mongo.uri is a database in memory: everything loaded would be lost at once."),
    ]:
        ini = save(ini_text(uri), "invalid.ini")

        result = run("dining", save_rows(foodpro_row()), "--json", config=ini)

        report = json.loads(result.stdout)
        assert (result.exit_code, result.stderr) == (2, f"campus-load: {message}\n"), uri
        assert (report["state"], [each["reason"] for each in report["problems"]]) == ("invalid", [message]), uri
