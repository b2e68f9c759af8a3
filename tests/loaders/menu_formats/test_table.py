import json
from itertools import permutations, product

import pytest

from campus_api.domain.models import NamedEntity
from campus_api.domain.text import normalize
from loaders import profiles
from loaders.inference import propose
from loaders.profiles.files import profile_path
from loaders.readers import dining
from tests.factories import foodpro_row
from tests.loaders.errors import error_of

COLUMNS = 'format = "menu-table"\n[columns]\ndate = "a"\ndish = "b"\n'


@pytest.fixture
def read_with(save):
    """Read tables with a profile of this text."""

    def read_with(profile, *texts):
        paths = [save(text, f"{number}.txt") for number, text in enumerate(texts)]
        return dining.read([(profiles.load_dining_profile(str(save(profile, "p.toml"))), paths)])

    return read_with


LUNCH = {"date": "2026-11-23", "hall": "Adams", "dish": "Soup"}
DINNER = LUNCH | {"meal": "Dinner"}


def test_the_columns_of_each_file_are_those_of_all_its_records_however_they_are_spelled(read_with):
    evening = {"Meal Period": "Dinner", "Serve Date": "2026-11-23", "Venue": "Adams", "Item": "Pie"}
    for files, meals, unread in [
        ([[LUNCH, LUNCH | {"station": "Grill"}, DINNER]], [1, 1, 2], {}),
        ([[LUNCH], [DINNER], [evening]], [1, 2, 2], {}),
        ([[DINNER, LUNCH | {"MEAL": "Breakfast"}, LUNCH | {"Meal ": "Lunch", "meal": None}]], [2, 0, 1], {}),
        *(([[LUNCH | {"meal_name": empty, "Meal": empty, "meal": "Dinner"}]], [2], {}) for empty in (None, "", " ")),
        ([[DINNER | {"Meal": "Lunch"}]], [2], {"Meal": 1}),
    ]:
        result = read_with('format = "menu-table"\n[defaults]\nmeal = "lunch"\n', *map(json.dumps, files))

        assert ([row.meal for row in result.records], result.errors, result.unread) == (meals, [], unread), files


def test_a_row_without_a_meal_is_lunch_only_if_no_column_and_no_category_has_meals(save, read_with):
    night, diner, blank = (LUNCH | each for each in ({"station": "Late Night"}, {"station": "Diner"}, {"meal": None}))
    for first, meals in [(LUNCH, [1, 1]), (DINNER, [2]), (blank, []), (night, [3, 1]), (diner, [1, 1])]:
        text = json.dumps([first, LUNCH | {"dish": "Pie"}])

        for profile in ('format = "menu-table"\n', propose.profile(save(text))):
            result = read_with(profile, text)

            assert [row.meal for row in result.records] == meals, (first, profile)
            reasons = ["meal is missing: every dish needs a meal"] * (2 - len(meals))
            assert [each.message for each in result.errors] == reasons, (first, profile)

    own = read_with('format = "menu-table"\n[defaults]\nmeal = "dinner"\n', json.dumps([night]))
    assert [row.meal for row in own.records] == [2]


def test_a_column_whose_values_are_mostly_meals_is_that_of_the_meal(save, read_with):
    mostly = "晚餐,早餐,Cena,11", [2, 0, 2]
    for values, meals in [mostly, ("Dinner,", [2]), ("Pranzo,hot", [1, 1]), ("Cena,,", [1, 1, 1])]:
        rows = (f"2026-11-30,North,{value},Dish {n}\n" for n, value in enumerate(values.split(",")))
        text = f"date,hall,served at,dish\n{''.join(rows)}"
        for profile in ('format = "menu-table"\n', propose.profile(save(text))):
            assert [row.meal for row in read_with(profile, text).records] == meals, (values, profile)


def test_dishes_in_a_list_of_a_row_are_an_error_with_advice(read_with):
    for name, dishes in product(("items", "Menu_Items", "dishes", "Gerichte"), (["Soup"], [{"name": "Soup"}])):
        row = DINNER | {"dish": "", "name": "Grill", name: dishes}

        result = read_with('format = "menu-table"\n', json.dumps([row]))

        assert [error.message for error in result.errors] == [f"{name} {dishes} is neither text nor a number"], name
        advice = f"the rows of a profile (docs/data.md) can flatten lists and objects: {name} (in 1)"
        assert result.hint() == advice, name


