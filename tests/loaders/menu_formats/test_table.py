import json
import tomllib

import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.inference import propose
from loaders.profiles.files import ProfileError, profile_path
from loaders.readers import detect_profile, dining
from loaders.sources.files import read_head
from tests.factories import foodpro_row
from tests.loaders.errors import error_of

CSV = """Datum;Mahlzeit;Mensa;Linie;Gericht;kcal;Allergene;Preis
23.11.2026;Mittagessen;Mensa Nord;Pasta;Spaghetti Bolognese;650;Gluten, Sellerie;3,20
23.11.2026;Abendessen;Mensa Nord;Pasta;SPAGHETTI bolognese;;;3,20
24.11.2026;Spätimbiss;Mensa Süd;Theke 1;Suppe;120;Sellerie;
"""
ROWS = [
    {
        "day": "November 23, 2026",
        "period": "Lunch",
        "station": "Grill",
        "item": "Burger",
        "allergens": ["Milk", "Wheat"],
    },
    {"day": "November 24, 2026", "period": "Dinner", "station": "Grill", "item": "Soup", "allergens": []},
]
COLUMNS = 'format = "menu-table"\n[columns]\ndate = "a"\ndish = "b"\n'


@pytest.fixture
def read_as_proposed(save, save_profile):
    return lambda path, **options: dining.read([path], profiles.load_dining_profile(save_profile(path)), **options)


def rows(result):
    return [(row.date, row.meal, row.location.name, row.category.name, row.recipe.name) for row in result.records]


def test_a_csv_table_is_read_as_proposed(save, read_as_proposed):
    result = read_as_proposed(save(CSV))

    assert rows(result) == [
        ("2026-11-23", 1, "Mensa Nord", "Pasta", "Spaghetti Bolognese"),
        ("2026-11-23", 2, "Mensa Nord", "Pasta", "SPAGHETTI bolognese"),
        ("2026-11-24", 3, "Mensa Süd", "Theke 1", "Suppe"),
    ]
    assert (result.errors, result.unread) == ([], {"Preis": 2})


def meals_in(*paths, profile="menu-table"):
    result = dining.read(paths, profiles.load_dining_profile(profile))
    assert (result.errors, result.unread) == ([], {})
    return [row.meal for row in result.records]


LUNCH = {"date": "2026-11-23", "hall": "Adams", "dish": "Soup"}
DINNER = LUNCH | {"meal": "Dinner"}


def test_the_columns_of_json_are_those_of_all_records(save):
    for dump in (json.dumps, lambda rows: "\n".join(map(json.dumps, rows))):
        assert meals_in(save(dump([LUNCH, LUNCH | {"station": "Grill"}, DINNER]))) == [1, 1, 2], dump


def test_each_file_has_its_columns(save):
    evening = {"Meal Period": "Dinner", "Serve Date": "2026-11-23", "Venue": "Adams", "Item": "Pie"}

    assert meals_in(
        save(json.dumps([LUNCH]), "a"), save(json.dumps([DINNER]), "b"), save(json.dumps([evening]), "c")
    ) == [
        1,
        2,
        2,
    ]


def test_a_column_may_be_spelled_in_several_ways(save):
    rows = [DINNER, LUNCH | {"MEAL": "Breakfast"}, LUNCH | {"Meal ": "Lunch", "meal": None}]

    assert meals_in(save(json.dumps(rows))) == [2, 0, 1]


def test_a_column_without_values_is_not_read(save):
    for empty in (None, "", " "):
        rows = [LUNCH | {"meal_name": empty, "Meal": empty, "meal": "Dinner"}]
        header, values = rows[0].keys(), rows[0].values()
        text = "\n".join(",".join(each or "" for each in line) for line in (header, values))

        assert meals_in(save(json.dumps(rows))) == meals_in(save(text)) == [2], empty


def test_names_with_another_value_in_the_same_record_are_not_read(save):
    path = save(json.dumps([DINNER | {"Meal": "Lunch"}]))

    result = dining.read([path], profiles.load_dining_profile("menu-table"))

    assert ([row.meal for row in result.records], result.unread) == ([2], {"Meal": 1})


