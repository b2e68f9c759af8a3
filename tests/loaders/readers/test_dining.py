from loaders import profiles
from loaders.readers import dining
from tests.factories import foodpro_row
from tests.loaders.errors import error_of

FOODPRO = profiles.load_dining_profile("foodpro")


def test_a_name_in_a_wrong_encoding_is_a_warning(save_rows):
    path = save_rows(foodpro_row(Recipe_Print_As_Name="CrÃ¨me brÃ»lÃ©e"))

    warning = "recipe 'CrÃ¨me brÃ»lÃ©e' looks like 'Crème brûlée' in utf-8"
    assert [*dining.read([(FOODPRO, [path])]).warnings] == [warning]


def test_an_export_that_is_too_large_is_an_error(save_rows):
    texts = {"Recipe_Print_As_Name": "Bread" * 20, "Ingredient_List": "Flour" * 20}
    days = {20: 1, 21: 1, 22: 2, 23: 3}
    rows = [foodpro_row(Serve_Date=f"11/{day}/2026", Recipe_Number=id_, **texts) for day, id_ in days.items()]
    path = save_rows(*rows)
    for limits, excess in [
        (dining.Limits(menu_items=2), "2 menu items"),
        (dining.Limits(recipes=2), "2 recipes"),
        (dining.Limits(characters_of_names=100), "100 characters of names"),
        (dining.Limits(characters_of_ingredients=100), "100 characters of ingredients"),
    ]:
        error = error_of(dining.read, [(FOODPRO, [path])], limits=limits)

        assert str(error).endswith(f"and those before have over {excess}"), limits
    # Those of a recipe are counted once.
    limits = dining.Limits(characters_of_names=340, characters_of_ingredients=300)
    assert len(dining.read([(FOODPRO, [path])], limits=limits).records) == 4