def test_invalid_records_do_not_hide_the_columns_of_others(read_with):
    text = json.dumps([None, 7, DINNER])

    result = read_with('format = "menu-table"\n', f'[{{"dish": "a", "dish": "b"}}, {text[1:]}')

    assert ([row.meal for row in result.records], len(result.errors)) == ([2], 3)


def test_the_columns_of_the_profile_may_be_spelled_in_several_ways(read_with):
    profile = f'{COLUMNS}meal = "Meal Name"\nlocation = "c"\n[facts]\ncalories = "kcal"\n[defaults]\nmeal = "lunch"\n'
    pie = {"a": "2026-11-23", "b": "Pie", "c": "Adams"}
    soup = {"A": "2026-11-23", "B": "Soup", "C": "Adams", "meal-name": "Dinner", "KCAL": "90"}
    text = "\n".join(map(",".join, (soup.keys(), soup.values())))

    lines = "\n".join(map(json.dumps, [pie, soup]))
    for content, meals in [(json.dumps([pie, soup]), [1, 2]), (lines, [1, 2]), (text, [2])]:
        result = read_with(profile, content)

        assert ([row.meal for row in result.records], result.errors, result.unread) == (meals, [], {}), content
        assert [facts.calories for facts in result.lists.facts.values()] == [90], content


def test_a_profile_and_an_export_may_compose_their_letters_in_other_ways(read_with):
    columns = 'date = "Tag"\ndish = "Gericht für heute"\nmeal = "Menü"\nlocation = "Café"\n'
    tables = '[meals]\n"Frühstück" = 0\n[locations]\n"Mensa Süd" = {id = 7, name = "Süd"}\n'
    text = "Tag,Gericht für heute,Menü,Café\n2026-11-23,Müsli,Frühstück,Mensa Süd\n"

    for form, other in permutations(("NFC", "NFKD")):
        profile = normalize(form, f'format = "menu-table"\n[columns]\n{columns}{tables}')
        result = read_with(profile, normalize(other, text))

        assert [(row.meal, row.location.id) for row in result.records] == [(0, 7)], form


def test_another_spelling_of_a_dish_of_the_same_meal_is_a_duplicate(read_with):
    for name in ("CAFÉ AU LAIT", "Café  au lait", "Cafe\u0301 au lait"):
        text = f"date,meal,hall,dish\n2026-11-23,Lunch,Adams,Café au lait\n2026-11-23,Lunch,Adams,{name}\n"

        result = read_with('format = "menu-table"\n', text)

        assert ([row.recipe.name for row in result.records], result.duplicates) == (["Café au lait"], 1), name


def test_a_meal_is_that_of_its_words_or_of_the_profile(read_with):
    several = "names several meals; lunch is used"
    unknown = "is not in [meals] of the profile: add"
    for words, meal, message in [
        (["Reggeli", "Frühstück", "Petit déjeuner", "Colazione", "Завтрак", "早餐", "朝食", "BRK"], 0, None),
        (["BRUNCH", "Déjeuner", "Pranzo", "Almoço", "Обед", "午餐", "昼食"], 1, None),
        (["Abendbrot", "early_dinner", "Cena", "Jantar", "Souper", "Ужин", "晚餐", "夕食"], 2, None),
        (["Late Nite", "Late Night", "late-night Snack"], 3, None),
        (["Lunch & Dinner", "Brunch/Dinner"], 1, several),
        (["Tea", "Middag", "B", "Pudding", "Dining Hall Special", "Nachmittag", "Escena"], None, unknown),
    ]:
        for word in words:
            profile = 'format = "menu-table"\n[meals]\n"Late Nite" = 3\n'
            result = read_with(profile, f"date,meal,hall,dish\n2026-11-23,{word},Adams,Soup\n")

            assert [row.meal for row in result.records] == ([] if meal is None else [meal]), word
            value = f' "{word}" = N, which is 0 for breakfast, 1 for lunch, ' if message == unknown else ""
            expected = [f"meal {word!r} {message}{value}"] if message else []
            messages = [*result.warnings, *(error.message.partition("2 for")[0] for error in result.errors)]
            assert messages == expected, word