def test_the_columns_of_the_profile_may_be_spelled_in_several_ways(save):
    profile = save(f'{COLUMNS}meal = "Meal Name"\nlocation = "c"\n[facts]\ncalories = "kcal"\n', "p.toml")
    pie = {"a": "2026-11-23", "b": "Pie", "c": "Adams"}
    soup = {"A": "2026-11-23", "B": "Soup", "C": "Adams", "meal_name": "Dinner", "KCAL": "90"}
    text = "\n".join(map(",".join, (soup.keys(), soup.values())))

    for content, meals in ((json.dumps([pie, soup]), [1, 2]), (text, [2])):
        result = dining.read([save(content)], profiles.load_dining_profile(str(profile)))

        assert ([row.meal for row in result.records], result.errors, result.unread) == (meals, [], {}), content
        assert [facts.calories for facts in result.lists.facts.values()] == [90], content


def test_records_that_are_no_objects_do_not_hide_the_columns_of_others(save):
    text = json.dumps([None, 7, DINNER])
    path = save(f'[{{"dish": "a", "dish": "b"}}, {text[1:]}')

    result = dining.read([path], profiles.load_dining_profile("menu-table"))

    assert ([row.meal for row in result.records], len(result.errors)) == ([2], 3)


def test_the_columns_of_all_records_are_proposed(save):
    rows = [{"date": "2026-11-23", "hall": None, "dish": "Soup", "station": "Grill"}, DINNER | {"kcal": 90, "price": 3}]

    proposed = tomllib.loads(propose.profile(save(json.dumps(rows))))

    assert (proposed["columns"]["meal"], proposed["columns"]["location"], proposed["facts"]) == (
        "meal",
        "hall",
        {"calories": "kcal"},
    )


def test_columns_below_the_line_that_names_the_delimiter_are_proposed(save):
    proposed = tomllib.loads(propose.profile(save(f"sep=;\n{CSV}")))

    assert proposed["columns"]["dish"] == "Gericht"


def test_names_have_assigned_ids_whatever_their_letter_case(save, read_as_proposed):
    result = read_as_proposed(save(CSV), assigned_ids={"dish/suppe": 7})

    assert result.assigned_ids == {
        "location/mensa nord": 8,
        "category/pasta": 9,
        "dish/spaghetti bolognese": 10,
        "location/mensa süd": 11,
        "category/theke 1": 12,
    }
    assert [row.recipe.id for row in result.records] == [10, 10, 7]


def test_another_spelling_of_a_dish_of_the_same_meal_is_a_duplicate(save):
    for name in ("CAFÉ AU LAIT", "Café  au lait", "Cafe\u0301 au lait"):
        path = save(f"date,meal,hall,dish\n2026-11-23,Lunch,Adams,Café au lait\n2026-11-23,Lunch,Adams,{name}\n")

        result = dining.read([path], profiles.load_dining_profile("menu-table"))

        assert ([row.recipe.name for row in result.records], result.duplicates, result.errors) == (
            ["Café au lait"],
            1,
            [],
        ), name


def test_facts_are_read_as_proposed(save, read_as_proposed):
    facts = read_as_proposed(save(CSV)).lists.facts

    assert [(each.calories, each.allergens) for each in facts.values()] == [
        (650, ("Gluten", "Sellerie")),
        (120, ("Sellerie",)),
    ]


def test_an_invalid_text_in_a_list_of_allergens_is_a_warning(save, read_as_proposed):
    result = read_as_proposed(save(json.dumps([ROWS[0] | {"allergens": ["Milk", "Egg\x00"]}])))

    error, _ = next(iter(result.warnings.values()))
    assert error.message == "allergens 'Milk, Egg\\x00' has a control character"


def test_json_is_read_as_proposed(save, read_as_proposed):
    for dump in (json.dumps, lambda rows: json.dumps({"menus": rows})):
        result = read_as_proposed(save(dump(ROWS)))

        assert rows(result) == [
            ("2026-11-23", 1, "Dining Hall", "Grill", "Burger"),
            ("2026-11-24", 2, "Dining Hall", "Grill", "Soup"),
        ], dump
        assert [facts.allergens for facts in result.lists.facts.values()] == [("Milk", "Wheat")], dump


