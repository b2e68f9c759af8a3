import json
import tomllib

import pytest

from loaders import profiles
from loaders.inference import propose
from loaders.readers import dining

CSV = """Datum;Mahlzeit;Mensa;Linie;Gericht;kcal;Allergene;Preis
23.11.2026;Mittagessen;Mensa Nord;Pasta;Spaghetti Bolognese;650;Gluten, Sellerie;3,20
23.11.2026;Abendessen;Mensa Nord;Pasta;SPAGHETTI bolognese;;;3,20
24.11.2026;Spätimbiss;Mensa Süd;Theke 1;Suppe;120;Sellerie;
"""
ROWS = [
    {"day": "2026-11-23", "period": "Lunch", "station": "Grill", "item": "Burger", "allergens": ["Milk", "Wheat"]},
    {"day": "2026-11-24", "period": "Dinner", "station": "Grill", "item": "Soup", "allergens": []},
]


@pytest.fixture
def read_as_proposed(save, save_profile):
    return lambda path, **options: dining.read([(profiles.load_dining_profile(save_profile(path)), [path])], **options)


def rows(result):
    return [(row.date, row.meal, row.location.name, row.category.name, row.recipe.name) for row in result.records]


def test_a_csv_table_is_read_as_proposed(save, read_as_proposed):
    for text in (CSV, f"sep=;\n{CSV}"):
        path = save(text)

        result = read_as_proposed(path, assigned_ids={"dish/suppe": 7})

        assert rows(result) == [
            ("2026-11-23", 1, "Mensa Nord", "Pasta", "Spaghetti Bolognese"),
            ("2026-11-23", 2, "Mensa Nord", "Pasta", "SPAGHETTI bolognese"),
            ("2026-11-24", 3, "Mensa Süd", "Theke 1", "Suppe"),
        ], text
        facts = [(each.calories, each.allergens) for each in result.lists.facts.values()]
        assert sorted(facts) == [(120, ("Sellerie",)), (650, ("Gluten", "Sellerie"))], text
        assert (result.errors, result.unread) == ([], {"Preis": 2}), text
        assert "# Not read: Preis." in propose.profile(path), text
        # Whatever their letter case, dishes of one name have one id.
        assert [row.recipe.id for row in result.records] == [10, 10, 7], text
        assert result.assigned_ids["category/theke 1"] == 12, text


def test_json_is_read_as_proposed(save, read_as_proposed):
    in_languages = [row | {"item": {"de": f"{row['item']} (deutsch)", "en": row["item"]}} for row in ROWS]
    expected = [("2026-11-23", 1, "export", "Grill", "Burger"), ("2026-11-24", 2, "export", "Grill", "Soup")]
    for value in (ROWS, {"data": ROWS}, in_languages):
        result = read_as_proposed(save(json.dumps(value)))

        assert rows(result) == expected, value
        assert [facts.allergens for facts in result.lists.facts.values()] == [("Milk", "Wheat")], value
    result = read_as_proposed(save(json.dumps([ROWS[0] | {"allergens": ["Milk", "Egg\x00"]}])))
    assert "allergens 'Milk, Egg\\x00' has a control character" in result.warnings


def test_columns_and_facts_are_proposed(save):
    several = [
        {"date": "2026-11-23", "hall": None, "dish": "Soup", "station": "Grill"},
        {"date": "2026-11-23", "hall": "Adams", "dish": "Soup", "meal": "Dinner", "kcal": 90},
    ]
    names = ["date", "meal_name", "location_name", "category_name", "recipe_name"]
    camel_case = ["日期", "mealPeriod", "location.name", "stationName", "Ret"]
    codes_first = f"meal,location,category,recipe,{','.join(names)}\nD,H30,C18,R9,2026-11-20,dinner,Adams,Soups,Soup\n"
    for text, columns, facts in [
        (json.dumps(ROWS), ["day", "period", None, "station", "item"], {"allergens": "allergens"}),
        (json.dumps(several), ["date", "meal", "hall", "station", "dish"], {"calories": "kcal"}),
        (codes_first, names, None),
        (
            f"Day Name,{','.join(camel_case)},Station,totalFat\nFri,2026-11-20,Lunch,Adams,Soups,Soup,7,2 g\n",
            camel_case,
            {"total_fat": "totalFat"},
        ),
    ]:
        proposed = tomllib.loads(propose.profile(save(text)))

        guessed = [proposed["columns"].get(name) for name in ("date", "meal", "location", "category", "dish")]
        assert (guessed, proposed.get("facts")) == (columns, facts), text


def test_the_format_of_dates_is_proposed_with_a_comment_if_they_can_be_read_in_two_ways(save):
    for dates, date_format, other in [
        (["2026-11-23", "11/24/2026"], None, None),
        (["11/11/2026"], None, None),
        (["23/11/2026", "01/12/2026"], "%d/%m/%Y", None),
        (["23/11/2026", "closed", "24/11/2026"], "%d/%m/%Y", None),
        (["01/12/2026", "02/12/2026"], "%m/%d/%Y", "DD/MM/YYYY"),
        (["01-12-2026"], "%m-%d-%Y", "DD-MM-YYYY"),
        (["11/23/26"], "%m/%d/%y", None),
        (["Mon 11/23/2026", "Di 24/11/2026", "25/11/2026"], "%d/%m/%Y", None),
        (["Monday, November 23, 2026", "23-Nov-2026"], None, None),
        (["next week"], None, None),
    ]:
        text = "date|meal|dish\n" + "".join(f"{day}|Lunch|Soup\n" for day in dates)

        proposed = propose.profile(save(text))

        assert tomllib.loads(proposed).get("date_format") == date_format, dates
        comments = [line for line in proposed.splitlines() if "check date_format" in line]
        expected = [f"# Dates such as {dates[0]} may be {other}, too: check date_format."] if other else []
        assert comments == expected, dates


def test_doubtful_meals_are_named_in_the_proposal(save):
    meals = ("Lunch & Dinner", "Brunch/Dinner", "11-14", "B", "Middag", "All Day", "supper")
    path = save("date,meal,hall,dish\n" + "".join(f"2026-11-23,{meal},Adams,Soup\n" for meal in meals))

    proposed = " ".join(propose.profile(path).split("\n# "))

    assert "Not known as names of one meal: lunch & dinner, brunch/dinner, 11-14, b, middag, all day. 0 is" in proposed
    assert [*tomllib.loads(propose.profile(path))["meals"].values()] == [1, 1, 3, 2]
    assert "check [meals]" not in propose.profile(save(json.dumps(ROWS)))