def test_the_profile_names_columns_and_entities(read_with):
    adams = '[locations]\nADAMS = {id = 30, name = "Adams"}\n'
    for profile, text, location, dish in [
        (f'location = "c"\n[defaults]\nlocation = "ADAMS"\n{adams}', "a;b\n2026-11-23;Soup\n", 30, 32),
        ('dish_id = "c"\nlocation_id = "d"\nlocation = "e"\n', "a,b,c,d,e\n2026-11-23,Soup,70,31,Adams\n", 31, 70),
        (f'dish_id = "c"\nlocation_id = "d"\n{adams}', "a,b,c,d\n2026-11-23,Soup,70,ADAMS\n", 30, 70),
    ]:
        result = read_with(COLUMNS + profile, text)

        [row] = result.records
        assert (row.location, row.recipe) == (NamedEntity(location, "Adams"), NamedEntity(dish, "Soup")), profile
        assert (row.category.name, row.meal) == ("Menu", 1), profile
        menu = 31 if adams in profile else 1
        assert result.assigned_ids == {"category/menu": menu} | ({"dish/soup": 32} if dish == 32 else {}), profile


def test_words_for_nothing_are_no_names_and_spreadsheets_write_ids_and_dates_as_numbers(read_with):
    profile = f'{COLUMNS}category = "c"\ndish_id = "d"\n[facts]\nsodium = "e"\nallergens = "f"\n'
    words = ["NULL", "null", "#N/A", r"\N", "nan", "None", "n/a"]
    rows = [f"46017,Soup {word},{word},{number}.0,{word},{word}" for number, word in enumerate(words)]
    others = ["46017.0,Nan,Breads,101.0,1 mg,Milk", "46017,NULL,,7,,"]

    result = read_with(profile, "\n".join(["a,b,c,d,e,f", *rows, *others]))

    assert {row.date for row in result.records} == {"2025-12-26"}
    assert [row.category.name for row in result.records] == [*["Menu"] * 7, "Breads"]
    assert [row.recipe.id for row in result.records] == [*range(7), 101]
    assert [result.lists.facts[101].contains, len(result.lists.facts)] == [("milk",), 1]
    assert [error.message for error in result.errors] == ["b is missing"]


def test_a_code_that_the_profile_lacks_is_served_as_it_is_written_with_a_warning(read_with):
    profile = f'{COLUMNS}location_id = "c"\n[locations]\nK1 = {{id = 7, name = "North"}}\n'

    result = read_with(profile, "a,b,c\n2026-11-23,Soup,K1\n2026-11-23,Soup,K2\n2026-11-23,Pie,K2\n")

    assert [row.location for row in result.records] == [NamedEntity(7, "North"), *[NamedEntity(10, "K2")] * 2]
    line = """c 'K2' is not in [locations] of the profile: add "K2" = {id = 10, name = "K2"}"""
    assert ([*result.warnings], result.errors) == ([line], [])


def test_an_id_that_the_database_cannot_assign_is_an_error(read_with):
    profile = f'{COLUMNS}location = "c"\n[locations]\nNorth = {{id = {2**63 - 1}, name = "North"}}\n'

    [error] = read_with(profile, "a,b,c\n2026-11-23,Soup,South\n").errors

    reason = "gets no integer: it would follow 9223372036854775807, the greatest of the database or the profile"
    assert (error.location.line, error.message) == (2, f"id 'location/south' {reason}")


def test_the_first_of_several_columns_with_a_value_is_read(read_with):
    profile = COLUMNS.replace('"b"', '["b", "c", "d.de"]') + '[defaults]\nlocation = "Hall"\n'
    result = read_with(profile, "a,b,c\n2026-11-23,<br>,Soup\n2026-11-23,Pie,x\n")
    assert ([row.recipe.name for row in result.records], result.unread) == (["Soup", "Pie"], {})
    text = json.dumps([{"a": "2026-11-23", "d": {"en": "Soup", "de": "Suppe"}}])
    cell = 'a,c,b,d\n2026-11-23,,,"{""en"": ""Soup"", ""de"": ""Suppe""}"\n'
    for rows, content, unread in (("", text, {}), ("", cell, {}), ('rows = ".[]"\n', text, {"en": 1})):
        result = read_with(rows + profile, content)
        assert ([row.recipe.name for row in result.records], result.unread) == (["Suppe"], unread), rows