def test_the_column_of_allergens_is_proposed(save):
    for name in ("Allergen Info", "contains_allergens", "Alérgenos"):
        proposed = tomllib.loads(propose.profile(save(f"date,meal,dish,{name}\n2026-11-20,Lunch,Pie,Milk\n")))

        assert proposed["facts"] == {"allergens": name}, name


def test_columns_that_are_not_read_are_named_in_the_proposal(save):
    lines = propose.profile(save(CSV)).splitlines()

    assert [line for line in lines if "Not read" in line] == ["# Not read: Preis."]


def test_columns_of_names_come_before_those_of_ids(save):
    header = "date,meal,meal_name,location,location_name,category,category_name,recipe,recipe_name\n"

    proposed = tomllib.loads(propose.profile(save(f"{header}2026-11-20,2,dinner,30,Adams,18,Desserts,83023,Pudding\n")))

    assert proposed["columns"] == {
        "date": "date",
        "meal": "meal_name",
        "location": "location_name",
        "category": "category_name",
        "dish": "recipe_name",
    }


def test_columns_dates_defaults_and_words_of_meals_are_proposed(save):
    proposed = tomllib.loads(propose.profile(save(json.dumps(ROWS))))

    assert proposed == {
        "format": "menu-table",
        "date_format": "%B %d, %Y",
        "columns": {"date": "day", "meal": "period", "category": "station", "dish": "item"},
        "defaults": {"location": "Dining Hall"},
        "meals": {"lunch": 1, "dinner": 2},
        "facts": {"allergens": "allergens"},
    }


def test_the_format_of_dates_is_proposed(save):
    for dates, date_format in [
        (["2026-11-23", "11/24/2026"], None),
        (["11/23/2026", "12/01/2026"], None),
        (["11/11/2026"], None),
        (["23/11/2026", "01/12/2026"], "%d/%m/%Y"),
        (["01/12/2026", "02/12/2026"], "%m/%d/%Y"),
        (["11/23/26"], "%m/%d/%y"),
        (["Monday, November 23, 2026"], "%A, %B %d, %Y"),
        (["23-Nov-2026"], "%d-%b-%Y"),
        (["next week"], None),
    ]:
        text = "date|meal|dish\n" + "".join(f"{day}|Lunch|Soup\n" for day in dates)

        assert tomllib.loads(propose.profile(save(text))).get("date_format") == date_format, dates


def test_a_comment_says_that_the_dates_can_be_read_in_two_ways(save):
    for day, other in [("01/12/2026", "DD/MM/YYYY"), ("01-12-2026", "DD-MM-YYYY")]:
        lines = propose.profile(save(f"date,meal,dish\n{day},Lunch,Soup\n")).splitlines()

        assert f"# All dates, such as {day}, may be {other}, too: check date_format." in lines, day


SEVERAL_MEALS = "date,meal,hall,dish\n2026-11-23,Lunch & Dinner,Adams,Soup\n2026-11-23,Brunch/Dinner,Adams,Pie\n"


def test_the_name_of_several_meals_is_a_warning(save):
    result = dining.read([save(SEVERAL_MEALS)], profiles.load_dining_profile("menu-table"))

    assert [row.meal for row in result.records] == [1, 1]
    assert list(result.warnings) == [
        "meal 'Lunch & Dinner' names several meals; lunch is used",
        "meal 'Brunch/Dinner' names several meals; lunch is used",
    ]


def test_doubtful_meals_are_named_in_the_proposal(save):
    path = save(
        f"{SEVERAL_MEALS}2026-11-23,1,Adams,Rice\n2026-11-23,all day,Adams,Fruit\n2026-11-23,supper,Adams,Tea\n"
    )

    proposed = " ".join(propose.profile(path).split("\n# "))

    assert "lunch & dinner, brunch/dinner name several meals: check [meals]." in proposed
    assert "1, all day are no known names of meals. 0 is breakfast, 1 lunch, 2 dinner: check [meals]." in proposed
    assert "supper name" not in proposed


def test_meals_that_are_known_need_no_check(save):
    assert "check [meals]" not in propose.profile(save(json.dumps(ROWS)))


