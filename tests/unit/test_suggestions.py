import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_api.validation.suggestions import suggest, suggest_path

PARAMETERS = ["date", "meal", "location", "category", "recipe"]


@pytest.mark.parametrize(
    "text",
    [
        "2026/11/20",
        "20261120",
        "11/20/2026",
        "11-20-2026",
        "2026-11-20T12:30:00",
        " 2026-11-20 ",
    ],
)
def test_dates_in_other_formats_are_converted(text):
    assert suggest("date", text, PARAMETERS) == [("date", "2026-11-20")]


@pytest.mark.parametrize("text", ["2026-1-5", "2026/1/5", "1/5/2026", "01-05-2026"])
def test_dates_are_padded_with_zeros(text):
    assert suggest("date", text, PARAMETERS) == [("date", "2026-01-05")]


@pytest.mark.parametrize(
    "text",
    ["today", "tomorrow", "2026-02-30", "20/11/2026", "11/20/26", "2026-11", "2026112", "112026", "1120", "0000-01-01"],
)
def test_ambiguous_dates_get_no_suggestion(text):
    assert suggest("date", text, PARAMETERS) is None


@pytest.mark.parametrize(
    ("text", "meal"), [("breakfast", "0"), ("lunch", "1"), ("dinner", "2"), ("Breakfast", "0"), ("LUNCH", "1")]
)
def test_meal_names_become_numbers(text, meal):
    assert suggest("meal", text, PARAMETERS) == [("meal", meal)]


@pytest.mark.parametrize("text", ["brunch", "lunches", "dinn", "b"])
def test_unknown_meals_get_no_suggestion(text):
    assert suggest("meal", text, PARAMETERS) is None


@pytest.mark.parametrize("parameter", ["date", "location", "category", "recipe"])
def test_only_meals_have_names(parameter):
    assert suggest(parameter, "lunch", PARAMETERS) is None


@pytest.mark.parametrize("text", ["7", " 7", "7 ", "7.", "7.0", "7.000", "007"])
@pytest.mark.parametrize("parameter", ["meal", "location", "category", "recipe"])
def test_integers_are_normalized(parameter, text):
    assert suggest(parameter, text, PARAMETERS) == [(parameter, "7")]


@pytest.mark.parametrize("text", ["7.5", "7.0.0", "7e3", "0x7", "seven", "٧", "--7", "#7", "7th", "7" * 19])
def test_ambiguous_numbers_get_no_suggestion(text):
    assert suggest("recipe", text, PARAMETERS) is None


@pytest.mark.parametrize("text", ["1,2", "1;2", "1|2", "1 2", "1, 2", ",1,,2,", "1\t2"])
def test_a_list_in_one_value_is_split(text):
    assert suggest("location", text, PARAMETERS) == [("location", "1"), ("location", "2")]


def test_each_part_of_a_list_is_corrected():
    pairs = suggest("meal", "Breakfast,2.0", PARAMETERS)

    assert pairs == [("meal", "0"), ("meal", "2")]


def test_a_list_with_an_unknown_part_gets_no_suggestion():
    assert suggest("meal", "1,soup,2", PARAMETERS) is None


@pytest.mark.parametrize("text", ["", " ", ",", ";;"])
def test_empty_values_are_removed(text):
    assert suggest("meal", text, PARAMETERS) == []


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("meals", "meal"),
        ("Meal", "meal"),
        ("MEAL", "meal"),
        ("locations", "location"),
        ("loction", "location"),
        ("categories", "category"),
        ("Recipes", "recipe"),
    ],
)
def test_misspelled_names_are_corrected(name, parameter):
    assert suggest(name, "7", PARAMETERS) == [(parameter, "7")]


def test_a_name_and_its_value_are_corrected_together():
    pairs = suggest("Dates", "20261120,11/21/2026", PARAMETERS)

    assert pairs == [("date", "2026-11-20"), ("date", "2026-11-21")]


@pytest.mark.parametrize("name", ["", "q", "id", "page", "name", "format", "callback", "mealtime", "d\udcff"])
def test_unknown_names_get_no_suggestion(name):
    assert suggest(name, "7", PARAMETERS) is None


@given(st.sampled_from([*PARAMETERS, "meals", "Dates"]) | st.text(), st.text("0123456789-/.,T: ") | st.text())
def test_suggestions_use_only_valid_parameters(name, value):
    pairs = suggest(name, value, PARAMETERS)

    assert {name for name, _ in pairs or []} <= set(PARAMETERS)


ROUTES = ["/", "/map/buildings", "/map/buildings/{id}", "/dining/menus", "/dining/recipes/{id}/facts", "/docs"]


@pytest.mark.parametrize(
    ("path", "suggested"),
    [
        ("/map/building", "/map/buildings"),
        ("/MAP/Buildings", "/map/buildings"),
        ("/menus", "/dining/menus"),
        ("/api/v1/menu", "/dining/menus"),
        ("/buildings/0012", "/map/buildings/0012"),
        ("/map/buildings/12", "/map/buildings"),
        ("/dining/recipe/7/facts", "/dining/recipes/7/facts"),
        ("/dining/recipes/7/facts", "/dining/recipes"),
    ],
)
def test_a_similar_path_is_suggested(path, suggested):
    assert suggest_path(path, ROUTES) == suggested


@pytest.mark.parametrize("path", ["", "/nowhere", "/map", "/dining/menus/1", "/1/2", "/facts", "/%FF"])
def test_a_path_without_a_similar_one_gets_no_suggestion(path):
    assert suggest_path(path, ROUTES[1:]) is None
