"""--json: one JSON object on standard output also for exports and options that cannot be used."""

import json

import pytest
from click.testing import CliRunner

from loaders.cli.main import main
from tests.factories import feature, foodpro_row


def said(ended):
    """Return the one JSON object of standard output, of which programs know these keys."""
    value = json.loads(ended.stdout)
    assert value.keys() >= {"dataset", "state", "revision", "collections", "problems"}
    assert all(problem.keys() == {"file", "line", "reason", "guard"} for problem in value["problems"])
    return value


check_too = pytest.mark.parametrize(
    "command",
    [
        ["buildings"],
        ["check"],
    ],
)


@check_too
def test_a_file_that_is_not_there(campus_load, command):
    ended = campus_load(*command, "nowhere.geojson", "--json")

    found = said(ended)
    assert (ended.exit_code, found["state"]) == (2, "invalid")
    assert found["problems"] == [
        {"file": "nowhere.geojson", "line": None, "reason": "cannot be read: No such file or directory", "guard": None}
    ]


@check_too
def test_a_file_that_is_no_text(campus_load, save, command):
    path = save(b'{"type": "FeatureCollection",\n"features": ["\xff"]}', "latin.geojson")

    ended = campus_load(*command, path, "--json")

    reason = "is not UTF-8 (byte 0xFF): export it as UTF-8"
    assert said(ended)["problems"] == [{"file": "latin.geojson", "line": 2, "reason": reason, "guard": None}]
    assert ended.stderr == f"campus-load: {path}: line 2 {reason}\n"


@pytest.mark.parametrize("command", ["buildings", "check"])
def test_a_file_that_is_not_json(campus_load, save, command):
    path = save('{"type": "FeatureCollection",\n"features": [}', "cut.geojson")

    ended = campus_load(command, path, "--json")

    [problem] = said(ended)["problems"]
    assert (ended.exit_code, problem["file"], problem["line"]) == (2, "cut.geojson", 2)


@check_too
def test_a_profile_that_does_not_exist(campus_load, save_features, command):
    ended = campus_load(*command, save_features(feature(1)), "--json", "--profile", "harvrad")

    [problem] = said(ended)["problems"]
    assert (ended.exit_code, problem["file"], problem["line"]) == (2, None, None)
    assert problem["reason"].startswith("profile harvrad: does not exist; ")


@pytest.mark.parametrize("command", ["buildings", "check"])
def test_a_profile_with_a_mistake(campus_load, save, save_features, command):
    own = save('format = "geojson"\ncolour = 1\n', "own.toml")

    ended = campus_load(command, save_features(feature(1)), "--json", "--profile", own)

    [problem] = said(ended)["problems"]
    assert problem["reason"] == f"profile {own}: colour is not one of defaults, fields, format, limits, wkid"


def test_a_file_in_no_known_format(campus_load, save):
    ended = campus_load("check", save("{}", "what.json"), "--json")

    assert (ended.exit_code, said(ended)["state"]) == (2, "invalid")


@pytest.mark.parametrize("command", ["buildings", "check"])
@pytest.mark.parametrize("content", ["", "[app:main]\nuse = egg:campus-api\nmongo.uri = localhost\n"])
def test_an_ini_file_that_cannot_be_used(save, save_features, command, content):
    ini = save(content, "own.ini")

    ended = CliRunner().invoke(main, [command, str(save_features(feature(1))), "--json", "--config", str(ini)])

    found = said(ended)
    assert (ended.exit_code, found["state"], len(found["problems"])) == (2, "invalid", 1)
    assert ended.stderr.startswith("campus-load: ")


@pytest.mark.parametrize("option", ["--profile", "--config"])
def test_a_profile_or_an_ini_file_whose_name_is_not_utf_8(save_features, option):
    ended = CliRunner().invoke(main, ["buildings", str(save_features(feature(1))), "--json", option, "\udcff.toml"])

    assert (ended.exit_code, type(ended.exception)) == (2, SystemExit)


def test_a_date_that_stands_for_no_date_does_not_end_in_a_traceback(campus_load, save_rows):
    ended = campus_load("dining", save_rows(foodpro_row(), foodpro_row(Serve_Date="12/31/9999")), "--json")

    assert said(ended)["state"] in ("invalid", "refused")