def test_words_of_meals_are_known(save):
    for word, meal in [
        ("Breakfast", 0),
        ("Frühstück", 0),
        ("Petit déjeuner", 0),
        ("BRUNCH", 1),
        ("Déjeuner", 1),
        ("Abendbrot", 2),
        ("early_dinner", 2),
    ]:
        [record] = dining.read(
            [save(f"date,meal,hall,dish\n2026-11-23,{word},Adams,Soup\n")], profiles.load_dining_profile("menu-table")
        ).records

        assert record.meal == meal, word


def test_a_meal_is_not_known_by_a_part_of_a_word(save):
    for word in ("Reading Day Snack", "Pudding", "Dining Hall Special", "Nachmittag", "Escena"):
        path = save(f"date,meal,hall,dish\n2026-11-23,{word},Adams,Soup\n")

        assert tomllib.loads(propose.profile(path))["meals"] == {word.casefold(): 3}, word


def test_the_profile_names_columns_and_entities(save):
    profile = save(
        f'{COLUMNS}[defaults]\nlocation = "Hall"\n[locations]\nHall = {{id = 30, name = "Adams"}}\n', "p.toml"
    )

    result = dining.read([save("a;b\n2026-11-23;Soup\n")], profiles.load_dining_profile(str(profile)))

    [record] = result.records
    assert (record.location, record.category.name, record.meal) == (NamedEntity(30, "Adams"), "Menu", 1)
    assert result.assigned_ids == {"category/menu": 1, "dish/soup": 2}


@pytest.fixture
def read_with(save):
    """Read a table with a profile of this text."""

    def read_with(profile, text):
        return dining.read([save(text)], profiles.load_dining_profile(str(save(profile, "p.toml"))))

    return read_with


def test_an_id_that_the_table_does_not_have_is_assigned_to_the_name(read_with):
    profile = f'{COLUMNS}dish_id = "c"\nlocation_id = "d"\nlocation = "e"\n'

    result = read_with(profile, "a,b,c,d,e\n2026-11-23,Soup,70,30,Adams\n")

    [row] = result.records
    assert (row.location, row.recipe) == (NamedEntity(30, "Adams"), NamedEntity(70, "Soup"))
    assert result.assigned_ids == {"category/menu": 1}


def test_codes_need_no_names_if_the_profile_has_them(read_with):
    profile = f'{COLUMNS}location_id = "c"\n[locations]\nADAMS = {{id = 30, name = "Adams House"}}\n'

    result = read_with(profile, "a,b,c\n2026-11-23,Soup,ADAMS\n2026-11-23,Soup,30\n")

    assert [row.location for row in result.records] == [NamedEntity(30, "Adams House")]
    assert [error.message for error in result.errors] == ["c '30' is not a code in the profile"]


def test_the_first_of_several_columns_with_a_value_is_read(read_with):
    profile = COLUMNS.replace('"b"', '["b", "c"]')

    result = read_with(profile + '[defaults]\nlocation = "Hall"\n', "a,b,c\n2026-11-23,<br>,Soup\n2026-11-23,Pie,x\n")

    assert ([row.recipe.name for row in result.records], result.unread) == (["Soup", "Pie"], {})


def test_a_file_without_a_header_has_the_columns_of_the_profile(read_with):
    profile = f'header = ["a", "c", "b"]\n{COLUMNS}location = "c"\n'

    result = read_with(
        profile.replace("header", 'delimiter = ";"\nheader'), "2026-11-23;Adams;Soup\n2026-11-23;Adams\n"
    )

    assert [(row.location.name, row.recipe.name) for row in result.records] == [("Adams", "Soup")]
    assert [error.reason for error in result.errors] == ["has 2 columns instead of 3"]


def test_rows_of_any_table_may_have_the_defaults_of_the_profile(read_with):
    profile = 'format = "foodpro"\n[defaults]\nlocation = "A"\nmeal = "2"\n[locations]\nA = {id = 7, name = "Adams"}\n'
    row = foodpro_row(Location_Number="", Location_Name="", Meal_Number="", Meal_Name="")

    [read] = read_with(profile, json.dumps([row])).records

    assert (read.location, read.meal) == (NamedEntity(7, "Adams"), 1)


