"""What FoodPro rows say about recipes."""

from itertools import starmap

import pytest

from campus_api.domain.models import Facts, ImpliedLabel, Label, Nutrient, Nutrients
from loaders import profiles
from loaders.readers import dining
from tests.factories import foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")
VEGAN = Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),))


def read(*paths, profile=PROFILE):
    return dining.read([(profile, paths)])


def facts_of(*paths, **options):
    return read(*paths, **options).lists.facts.get(31001)


@pytest.fixture
def save_facts(save_rows):
    """Write FoodPro rows of one recipe, each a dict of fields, and return the path."""
    return lambda *rows: save_rows(*(foodpro_row(**fields) for fields in rows))


def test_all_facts_of_a_row_are_read(save_rows, save_csv):
    energy = {"Serving_Size": "5 OZL", "Calories": "167", "Calories_From_Fat": "27"}
    nutrients = {"Total_Fat": "3g", "Total_Fat_DV": "5", "Sodium": "14.8mg", "Sodium_DV": ""}
    texts = {"Ingredient_List": 'Oats<br>&amp; "Sesame"®', "Allergens": "Wheat ", "Recipe_Web_Codes": "VGN WGRN"}
    row = foodpro_row(**energy, **nutrients, **texts)
    for path in (save_rows(row), save_csv(row)):
        assert facts_of(path) == Facts(
            serving_size="5 oz",
            calories=167,
            calories_from_fat=27,
            nutrients=Nutrients(total_fat=Nutrient(3, "g", 5), sodium=Nutrient(14.8, "mg", None)),
            ingredients='Oats & "Sesame"®',
            allergens=("Wheat",),
            contains=("gluten", "sesame", "wheat"),
            labels=(VEGAN, Label("WGRN", "whole grain")),
            as_of="2026-11-20",
            contradicts=("gluten free", "sesame free", "wheat free"),
        ), path


def test_the_unit_of_a_serving_is_written_as_in_the_table_of_the_profile(save_facts):
    one = {"8 OZL": "8 oz", "1 Each": "1 each", "1 CUP": "1 cup", "1/2 CUP": "1/2 cup", ".5 SLICE": ".5 slice"}
    several = {"2 CUP": "2 cups", "1 1/2 cup": "1 1/2 cups", "2SLICE": "2 slices"}
    unchanged = {text: text for text in ("3 #8 SCOOP", "1/0 CUP", "CUP", "1")}
    for exported, written in {**one, **several, **unchanged}.items():
        assert facts_of(save_facts({"Serving_Size": exported})).serving_size == written, exported


def test_allergens_are_sorted_names_or_unknown(save_facts):
    for written, allergens in [
        ("Wheat, Milk,Tree Nuts", ("Milk", "Tree Nuts", "Wheat")),
        ("Milk,,Milk, ", ("Milk",)),
        ("Milk|Egg; Fish / Wheat", ("Egg", "Fish", "Milk", "Wheat")),
        ("• Milk • Egg", ("Egg", "Milk")),
        ("Milk\r\nEgg\n", ("Egg", "Milk")),
        ("<ul><li>Milk</li><li><b>E</b>gg</li></ul>", ("Egg", "Milk")),
        ("<b><i>Milk</i></b> <strong class='a'><em>Eggs</em></strong>", ("Eggs", "Milk")),
        ("Milk&lt;br&gt;Egg", ("Egg", "Milk")),
        ("Tree Nuts (Almond; Cashew), Milk", ("Milk", "Tree Nuts (Almond; Cashew)")),
        ("CONTAINS: Milk, Egg.", ("Egg", "Milk")),
        ("Sulfite über 10 mg/kg oder 10 mg/l, Milk", ("Milk", "Sulfite über 10 mg/kg oder 10 mg/l")),
        ("Cereals containing gluten", ("Cereals containing gluten",)),
        *((nothing, None) for nothing in ("", " , ", None)),
    ]:
        assert facts_of(save_facts({"Allergens": written, "Calories": "1"})).allergens == allergens, written
    assert facts_of(save_facts({"Calories": "", "Allergens": " ", "Sodium": None})) is None


