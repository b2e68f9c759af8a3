import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from loaders.cli.main import main
from loaders.map_formats import BUILDING_FORMATS
from loaders.menu_formats import DINING_FORMATS
from tests.factories import TODAY, feature, foodpro_row
from tests.loaders.live import live_buildings, live_collection

CAMPUS_LOAD = Path(sys.executable).with_name("campus-load")


@pytest.fixture
def ini(save):
    """Write an ini file for a database and return its path."""

    def ini(uri, name="campus.ini"):
        return save(f"[app:main]\nuse = egg:campus-api\nmongo.uri = {uri.replace('%', '%%')}\n", name)

    return ini


@pytest.fixture
def load(ini, mongod_uri):
    """Run campus-load on the real MongoDB, in this process."""

    def load(*arguments):
        return CliRunner().invoke(main, [*map(str, arguments), "--config", str(ini(mongod_uri))])

    return load


@pytest.fixture
def run():
    """Run campus-load as a subprocess."""

    def run(*arguments):
        environ = {name: value for name, value in os.environ.items() if not name.startswith("CAMPUS_")}
        command = [str(CAMPUS_LOAD), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environ, check=False)

    return run


def test_a_process_publishes_buildings_and_prints_counts(run, ini, mongod_uri, mongod_database, save_features):
    path = save_features(feature(1, name="Widener", address="Harvard Yard", city="Cambridge"))

    result = run("buildings", path, "--config", ini(mongod_uri))

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "buildings: published as revision 1",
        "collection  added  changed  removed  unchanged",
        "buildings       1        0        0          0",
        "  1 without image",
    ]
    assert [document["name"] for document in live_buildings(mongod_database)] == ["Widener"]


def test_a_process_with_invalid_records_exits_with_2_and_publishes_nothing(
    run, ini, mongod_uri, mongod_database, save_rows
):
    path = save_rows(foodpro_row(), foodpro_row(Meal_Number="9"), name="menu.json")

    result = run("dining", path, "--config", ini(mongod_uri))

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        "menu.json, line 1 (record 2): Meal_Number 9 is not one of 1 (breakfast), 2 (lunch), 3 (dinner)",
        "campus-load: 1 invalid record, nothing was published (--max-errors 1 publishes the rest).",
    ]
    assert mongod_database.list_collection_names() == ["loads"]


def test_a_closed_standard_output_does_not_change_the_exit_status(ini, mongod_uri, save_rows):
    reader, writer = os.pipe()
    os.close(reader)
    command = [CAMPUS_LOAD, "dining", save_rows(foodpro_row()), "--config", ini(mongod_uri)]

    result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)

    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [("undo", "dining"), ("diff", "dining", 7)], ids=lambda arguments: arguments[0])
def test_a_command_that_fails_prints_its_reason_as_json_too(load, arguments):
    result = load(*arguments, "--json")

    report = json.loads(result.stdout)
    assert (result.exit_code, report["state"]) == (2, "invalid")
    assert result.stderr == f"campus-load: {report['problems'][0]['reason']}\n"


def test_the_list_of_commands_fits_in_80_columns():
    result = CliRunner().invoke(main, ["--help"], terminal_width=80)

    assert (result.exit_code, "..." in result.stdout.partition("Commands:")[2]) == (0, False)


@pytest.mark.parametrize(("option", "text"), [("-h", "Usage: "), ("--version", "campus-load, version ")])
def test_help_and_version(option, text):
    result = CliRunner().invoke(main, [option], prog_name="campus-load")

    assert (result.exit_code, result.output.startswith(text)) == (0, True)


@pytest.mark.parametrize(("command", "formats"), [("buildings", BUILDING_FORMATS), ("dining", DINING_FORMATS)])
def test_help_names_the_files_of_every_format(command, formats):
    result = CliRunner().invoke(main, [command, "--help"])

    words = " ".join(result.stdout.split())
    assert [each.name for each in formats.values() if each.files not in words] == []


