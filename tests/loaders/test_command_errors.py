import pytest
from click.testing import CliRunner

from campus_api.db.connection import _INVALID_URI
from loaders.cli.main import main
from tests.factories import feature, foodpro_row

INI = "[app:main]\nuse = egg:campus-api\nmongo.uri = {}\n"


@pytest.fixture
def load(save):
    """Run campus-load in this process, on a database in memory unless another ini file is given."""
    memory = save(INI.format("mongomock://"), "memory.ini")

    def load(*arguments, config=memory):
        return CliRunner().invoke(main, [*map(str, arguments), "--config", str(config)])

    return load


def assert_refused(ended, *said):
    assert (ended.exit_code, ended.stdout, ended.stderr.splitlines()) == (2, "", list(said))


def test_where_no_record_can_be_used_the_rest_is_not_offered(load, save_rows):
    ended = load("dining", save_rows(foodpro_row(Meal_Number="9")))

    said = "campus-load: 1 invalid record, nothing was published (there are no valid records)."
    assert (ended.exit_code, ended.stderr.splitlines()[-1]) == (2, said)


@pytest.mark.parametrize("name", ["empty.geojson", "only bad.geojson"])
def test_an_export_without_records_publishes_nothing(load, save_features, name):
    path = save_features(*[feature("x")][: name != "empty.geojson"], name=name)

    ended = load("buildings", path, "--max-errors", 5)

    said = {
        "empty.geojson": "campus-load: the export has no records, nothing was published.",
        "only bad.geojson": "campus-load: 1 invalid record, nothing was published (there are no valid records).",
    }[name]
    assert (ended.exit_code, ended.stdout, said in ended.stderr.splitlines()) == (2, "", True)


def test_an_export_of_menus_without_rows_publishes_nothing(load, save_rows):
    assert_refused(load("dining", save_rows()), "campus-load: the export has no records, nothing was published.")


def test_fields_are_not_proposed_where_the_ids_are_good(load, save_features):
    ended = load("buildings", save_features(feature(1, geometry={"type": "Point"}, ref=7)))

    assert ended.exit_code == 2
    assert "--id-field" not in ended.stderr


def test_fields_with_integers_are_proposed_where_ids_are_bad(load, save_features):
    ended = load("buildings", save_features(feature("x", ref=7, level=1), feature("y", ref=8)))

    said = "campus-load: fields with integers, for --id-field: ref (in 2), level (in 1)."
    assert (ended.exit_code, ended.stderr.splitlines()[-1]) == (2, said)


def test_no_field_is_proposed_where_none_has_integers(load, save_features):
    ended = load("buildings", save_features(feature("x", name="Widener")))

    assert "--id-field" not in ended.stderr


def test_a_file_that_does_not_exist_is_named(load):
    ended = load("dining", "nowhere.csv")

    assert_refused(ended, "campus-load: nowhere.csv: cannot be read: No such file or directory")


def test_a_file_in_another_format_is_named(load, save):
    path = save("{}")

    ended = load("buildings", path)

    said = f"campus-load: {path}: is not a GeoJSON FeatureCollection with a list of features"
    assert_refused(ended, said)


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_a_profile_that_does_not_exist_is_named(load, save, dataset):
    ended = load(dataset, save("{}"), "--profile", "harvrad")

    known = "cambridge, esri, foodpro, geojson, harvard, huds, openstreetmap"
    assert_refused(ended, f"campus-load: profile harvrad: does not exist; use a .toml file or one of {known}")


def test_a_mistake_in_a_profile_is_named(load, save):
    own = save('format = "geojson"\n[defaults]\ncity = 7\n', "own.toml")

    ended = load("buildings", save("{}"), "--profile", own)

    assert_refused(ended, f"campus-load: profile {own}: defaults.city is not text")


def test_an_ini_file_that_does_not_exist_is_named(load, save_rows, tmp_path):
    missing = tmp_path / "missing.ini"

    ended = load("dining", save_rows(foodpro_row()), config=missing)

    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"campus-load: {missing} is not a valid ini file: ")


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
def test_an_ini_file_that_cannot_be_used_is_named(load, save, save_rows, text):
    ini = save(text, "own.ini")

    ended = load("dining", save_rows(foodpro_row()), config=ini)

    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"campus-load: {ini} is not a valid ini file: ")


def test_a_password_in_an_ini_file_that_cannot_be_used_is_not_shown(load, save, save_rows):
    ini = save(INI.format("mongodb://reader:hunter%402@db.example.edu/campus"), "own.ini")

    ended = load("dining", save_rows(foodpro_row()), config=ini)

    assert "hunter" not in ended.stderr + str(ended.exception)


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("localhost", "mongo.uri must be mongodb://..., mongodb+srv://..., embedded:<folder> or mongomock://."),
        ("mongodb://db.example.edu:99999/campus", f"mongo.uri {_INVALID_URI}."),
        ("mongodb://db.example.edu/?tls=true&tlsCAFile=/nowhere", f"mongo.uri {_INVALID_URI}."),
        ("mongomock://", "mongo.uri is a database in memory: everything loaded would be lost at once."),
    ],
)
def test_a_wrong_setting_is_named(load, save, save_rows, uri, said):
    ini = save(INI.format(uri), "own.ini")

    assert_refused(load("dining", save_rows(foodpro_row()), config=ini), f"campus-load: {said}")


@pytest.mark.parametrize(
    "arguments", [["buildings"], ["dining"], ["menus", "x.csv"], ["dining", "x", "--max-errors=-1"]]
)
def test_a_command_that_is_not_complete_or_not_known_is_explained(load, arguments):
    ended = load(*arguments)

    assert (ended.exit_code, ended.stderr.startswith("Usage: ")) == (2, True)
