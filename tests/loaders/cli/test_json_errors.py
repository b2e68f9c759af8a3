"""`--json` prints one JSON object even for invalid exports and options."""

import json

import pytest
from click.testing import CliRunner

from loaders.cli.main import main
from tests.factories import feature, foodpro_row


def parse_report(result):
    """Parse standard output and check its documented keys."""
    value = json.loads(result.stdout)
    assert value.keys() >= {"dataset", "state", "revision", "collections", "problems"}
    assert all(problem.keys() == {"file", "line", "reason", "guard", "times"} for problem in value["problems"])
    return value


with_check = pytest.mark.parametrize(
    "command",
    [
        ["buildings"],
        ["check"],
    ],
)


@with_check
def test_a_missing_file_is_reported_as_json(campus_load, command):
    result = campus_load(*command, "nowhere.geojson", "--json")

    report = parse_report(result)
    assert (result.exit_code, report["state"]) == (2, "invalid")
    [problem] = report["problems"]
    assert (problem["file"], problem["line"]) == ("nowhere.geojson", None)
    assert problem["reason"] == "cannot be read: No such file or directory"


@with_check
def test_a_file_that_is_not_utf_8_is_reported_as_json(campus_load, save, command):
    path = save(b'{"type": "FeatureCollection",\n"features": ["\xff"]}', "latin.geojson")

    result = campus_load(*command, path, "--json")

    reason = "is not UTF-8 (byte 0xFF): export it as UTF-8"
    [problem] = parse_report(result)["problems"]
    assert problem == {"file": "latin.geojson", "line": 2, "reason": reason, "guard": None, "times": 1}
    assert result.stderr == f"campus-load: {path}: line 2 {reason}\n"


@pytest.mark.parametrize("command", ["buildings", "check"])
def test_a_file_that_is_not_json_is_reported_as_json(campus_load, save, command):
    path = save('{"type": "FeatureCollection",\n"features": [}', "cut.geojson")

    result = campus_load(command, path, "--json")

    [problem] = parse_report(result)["problems"]
    assert (result.exit_code, problem["file"], problem["line"]) == (2, "cut.geojson", 2)


@with_check
def test_a_missing_profile_is_reported_as_json(campus_load, save_features, command):
    result = campus_load(*command, save_features(feature(1)), "--json", "--profile", "harvrad")

    [problem] = parse_report(result)["problems"]
    assert (result.exit_code, problem["file"], problem["line"]) == (2, None, None)
    assert problem["reason"].startswith("profile harvrad: does not exist; ")


@pytest.mark.parametrize("command", ["buildings", "check"])
def test_an_invalid_profile_is_reported_as_json(campus_load, save, save_features, command):
    profile_path = save('format = "geojson"\ncolour = 1\n', "custom.toml")

    result = campus_load(command, save_features(feature(1)), "--json", "--profile", profile_path)

    [problem] = parse_report(result)["problems"]
    keys = "defaults, fields, filter, format, layer, limits, merge, overrides, wkid"
    assert problem["reason"] == f"profile {profile_path}: colour is not one of {keys}"


def test_an_unknown_format_is_reported_as_json(campus_load, save):
    result = campus_load("check", save("{}", "unknown.json"), "--json")

    assert (result.exit_code, parse_report(result)["state"]) == (2, "invalid")


@pytest.mark.parametrize("command", ["buildings", "check"])
@pytest.mark.parametrize("content", ["", "[app:main]\nuse = egg:campus-api\nmongo.uri = localhost\n"])
def test_an_invalid_ini_file_is_reported_as_json(save, save_features, command, content):
    ini = save(content, "invalid.ini")

    result = CliRunner().invoke(main, [command, str(save_features(feature(1))), "--json", "--config", str(ini)])

    report = parse_report(result)
    assert (result.exit_code, report["state"], len(report["problems"])) == (2, "invalid", 1)
    assert result.stderr.startswith("campus-load: ")


@pytest.mark.parametrize("option", ["--profile", "--config"])
def test_an_option_that_is_not_utf_8_exits_with_2(save_features, option):
    result = CliRunner().invoke(main, ["buildings", str(save_features(feature(1))), "--json", option, "\udcff.toml"])

    assert (result.exit_code, type(result.exception)) == (2, SystemExit)


def test_a_placeholder_date_is_reported_as_json(campus_load, save_rows):
    result = campus_load("dining", save_rows(foodpro_row(), foodpro_row(Serve_Date="12/31/9999")), "--json")

    assert parse_report(result)["state"] in ("invalid", "refused")
