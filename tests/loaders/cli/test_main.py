"""Help, versions, options and the exit statuses of errors."""

import json

from loaders.map_formats import BUILDING_FORMATS
from loaders.menu_formats import DINING_FORMATS
from tests.factories import feature, foodpro_row


def test_help_names_the_files_of_every_format(run):
    for command, formats in [("buildings", BUILDING_FORMATS), ("dining", DINING_FORMATS)]:
        words = " ".join(run(command, "--help", config=None).stdout.split())
        assert [each.name for each in formats.values() if each.files not in words] == [], command


def test_invalid_arguments_print_the_usage(run):
    for arguments, message in [
        (["buildings"], "use either FILES, with or without --profile, or --source"),
        (["buildings", "a.json", "--source", "p=b.json"], "use either FILES, with or without --profile, or --source"),
        (["buildings", "--profile", "p", "--source", "p=b.json"], "use either FILES, with or without --profile"),
        (["dining", "x", "--max-errors=-1"], "Invalid value for '--max-errors'"),
        (["dining", "x", "--problems", "missing/problems.txt"], "Invalid value for '--problems'"),
        *(
            (["buildings", "--source", value], f"'--source': '{value}' is not of the form PROFILE=FILE")
            for value in ("north.toml", "=export.geojson", "north.toml=")
        ),
        *(
            ([command, "x", "--profile", "p", "--profile", "q"], "there are 2, but a load has one profile")
            for command in ("buildings", "dining", "check")
        ),
    ]:
        result = run(*arguments)

        assert (result.exit_code, result.stderr.startswith("Usage: ")) == (2, True), arguments
        assert message in result.stderr, arguments


def test_an_option_or_a_command_for_the_other_data_set_is_an_error(run, save_rows, save_features):
    menus, buildings = save_rows(foodpro_row()), save_features(feature(1))
    wrong_command = "campus-load: {}: is in the format {}: load it with campus-load {}"
    for arguments, message in [
        (["check", menus, "--city", "x"], "Error: --city is an option for buildings, and this export has menus"),
        (["buildings", menus], wrong_command.format(menus, "foodpro", "dining")),
        (["dining", buildings], wrong_command.format(buildings, "geojson", "buildings")),
    ]:
        result = run(*arguments)

        assert (result.exit_code, result.stdout, result.stderr.splitlines()[-1]) == (2, "", message), arguments


def test_an_error_of_an_export_or_a_profile_exits_with_2_and_is_one_line(run, save):
    broken = save('{"type": "FeatureCollection",\n"features": [}', "broken.geojson")
    latin = save(b'{"type": "FeatureCollection",\n"features": ["\x81"]}', "latin.geojson")
    profile = save('format = "geojson"\n[defaults]\ncity = 7\n', "profile.toml")
    for arguments, message, file, line in [
        (["nowhere.csv"], "nowhere.csv: cannot be read: No such file or directory", "nowhere.csv", None),
        ([broken], f"{broken}: line 2 is not JSON: ", "broken.geojson", 2),
        ([latin], f"{latin}: line 2 is not UTF-8 (byte 0x81): export it as UTF-8", "latin.geojson", 2),
        ([broken, "--profile", "harvrad"], "profile harvrad: does not exist; use a .toml file or one of ", None, None),
        ([broken, "--profile", profile], f"profile {profile}: defaults.city is not text", None, None),
    ]:
        for command in ("buildings", "check"):
            result, as_json = run(command, *arguments), run(command, *arguments, "--json")

            assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), (command, arguments)
            assert result.stderr.startswith(f"campus-load: {message}"), (command, arguments)
            report = json.loads(as_json.stdout)
            [problem] = report["problems"]
            outcome = report["state"], report["collections"], as_json.stderr
            assert outcome == ("invalid", {}, result.stderr), (command, arguments)
            assert problem.pop("reason") in result.stderr, (command, arguments)
            assert problem == {"file": file, "line": line, "guard": None, "times": 1}, (command, arguments)


def test_an_option_that_is_not_utf_8_exits_with_2(run, save_features):
    for option in ("--profile", "--config"):
        result = run("buildings", save_features(feature(1)), "--json", option, "\udcff.toml", config=None)

        assert (result.exit_code, type(result.exception)) == (2, SystemExit), option


def test_a_command_that_fails_prints_its_reason_as_json_too(campus_load):
    for arguments in (["undo", "dining"], ["diff", "dining", 7]):
        result = campus_load(*arguments, "--json")

        report = json.loads(result.stdout)
        assert (result.exit_code, report["state"]) == (2, "invalid"), arguments
        assert result.stderr == f"campus-load: {report['problems'][0]['reason']}\n", arguments
