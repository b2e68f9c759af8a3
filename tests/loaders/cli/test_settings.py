"""The settings of campus-load: an ini file, the environment, or both."""

import pytest
from click.testing import CliRunner

from loaders.cli.main import main
from tests.factories import feature, foodpro_row

INI = "[app:main]\nuse = egg:campus-api\nmongo.uri = {}\n"
INVALID_INI = INI.format("localhost")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run campus-load in an empty folder, without settings in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CAMPUS_MONGO_URI", raising=False)
    return lambda *arguments: CliRunner().invoke(main, [*map(str, arguments)])


@pytest.mark.parametrize(
    "arguments",
    [
        ["buildings", "buildings.geojson"],
        ["dining", "foodpro.json"],
        ["check", "foodpro.json"],
        ["history"],
        ["undo", "dining"],
        ["diff", "dining", "1"],
        ["dump", "dining"],
        ["samples"],
    ],
)
def test_without_an_ini_file_the_uri_in_the_environment_is_required(run, save_features, save_rows, arguments):
    save_features(feature(1))
    save_rows(foodpro_row())

    result = run(*arguments)

    message = "There is no development.ini here: name the ini file with --config, or set CAMPUS_MONGO_URI"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"campus-load: {message}\n")


@pytest.mark.parametrize("command", [["dining", "foodpro.json"], ["history"], ["samples"]])
def test_the_uri_in_the_environment_is_enough(run, save_rows, mongod_uri, monkeypatch, command):
    save_rows(foodpro_row())
    monkeypatch.setenv("CAMPUS_MONGO_URI", mongod_uri)

    result = run(*command)

    assert (result.exit_code, result.stderr) == (0, "")


def test_other_settings_of_the_environment_count_without_an_ini_file(run, save_rows, mongod_uri, monkeypatch):
    monkeypatch.setenv("CAMPUS_MONGO_URI", mongod_uri)
    monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", "2001-01-01T12:00:00-05:00")
    path = save_rows(foodpro_row(Serve_Date="12/20/2000"))

    stale = run("dining", path, "--max-stale", 3).exit_code

    assert stale == 3


def test_development_ini_is_the_default(run, save, mongod_uri):
    save(INI.format(mongod_uri.replace("%", "%%")), "development.ini")

    assert run("history").stdout == "no loads yet\n"


def test_the_environment_overrides_the_default_ini_file(run, save, mongod_uri, monkeypatch):
    save(INVALID_INI, "development.ini")
    monkeypatch.setenv("CAMPUS_MONGO_URI", mongod_uri)

    assert run("history").stdout == "no loads yet\n"


def test_an_ini_file_by_name_is_required_to_exist(run, mongod_uri, monkeypatch):
    monkeypatch.setenv("CAMPUS_MONGO_URI", mongod_uri)

    result = run("history", "--config", "nowhere.ini")

    assert (result.exit_code, "nowhere.ini is not a valid ini file" in result.stderr) == (2, True)
