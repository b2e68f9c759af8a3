from loaders import profiles
from loaders.readers import dining
from loaders.readers.dining import guess_date_format, guess_meals
from tests.factories import foodpro_row
from tests.loaders.errors import error_of

FOODPRO = profiles.load_dining_profile("foodpro")
DAY_FIRST = "%d/%m/%Y"


def test_a_name_in_a_wrong_encoding_is_a_warning(save_rows):
    path = save_rows(foodpro_row(Recipe_Print_As_Name="CrÃ¨me brÃ»lÃ©e"))

    warning = "recipe 'CrÃ¨me brÃ»lÃ©e' looks like 'Crème brûlée' in a wrong encoding"
    assert [*dining.read([path], FOODPRO).warnings] == [warning]


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
        error = error_of(dining.read, [path], FOODPRO, limits=limits)

        assert str(error).endswith(f"and those before have over {excess}"), limits
    # Those of a recipe are counted once.
    limits = dining.Limits(characters_of_names=340, characters_of_ingredients=300)
    assert len(dining.read([path], FOODPRO, limits=limits).records) == 4


def test_days_come_first_if_the_dates_are_close_together_only_so():
    texts = ["20/11/2026", "13/11/2026 30/11/2026", "09/11/2026 10/11/2026 11/11/2026 12/11/2026 13/11/2026"]
    for dates in (*map(str.split, texts), ["01/11/2026 00:00", " 02/11/2026", "13/11/2026"], ["20/11/2026", "None"]):
        assert guess_date_format(dates) == DAY_FIRST, dates
    texts = ["", "11/20/2026", "11/01/2026 11/02/2026", "11/20/2026 20/11/2026", "20/20/2026"]
    months = [*(f"11/{day:02}/2026" for day in range(1, 13)), "13/11/2026"]
    for dates in (*map(str.split, texts), months):
        assert guess_date_format(dates) == "", dates


def test_meals_are_numbered_as_they_are_named_if_all_names_agree():
    named = [("0", "Breakfast"), ("1", "LUNCH ENTREES"), ("2", "Dinnner"), ("2", "Supper")]

    assert guess_meals(named) == {"0": 0, "1": 1, "2": 2}
    one, others = [("0", "Breakfast")], [[("1", "Late Night")], [("1", "Lunch/Dinner")], [("0", "Lunch")]]
    usual = [("1", "Breakfast"), ("2", "Lunch"), ("3", "Dinner"), ("9", "Dinner")]
    mixed = [("1", "Dinner"), ("9", "Breakfast")]
    for named in ([], [("4", "Breakfast")], mixed, *([*one, *other] for other in others), usual):
        assert guess_meals(named) == {}, named