def test_an_id_of_the_profile_that_no_other_can_follow_is_an_error(save):
    profile = save(f'{COLUMNS}location = "c"\n[locations]\nNorth = {{id = {2**63 - 1}, name = "North"}}\n', "p.toml")

    result = dining.read([save("a;b;c\n2026-11-23;Soup;South\n")], profiles.load_dining_profile(str(profile)))

    assert [(error.location.line, error.message) for error in result.errors] == [
        (
            2,
            "id 'location/south' gets no integer: it would follow 9223372036854775807, "
            "the greatest of the database or the profile",
        )
    ]


def test_an_invalid_row_is_rejected(save):
    for row, message in [
        ("2026-11-23,Tea,Adams,Soup", "meal 'Tea' is not in [meals] of the profile: add \"Tea\" = 3"),
        ("2026-11-23,Lunch,,Soup", "hall is missing"),
        ("2026-11-23,Lunch,Adams,", "dish is missing"),
        ("tomorrow,Lunch,Adams,Soup", "date 'tomorrow' is not a date written MM/DD/YYYY"),
        ("2026-11-23,Lunch", "row '2026-11-23,Lunch' has 2 columns, unlike the header"),
    ]:
        path = save(f"date,meal,hall,dish\n{row}\n")

        [error] = dining.read([path], profiles.load_dining_profile("menu-table")).errors

        assert (error.location.line, error.message) == (2, message), row


def test_a_copy_of_a_built_in_profile_reads_tables_that_lack_facts_or_names_of_meals(save):
    copy = save(profile_path("foodpro").read_text(encoding="utf-8"), "copy.toml")
    others = "Location_Number,Location_Name,Menu_Category_Number,Menu_Category_Name,Recipe_Number,Recipe_Name,Calories"
    for meal, values in (("Meal_Number", "2"), ("Meal_Number,Meal_Name", "2,Lunch")):
        path = save(f"Serve_Date,{meal},{others}\n11/23/2026,{values},7,Adams House,1,Soups,9,Tomato Soup,90\n")

        read, expected = (dining.read([path], profiles.load_dining_profile(name)) for name in (str(copy), "foodpro"))

        assert len(read.records) == 1, meal
        assert (read.records, read.lists, read.warnings) == (expected.records, expected.lists, expected.warnings), meal


def test_a_table_without_the_columns_of_the_profile_is_an_error(save):
    for text, reason in [
        ("date,dish\n", "has no column a, b, which the profile names"),
        ("a,b,a\n", "line 1 has a duplicate column a"),
    ]:
        path, profile = save(text), profiles.load_dining_profile(str(save(COLUMNS, "p.toml")))

        error = error_of(dining.read, [path], profile)

        assert str(error) == f"{path}: {reason}", text


def test_columns_are_of_no_use_to_other_formats(save, tmp_path):
    profile = profiles.load_dining_profile(str(save(COLUMNS.replace("menu-table", "openmensa"), "p.toml")))

    with pytest.raises(ProfileError, match="openmensa has no use for the table columns"):
        dining.read([save("")], profile)


def test_other_tables_are_no_menus(save):
    for text in ("date,dish\n", "date,title,x\n", '[{"date": 1, "dish": 2}]', "meal,hall,dish\n"):
        assert detect_profile(read_head(save(text))) is None, text


def test_a_table_of_menus_is_loaded_twice_with_the_same_ids(campus_load, database, save):
    path = save(CSV, "menus.csv")
    profile = save(propose.profile(path), "mensa.toml")

    first = campus_load("dining", path, "--profile", profile)
    path.write_text("".join(CSV.splitlines(keepends=True)[index] for index in (0, 3, 2, 1)))
    second = campus_load("dining", path, "--profile", profile, "--json")

    assert (first.exit_code, "  6 new ids assigned\n" in first.stdout) == (0, True)
    assert json.loads(second.stdout)["assigned_ids"] == {}
    assert database.dining_ids.find_one("dish/suppe") == {"_id": "dish/suppe", "id": 6}