def test_calories_and_daily_values_are_numbers_and_amounts_have_a_unit(save_facts):
    for calories, sodium, percentage, number, nutrient in [
        ("538", "201.5g", "5", 538, Nutrient(201.5, "g", 5)),
        ("538.5", "3.0 g", "0.5 %", 538.5, Nutrient(3, "g", 0.5)),
        ("538.0 kcal", " 0MG ", 5, 538, Nutrient(0, "mg", 5)),
        (538, "5mcg", "", 538, Nutrient(5, "mcg", None)),
        (0, "5µg", "5%", 0, Nutrient(5, "µg", 5)),
    ]:
        facts = facts_of(save_facts({"Calories": calories, "Sodium": sodium, "Sodium_DV": percentage}))
        assert (facts.calories, facts.nutrients.sodium) == (number, nutrient), (calories, sodium)


def test_a_value_that_is_left_out_is_a_warning(save_facts):
    amounts = ["<1g", "-1g", "1,200mg", "3 oz", "many", "1.2.3g", "9999999999g"]
    codes = {"Recipe_Web_Codes": "VGN GF", "web_codes_fullnames": "Vegan"}
    for fields, message in [
        *(({"Sodium": text}, f"Sodium {text!r} is not a number with the unit g, mg or mcg") for text in amounts),
        ({"Sodium": "3mg", "Sodium_DV": "high"}, "Sodium_DV 'high' is not a number in percent"),
        *(({"Calories": text}, f"Calories {text!r} is not a number") for text in ("about 200", "900 kJ")),
        ({"Calories": True}, "Calories True is neither text nor a number"),
        ({"Serving_Size": "1\x00"}, "Serving_Size '1\\x00' has a control character"),
        (codes, "web_codes_fullnames 'Vegan' has 1 name of 2 labels"),
    ]:
        result = read(save_facts({"Protein": "1g", **fields}))

        [warning] = result.warnings.values()
        assert (result.errors, str(warning.location), warning.message) == ([], "line 1 (record 1)", message), fields
        nutrients = result.lists.facts[31001].nutrients
        assert nutrients.protein == Nutrient(1, "g", None), fields
        assert (nutrients.sodium is None) is ("Sodium_DV" not in fields), fields


def test_minerals_and_salt_are_nutrients_and_what_cannot_be_is_a_warning(save, dining_profile):
    names = ["added_sugars", "salt", "sodium", "iron", "vitamin_d", "sugars", "total_carbohydrate", "calories"]
    columns = '[columns]\ndate = "date"\ndish = "dish"\n[defaults]\nlocation = "North"\n[facts]\n'
    profile = dining_profile(columns + "".join(f'{name} = "{name}"\n' for name in names), "menu-table")
    pie, tea, flan = "Pie,2g,1.5g,,3mg,5mcg,20g,30g,400", "Tea,,2g,1mg,,,3.9 g,3000mg,5000", "Flan,9g,,,,,7g,5g,9000"
    rows = "".join(f"2026-11-20,{row}\n" for row in (pie, tea, flan))
    path = save(f"date,dish,{','.join(names)}\n{rows}", "menus.csv")

    result = read(path, profile=profile)

    pie, tea, _ = (each.nutrients for each in result.lists.facts.values())
    assert (pie.added_sugars, pie.salt, pie.sodium) == (Nutrient(2, "g"), Nutrient(1.5, "g"), Nutrient(600, "mg"))
    assert (pie.iron, pie.vitamin_d, tea.sodium) == (Nutrient(3, "mg"), Nutrient(5, "mcg"), Nutrient(1, "mg"))
    assert list(result.warnings) == [
        "recipe 'Flan' has 9,000 kcal in a serving",
        "recipe 'Flan' has more sugars than total carbohydrate",
        "recipe 'Flan' has more added sugars than sugars",
    ]