def test_usual_columns_of_facts_and_labels_are_read_with_a_proposal_and_without(save, read_with):
    names = [("labels", "calories"), ("Tags", "kcal"), ("diet", "Energy (kcal)"), ("Kennzeichnung", "Kcal")]
    for labels, calories in names:
        header = f"date,meal,hall,dish,{labels},Ingredients,{calories}"
        text = f"{header}\n2026-11-30,Lunch,North,Omelet,Vegetarian,Eggs,300\n"
        for profile in ('format = "menu-table"\n', propose.profile(save(text))):
            result = read_with(profile, text)

            [facts] = result.lists.facts.values()
            values = [[each.code for each in facts.labels], facts.ingredients, facts.calories]
            assert (values, result.unread) == ([["Vegetarian"], "Eggs", 300], {}), labels


def test_a_file_without_a_header_has_the_columns_of_the_profile(read_with):
    profile = f'header = ["a", "c", "b", "d"]\n{COLUMNS}location = "c"\nmeal = "d"\n'
    for setting, rows, meals, reasons in [
        ('delimiter = ";"\n', "2026-11-23;Adams\n", [], ["has 2 columns instead of 4"]),
        ("", "2026-11-23;Adams;Soup;Lunch\n", [1], []),
        ("", "2026-11-23;Adams;Soup;\n", [], ["is missing: every dish needs a meal"]),
    ]:
        result = read_with(setting + profile, rows)

        assert [row.meal for row in result.records] == meals, rows
        assert [error.reason for error in result.errors] == reasons, rows


def test_rows_of_any_table_may_have_the_defaults_of_the_profile(read_with):
    profile = 'format = "foodpro"\n[defaults]\nlocation = "A"\nmeal = "2"\n[locations]\nA = {id = 7, name = "Adams"}\n'
    row = foodpro_row(Location_Number="", Location_Name="", Meal_Number="", Meal_Name="")

    result = read_with(profile, json.dumps([row, row | {"Location_Name": "Annenberg Hall"}]))

    assert [(row.location, row.meal) for row in result.records] == [(NamedEntity(7, "Adams"), 1)]
    assert [error.message for error in result.errors] == ["Location_Number is missing"]


def test_a_row_without_a_hall_or_a_dish_is_rejected(read_with):
    for row, message in [("Lunch,,Soup", "hall is missing"), ("Lunch,Adams,", "dish is missing")]:
        [error] = read_with('format = "menu-table"\n', f"date,meal,hall,dish\n2026-11-23,{row}\n").errors

        assert (error.location.line, error.message) == (2, message), row


def test_a_table_without_the_columns_of_the_profile_is_an_error(read_with):
    named, common = COLUMNS.replace('"b"', '["b", "c"]'), 'format = "menu-table"\n'

    for profile, text, reason in [
        (named, "date,dish\n", "has no column a, b or c, which the profile names"),
        (named, "a,b,a\n", "line 1 has a duplicate column a"),
        (common, "day,x\n1,2\n", "has no column of a dish by a common name: name it in [columns] of the profile"),
    ]:
        assert reason in str(error_of(read_with, profile, text)), text


def test_columns_that_are_not_read_may_be_repeated(read_with):
    result = read_with(f'{COLUMNS}location = "c"\n', "a,b,c,,Note,,Note\n2026-11-23,Soup,Adams,1,2,3,4\n")

    assert (len(result.records), result.errors, result.unread) == (1, [], {"Note": 1})


def test_a_copy_of_a_built_in_profile_reads_tables_that_lack_facts_or_names_of_meals(save):
    copy = save(profile_path("foodpro").read_text(encoding="utf-8"), "copy.toml")
    others = "Location_Number,Location_Name,Menu_Category_Number,Menu_Category_Name,Recipe_Number,Recipe_Name,Calories"
    for meal, values in (("Meal_Number", "2"), ("Meal_Number,Meal_Name", "2,Lunch")):
        path = save(f"Serve_Date,{meal},{others}\n11/23/2026,{values},7,Adams House,1,Soups,9,Tomato Soup,90\n")

        loaded = [profiles.load_dining_profile(name) for name in (str(copy), "foodpro")]
        read, expected = (dining.read([(profile, [path])]) for profile in loaded)

        assert len(read.records) == 1, meal
        assert (read.records, read.lists, read.warnings) == (expected.records, expected.lists, expected.warnings), meal
