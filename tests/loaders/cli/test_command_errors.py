import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from loaders import profiles
from loaders.cli.main import main
from tests.factories import feature, foodpro_row, huds_line

INVALID_URI = "is not a connection string that MongoDB's driver takes, or names a file or host that is not there"
INI = "[app:main]\nuse = egg:campus-api\nmongo.uri = {}\n"


@pytest.fixture
def load(save):
    """Run campus-load in this process, by default with a database in memory."""
    memory = save(INI.format("mongomock://"), "memory.ini")

    def load(*arguments, config=memory):
        return CliRunner().invoke(main, [*map(str, arguments), "--config", str(config)])

    return load


def assert_rejected(result, *message):
    assert (result.exit_code, result.stdout, result.stderr.splitlines()) == (2, "", list(message))


def test_max_errors_is_not_suggested_without_valid_records(load, save_rows):
    result = load("dining", save_rows(foodpro_row(Meal_Number="9")))

    message = "campus-load: 1 invalid record, nothing was published (there are no valid records)."
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, message)


def test_an_export_without_valid_records_publishes_nothing(load, save_features):
    result = load("buildings", save_features(feature("x")), "--max-errors", 5)

    message = "campus-load: 1 invalid record, nothing was published (there are no valid records)."
    assert (result.exit_code, result.stdout, message in result.stderr.splitlines()) == (2, "", True)


@pytest.mark.parametrize("others", [0, 1])
def test_a_map_export_without_records_publishes_nothing(load, save_features, others):
    paths = [save_features(feature(number), name=f"{number}.geojson") for number in range(others)]
    empty = save_features(name="empty.geojson")

    result = load("buildings", *paths, empty, "--max-errors", 5)

    assert_rejected(result, f"campus-load: {empty}: has no records")


@pytest.mark.parametrize(
    ("format_", "rows", "empty"),
    [
        ("foodpro", json.dumps([foodpro_row()]), "[]"),
        ("foodpro", json.dumps([foodpro_row()]), ",".join(foodpro_row()) + "\n"),
        ("huds", huds_line(), ""),
    ],
    ids=["JSON", "header", "empty"],
)
@pytest.mark.parametrize("others", [0, 1])
def test_an_export_of_menus_without_records_publishes_nothing(load, save, format_, rows, empty, others):
    paths = [save(rows, "hall.txt")][:others]
    path = save(empty, "empty.txt")

    result = load("dining", path, *paths, "--max-errors", 5, "--profile", format_)

    assert_rejected(result, f"campus-load: {path}: has no records")


def test_no_id_fields_are_suggested_for_valid_ids(load, save_features):
    result = load("buildings", save_features(feature(1, geometry={"type": "Point"}, ref=7)))

    assert result.exit_code == 2
    assert "--id-field" not in result.stderr


def test_fields_with_integers_are_suggested_for_invalid_ids(load, save_features):
    result = load("buildings", save_features(feature("x", ref=7, level=1), feature("y", ref=8)))

    message = (
        "campus-load: fields with integers, for --id-field: ref (in 2), level (in 1); campus-load profile proposes a"
        " text to which the database assigns integers, such as a name."
    )
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, message)


def test_no_id_fields_are_suggested_without_integers(load, save_features):
    result = load("buildings", save_features(feature("x", name="Widener")))

    assert "--id-field" not in result.stderr


def test_a_missing_file_is_an_error(load):
    result = load("dining", "nowhere.csv")

    assert_rejected(result, "campus-load: nowhere.csv: cannot be read: No such file or directory")


def test_a_file_in_another_format_is_an_error(load, save):
    path = save("{}")

    result = load("buildings", path, "--profile", "geojson")

    message = f"campus-load: {path}: is not a GeoJSON FeatureCollection with a list of features"
    assert_rejected(result, message)


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_a_missing_profile_is_an_error(load, save, dataset):
    result = load(dataset, save("{}"), "--profile", "harvrad")

    known = ", ".join(sorted(path.stem for path in Path(profiles.__file__).parent.glob("*.toml")))
    assert_rejected(result, f"campus-load: profile harvrad: does not exist; use a .toml file or one of {known}")


def test_an_invalid_profile_is_an_error(load, save):
    profile = save('format = "geojson"\n[defaults]\ncity = 7\n', "profile.toml")

    result = load("buildings", save("{}"), "--profile", profile)

    assert_rejected(result, f"campus-load: profile {profile}: defaults.city is not text")


def test_a_missing_ini_file_is_an_error(load, save_rows, tmp_path):
    missing = tmp_path / "missing.ini"

    result = load("dining", save_rows(foodpro_row()), config=missing)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"campus-load: {missing} is not a valid ini file: ")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[server:main]\nuse = egg:waitress\n",
        "[app:main]\nmongo.uri = mongomock://\n",
        "[app:main]\nuse = egg:no-such-package\n",
        "mongo.uri = mongomock://\n",
        INI.format("mongodb://reader:hunter%402@db.example.edu/campus"),
    ],
    ids=["empty", "no application", "no loader", "an unknown package", "no section", "a single percent sign"],
)
def test_an_invalid_ini_file_is_an_error(load, save, save_rows, text):
    ini = save(text, "invalid.ini")

    result = load("dining", save_rows(foodpro_row()), config=ini)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"campus-load: {ini} is not a valid ini file: ")


def test_the_password_in_an_invalid_ini_file_is_not_shown(load, save, save_rows):
    ini = save(INI.format("mongodb://reader:hunter%402@db.example.edu/campus"), "invalid.ini")

    result = load("dining", save_rows(foodpro_row()), config=ini)

    assert "hunter" not in result.stderr + str(result.exception)


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("localhost", "mongo.uri must be mongodb://..., mongodb+srv://..., embedded:<folder> or mongomock://."),
        ("mongodb://db.example.edu:99999/campus", f"mongo.uri {INVALID_URI}."),
        (
            "mongodb://db.example.edu/?tls=true&tlsCAFile=/nowhere",
            "mongo.uri: tlsCAFile /nowhere cannot be read: No such file or directory.",
        ),
        ("mongomock://", "mongo.uri is a database in memory: everything loaded would be lost at once."),
    ],
)
def test_an_invalid_setting_is_an_error(load, save, save_rows, uri, message):
    ini = save(INI.format(uri), "invalid.ini")

    assert_rejected(load("dining", save_rows(foodpro_row()), config=ini), f"campus-load: {message}")


@pytest.mark.parametrize(
    "arguments", [["buildings"], ["dining"], ["menus", "x.csv"], ["dining", "x", "--max-errors=-1"]]
)
def test_invalid_arguments_print_the_usage(load, arguments):
    result = load(*arguments)

    assert (result.exit_code, result.stderr.startswith("Usage: ")) == (2, True)