def test_numbers_have_the_unit_of_their_column_or_else_of_the_law(save, dining_profile):
    facts = 'calories = "calories (kcal)"\nprotein = "Protein (g)"\nsodium = "sodium_mg"\ncholesterol = "Chol"\n'
    columns = '[columns]\ndate = "date"\ndish = "dish"\n[defaults]\nlocation = "North"\n'
    profile = dining_profile(f'{columns}[facts]\n{facts}sugars = "Sugar"\ntotal_fat = "Fat"\n', "menu-table")
    header = "date,dish,calories (kcal),Protein (g),sodium_mg,Chol,Sugar,Fat"
    path = save(f"{header}\n2026-11-20,Pie,540,12,300,30,7.5,8 mg\n2026-11-20,Tea,0,0,5g,,0,9\n", "menus.csv")

    result = read(path, profile=profile)

    pie, tea = (each.nutrients for each in result.lists.facts.values())
    assert [*result.lists.facts.values()][0].calories == 540
    assert (pie.protein, pie.sodium, pie.cholesterol) == tuple(starmap(Nutrient, [(12, "g"), (300, "mg"), (30, "mg")]))
    assert (pie.sugars, pie.total_fat) == (Nutrient(7.5, "g"), Nutrient(8, "mg"))
    assert (tea.sodium, tea.total_fat) == (Nutrient(5, "g"), Nutrient(9, "g"))
    assert [(message, each.times) for message, each in result.warnings.items()] == [
        ("Chol has numbers without a unit, which are read as mg", 1),
        ("Sugar has numbers without a unit, which are read as g", 2),
        ("Fat has numbers without a unit, which are read as g", 1),
    ]


def test_a_comma_is_a_decimal_point_unless_three_digits_follow_it(save_facts):
    numbers = {"1,5g": 1.5, "1,25 mg": 1.25, "0,1234g": 0.1234, "0,125 g": 0.125}
    others = ("1,234mg", "10,125mg", "1,234,567mg", "1,234.5mg", "1,5 oz", "<1,5g", ",5g", "1,g")
    for written, amount in {**numbers, **dict.fromkeys(others)}.items():
        result = read(save_facts({"Total_Fat": written, "Calories": "0,5", "Serving_Size": "1,5 dl"}))
        facts = result.lists.facts[31001]
        fat = facts.nutrients.total_fat
        assert (fat and fat.amount, len(result.warnings)) == (amount, amount is None), written
        assert (facts.calories, facts.serving_size) == (0.5, "1,5 dl"), written


def test_labels_have_names_of_the_export_or_else_of_the_profile(save_facts):
    for codes, names, labels in [
        ("GF / VGN, GLUTEN FREE", "", {"GF": None, "VGN": "vegan", "GLUTEN FREE": None}),
        ("GF VGN", "Gluten Friendly,", {"GF": "Gluten Friendly", "VGN": "vegan"}),
        ("VGT,VGN; VGT", None, {"VGT": "vegetarian", "VGN": "vegan"}),
        ("GF|VGN", "Gluten Friendly; Vegan Friendly", {"GF": "Gluten Friendly", "VGN": "Vegan Friendly"}),
        ("", "Vegan", None),
        ("Gluten Free, Vegan", None, {"Gluten Free": None, "Vegan": None}),
        ("vgn Gf", None, {"vgn": None, "Gf": None}),
        ("Contains Nuts; VGN GF", None, {"Contains Nuts": None, "VGN": "vegan", "GF": None}),
        ("GF VGN, LOC", "Gluten Friendly,Vegan,Local", {"GF": "Gluten Friendly", "VGN": "Vegan", "LOC": "Local"}),
    ]:
        facts = facts_of(save_facts({"Calories": "1", "Recipe_Web_Codes": codes, "web_codes_fullnames": names}))

        read_labels = facts.labels and [(label.code, label.name) for label in facts.labels]
        assert read_labels == (labels and [*labels.items()]), codes
    vegan = facts_of(save_facts({"Calories": "1", "Recipe_Web_Codes": "VGN VGT"}))
    assert vegan.labels == (VEGAN, Label("VGT", "vegetarian"))


def day(number, **fields):
    return {"Serve_Date": f"11/{number}/2026", **fields}