def test_menus_are_published(load, mongod_database, save_rows):
    result = load("dining", save_rows(foodpro_row(), foodpro_row(Recipe_Number="2")))

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "dining: published as revision 1",
        "collection  added  changed  removed  unchanged",
        "categories      1        0        0          0",
        "locations       1        0        0          0",
        "recipes         2        0        0          0",
        "days            1        0        0          0",
        "  not read: ID (2)",
    ]
    assert [day["_id"] for day in live_collection(mongod_database, "menus").find()] == [TODAY]


def test_a_repeated_export_is_unchanged_and_recorded(load, mongod_database, save_features):
    path = save_features(feature(1))
    load("buildings", path)
    before = mongod_database.datasets.find_one()

    result = load("buildings", path)

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "buildings: unchanged, revision 1 stays")
    assert mongod_database.datasets.find_one() == before
    assert [entry["state"] for entry in mongod_database.loads.find()] == ["published", "unchanged"]


def test_a_dry_run_writes_nothing(load, mongod_database, save_features):
    result = load("buildings", save_features(feature(1)), "--dry-run")

    message = "buildings: dry run, nothing was written; this would be revision 1"
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, message)
    assert mongod_database.list_collection_names() == []


def test_a_dry_run_of_the_live_data_is_unchanged(load, save_features):
    path = save_features(feature(1))
    load("buildings", path)

    result = load("buildings", path, "--dry-run")

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "buildings: unchanged, revision 1 stays")


def test_several_files_are_one_load_with_their_names(load, mongod_database, save_features):
    north, south = save_features(feature(1), name="north.geojson"), save_features(feature(2), name="south.geojson")

    load("buildings", north, south)

    [record] = mongod_database.loads.find()
    assert [source["file"] for source in record["sources"]] == ["north.geojson", "south.geojson"]


def test_duplicates_and_missing_fields_are_counted(load, save_features):
    result = load("buildings", save_features(feature(1, name="Widener"), feature(1, name="Widener"), feature(2)))

    assert result.stdout.splitlines()[3:] == [
        "  1 duplicate left out",
        "  2 without address",
        "  2 without city",
        "  2 without image",
        "  1 without name",
    ]


def test_max_errors_publishes_the_valid_records_and_records_the_number_of_errors(load, mongod_database, save_features):
    result = load("buildings", save_features(feature("x"), feature("y"), feature(3)), "--max-errors", 2)

    assert (result.exit_code, len(result.stderr.splitlines())) == (0, 2)
    assert "  2 invalid records left out" in result.stdout.splitlines()
    assert [document["_id"] for document in live_buildings(mongod_database)] == [3]
    assert mongod_database.loads.find_one()["errors"] == 2


@pytest.mark.parametrize("allowed", [0, 1])
def test_more_errors_than_allowed_publish_nothing(load, mongod_database, save_features, allowed):
    result = load("buildings", save_features(feature("x"), feature("y"), feature(3)), "--max-errors", allowed)

    message = "campus-load: 2 invalid records, nothing was published (--max-errors 2 publishes the rest)."
    assert (result.exit_code, message in result.stderr.splitlines()) == (2, True)
    assert mongod_database.list_collection_names() == ["loads"]


def test_the_id_may_be_in_another_field(load, mongod_database, save_features):
    load("buildings", save_features(feature("way/7", ref=7)), "--id-field", "ref")

    assert [document["_id"] for document in live_buildings(mongod_database)] == [7]


def test_city_and_image_base_apply_to_buildings_without_them(load, mongod_database, save_features):
    path = save_features(feature(1, image="a b.jpg"), feature(2, city="Boston", image="https://example.org/x.jpg"))

    load("buildings", path, "--city", "Cambridge", "--image-base", "https://example.edu/photos/")

    assert [(document["city"], document["image"]) for document in live_buildings(mongod_database)] == [
        ("Cambridge", "https://example.edu/photos/a%20b.jpg"),
        ("Boston", "https://example.org/x.jpg"),
    ]


def test_omitted_options_do_not_override_the_defaults_of_the_profile(load, mongod_database, save_features):
    load("buildings", save_features(feature(1)), "--profile", "cambridge")

    assert [document["city"] for document in live_buildings(mongod_database)] == ["Cambridge"]
