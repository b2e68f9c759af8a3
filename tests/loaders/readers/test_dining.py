from itertools import permutations

import pytest

from loaders import profiles
from loaders.documents.encode import MenuDocuments
from loaders.documents.entities import EntityDocuments
from loaders.errors import UnreadableFileError
from loaders.readers import dining
from tests.factories import TODAY, foodpro_row, serving


def names_in(*named):
    """Return the names of recipes for servings with these dates, ids and names."""
    names = MenuDocuments(serving(id_, name, date=date) for date, id_, name in named).names("recipe")
    documents = EntityDocuments(names, {})
    return [(id_, document["name"]) for id_, document in documents.items()]


def test_the_name_of_the_last_date_wins_whatever_the_order():
    named = [("2024-05-01", 1, "Soup"), ("2026-01-31", 1, "Stew"), ("2025-12-31", 1, "Broth")]

    assert [names_in(*order) for order in permutations(named)] == [[(1, "Stew")]] * 6


def test_of_several_names_on_the_last_date_the_last_one_wins():
    named = [("2026-01-01", 1, "Soup"), ("2026-01-01", 1, "Stew"), ("2025-01-01", 1, "Broth")]

    assert names_in(*named) == [(1, "Stew")]


def test_each_id_has_one_name_in_the_order_of_ids():
    named = [(TODAY, id_, name) for id_, name in [(10, "Rice"), (9, "Soup"), (10, "Rice"), (1, "Soup")]]

    assert names_in(*named) == [(1, "Soup"), (9, "Soup"), (10, "Rice")]


def test_no_rows_have_no_names():
    assert names_in() == []


@pytest.mark.parametrize("name", ["foodpro.json", "foodpro.csv"])
def test_progress_is_reported_for_every_row(save_rows, save_csv, name):
    seen = []

    def track(records):
        for record in records:
            seen.append(record)
            yield record

    save = save_rows if name.endswith("json") else save_csv
    dining.read([save(foodpro_row(), foodpro_row(Meal_Number="9"))], profiles.load_dining_profile("foodpro"), track)

    assert len(seen) == 2


def test_files_of_both_kinds_may_be_read_together(save_rows, save_csv):
    paths = [save_rows(foodpro_row(Recipe_Number="1")), save_csv(foodpro_row(Recipe_Number="2"))]

    result = dining.read(paths, profiles.load_dining_profile("foodpro"))

    assert [record.recipe.id for record in result.records] == [1, 2]


def test_a_name_in_a_wrong_encoding_is_a_warning(save_rows):
    path = save_rows(foodpro_row(Recipe_Print_As_Name="CrÃ¨me brÃ»lÃ©e"))

    result = dining.read([path], profiles.load_dining_profile("foodpro"))

    assert [*result.warnings] == ["recipe 'CrÃ¨me brÃ»lÃ©e' looks like 'Crème brûlée' in a wrong encoding"]


@pytest.mark.parametrize(
    ("limits", "noun"),
    [
        (dining.Limits(menu_items=2), "menu items"),
        (dining.Limits(recipes=2), "recipes"),
        (dining.Limits(characters_of_names=100), "characters of names"),
        (dining.Limits(characters_of_ingredients=100), "characters of ingredients"),
    ],
)
def test_an_export_that_is_too_large_is_an_error(save_rows, limits, noun):
    ingredients, name = "Flour" * 20, "Bread" * 20
    rows = [
        foodpro_row(Recipe_Number=number, Recipe_Print_As_Name=name, Ingredient_List=ingredients)
        for number in (1, 1, 2, 3)
    ]

    with pytest.raises(UnreadableFileError, match=f"and those before have over [0-9]+ {noun}"):
        dining.read([save_rows(*rows)], profiles.load_dining_profile("foodpro"), limits=limits)


def test_names_and_ingredients_of_a_recipe_are_counted_once(save_rows):
    days = [f"11/{day:02}/2026" for day in range(1, 29)]
    rows = [foodpro_row(Serve_Date=day, Ingredient_List="Flour" * 20) for day in days]
    limits = dining.Limits(characters_of_names=100, characters_of_ingredients=100)

    result = dining.read([save_rows(*rows)], profiles.load_dining_profile("foodpro"), limits=limits)

    assert len(result.records) == 28