def test_the_last_date_with_facts_of_the_dish_counts(save_facts):
    old = {"Recipe_Print_As_Name": "Old Soup"}
    for rows, expected in [
        ([day(20, Calories="1"), day(21, Calories="2")], Facts(calories=2, as_of="2026-11-21")),
        ([day(20, Calories="1"), day(20, Calories="2", Location_Number="7")], Facts(calories=2, as_of="2026-11-20")),
        ([day(20, Calories="1"), day(21, Calories="1")], Facts(calories=1, as_of="2026-11-21")),
        ([day(20, Calories="1"), day(21)], Facts(calories=1, as_of="2026-11-20")),
        ([day(20, Calories="1"), day(21, Calories="x")], Facts(calories=1, as_of="2026-11-20")),
        ([day(20, Calories="1", Sodium=["1"]), day(21, Calories="2")], Facts(calories=2, as_of="2026-11-21")),
        # Of another dish with the number.
        ([day(20, Calories="1", **old), day(21)], None),
        ([day(20, Calories="9", **old), day(21, Calories="1"), day(21)], Facts(calories=1, as_of="2026-11-21")),
    ]:
        assert facts_of(save_facts(*rows)) == expected, rows


def test_a_row_without_facts_of_another_dish_with_the_number_makes_its_allergens_unknown(save_facts):
    for name, allergens in [("Soup", None), ("KASHI PILAF", ("Wheat",))]:
        other = day(20, Recipe_Print_As_Name=name)

        facts = facts_of(save_facts(other, day(21, Calories="1", Allergens="Wheat")))

        assert (facts.calories, facts.allergens) == (1, allergens), name


def test_a_dish_has_the_allergens_of_all_rows_unless_they_are_unknown_in_one(save_rows, save_facts):
    for first, second, allergens, outcome in [
        ("Milk", "Egg", ("Egg", "Milk"), "the dish has all of them"),
        ("Milk", "", None, "those of the dish are unknown"),
        ("", "Egg", None, "those of the dish are unknown"),
    ]:
        one = foodpro_row(Allergens=first, Calories="1")
        other = foodpro_row(Allergens=second, Calories="2", Location_Number="7")
        for paths in ([save_rows(one, other, name="both.json")], [save_rows(one, name="one.json"), save_rows(other)]):
            result = read(*paths)

            [message] = result.warnings
            assert result.lists.facts[31001].allergens == allergens, (first, paths)
            each = [f"{text or 'none'} on 2026-11-20" for text in (first, second)]
            differ = "recipe 'Kashi Pilaf' has different allergens"
            messages = [f"{differ}: {', '.join(order)}: {outcome}" for order in (each, each[::-1])]
            assert message in messages, (first, paths)
    # Allergens that differ every day are one warning.
    result = read(save_facts(day(20, Allergens="Milk"), day(22, Allergens="Fish"), day(21, Allergens="Egg")))
    facts = result.lists.facts[31001]
    assert (facts.allergens, facts.as_of, len(result.warnings)) == (("Egg", "Fish", "Milk"), "2026-11-22", 1)
    may_contain = facts_of(save_facts(day(20, Allergens="Egg"), day(21, Allergens="May contain: Milk")))
    diets = ("eggs free", "milk free", "vegan")
    assert may_contain == Facts(allergens=("Egg", "May contain: Milk"), as_of="2026-11-21", contradicts=diets)
    unreadable = facts_of(save_facts(day(20, Allergens="Egg"), day(21, Allergens="Milk\0")))
    assert (unreadable.contains, unreadable.allergens, unreadable.as_of) == (None, None, "2026-11-21")


def test_a_dish_has_the_labels_that_all_rows_of_all_dates_have(save_facts):
    for rows in (
        [day(20, Recipe_Web_Codes="VGN"), day(21, Recipe_Web_Codes="GF VGN")],
        [{"Recipe_Web_Codes": "VGN GF"}, {"Recipe_Web_Codes": "LOC VGN", "Location_Number": "7"}],
        [{"Recipe_Web_Codes": "VGN", "web_codes_fullnames": ""}],
    ):
        assert facts_of(save_facts(*rows)).labels == (VEGAN,), rows
    unlabelled = {"Recipe_Web_Codes": "", "Calories": "1"}
    assert facts_of(save_facts(day(20, **unlabelled), day(21, Recipe_Web_Codes="VGN"))).labels is None
