import pytest

from loaders import profiles
from loaders.readers import buildings, dining
from loaders.readers.near_duplicates import NearDuplicateNames
from tests.factories import feature, foodpro_row, huds_line


def warnings(reading):
    return [(problem.location.line, problem.message, times) for problem, times in reading.warnings.values()]


@pytest.fixture
def lookalikes():
    """The names of one hall, seen already."""
    seen = NearDuplicateNames()
    seen.check("location", 30, "Annenberg Hall")
    return seen


@pytest.mark.parametrize("name", ["ANNENBERG HALL", "annenberg hall", "AnnenbergHall", "Annen berg Hall"])
def test_a_name_that_differs_by_case_or_spaces_under_another_id_is_odd(lookalikes, name):
    odd = lookalikes.check("location", 31, name)

    reason = "(id 31) differs from 'Annenberg Hall' (id 30) only in letter case or spaces"
    assert (odd.field, odd.value, odd.reason) == ("location", name, reason)


def test_a_name_that_looks_alike_is_odd_once(lookalikes):
    lookalikes.check("location", 31, "ANNENBERG HALL")

    assert lookalikes.check("location", 31, "ANNENBERG HALL") is None


def test_the_same_name_under_another_id_is_not_odd(lookalikes):
    assert lookalikes.check("location", 31, "Annenberg Hall") is None


def test_another_spelling_under_the_same_id_is_not_odd(lookalikes):
    assert lookalikes.check("location", 30, "ANNENBERG HALL") is None


def test_a_name_of_another_kind_is_not_odd(lookalikes):
    assert lookalikes.check("category", 31, "ANNENBERG HALL") is None


@pytest.mark.parametrize("name", ["Annenberg", "Annenberg Hall 2", "Annenberg-Hall", ""])
def test_a_name_with_other_letters_is_not_odd(lookalikes, name):
    assert lookalikes.check("location", 31, name) is None


def test_letters_that_differ_only_in_how_they_are_folded_look_alike():
    seen = NearDuplicateNames()
    seen.check("recipe", 1, "Straße")

    assert seen.check("recipe", 2, "STRASSE") is not None


def test_halls_that_look_alike_are_a_warning_at_their_first_row(save_csv):
    rows = [
        foodpro_row(Location_Number=number, Location_Name=name) for number, name in [("1", "Cabot"), ("2", "CABOT")]
    ]

    reading = dining.read([save_csv(*rows, *rows)], profiles.load_dining_profile("foodpro"))

    said = "location 'CABOT' (id 2) differs from 'Cabot' (id 1) only in letter case or spaces"
    assert (warnings(reading), reading.errors) == ([(3, said, 1)], [])


@pytest.mark.parametrize(
    ("kind", "field"),
    [("Location", "location"), ("Menu_Category", "category"), ("Recipe", "recipe")],
)
def test_all_kinds_of_names_in_menus_are_compared(save_rows, kind, field):
    rows = [
        foodpro_row(Recipe_Print_As_Name="", **{f"{kind}_Number": number, f"{kind}_Name": name})
        for number, name in [("1", "Rice Bar"), ("2", "RiceBar")]
    ]

    reading = dining.read([save_rows(*rows)], profiles.load_dining_profile("foodpro"))

    assert [text.split()[0] for _, text, _ in warnings(reading)] == [field]


def test_recipes_in_different_files_are_compared(save):
    paths = [save(huds_line(recipe=number, name=name), name) for number, name in [("1", "Rice"), ("2", "RICE")]]

    reading = dining.read(paths, profiles.load_dining_profile("huds"))

    assert [problem.file for problem, _ in reading.warnings.values()] == ["RICE"]


def test_buildings_that_look_alike_are_a_warning(save_features):
    path = save_features(feature(1, name="Cabot House"), feature(2, name="CABOT HOUSE"), feature(3, name="Lamont"))

    reading = buildings.read([path], profiles.load_building_profile("geojson"))

    said = "name 'CABOT HOUSE' (id 2) differs from 'Cabot House' (id 1) only in letter case or spaces"
    assert (warnings(reading), reading.errors) == ([(1, said, 1)], [])


def test_buildings_without_a_name_do_not_look_alike(save_features):
    reading = buildings.read(
        [save_features(feature(1), feature(2, name=" "))], profiles.load_building_profile("geojson")
    )

    assert reading.warnings == {}
