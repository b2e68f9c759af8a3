"""What rows say about the allergens of recipes."""

import json
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campus_api.domain.models import Label, Spelling
from loaders import profiles
from loaders.documents.evidence import find_evidence, unstated, with_denied
from loaders.errors import DataWarning
from loaders.readers import dining
from tests.factories import foodpro_row
from tests.unit.test_allergens import MARKUP, OTHERS, mixed

FOODPRO = profiles.load_dining_profile("foodpro")
US = ("crustaceans", "eggs", "fish", "milk", "peanuts", "sesame", "soy", "tree nuts", "wheat")
US_WITHOUT_MILK = tuple(word for word in US if word != "milk")


def rows(*fields):
    """Return a FoodPro row of a recipe for each of the fields."""
    return [
        foodpro_row(Recipe_Number=str(number), Recipe_Print_As_Name=f"Dish {number}") | each
        for number, each in enumerate(fields)
    ]


def read(path, profile=FOODPRO, **rules):
    return dining.read([(replace(profile, allergens=replace(profile.allergens, **rules)), [path])])


def facts_of(result):
    """Return the facts of the first recipe, with what the rows of the load deny."""
    facts = result.lists.facts
    return with_denied(min(facts.items())[1], find_evidence(facts.values()))


def unlisted(result):
    """Return the warnings about words that no recipe lists."""
    facts = result.lists.facts.values()
    return [*unstated(result.untracked, facts, find_evidence(facts))]


def messages(result):
    return [(message, each.times) for message, each in result.warnings.items()]


def test_a_recipe_contains_what_is_listed_and_what_its_ingredients_name(save_rows):
    for allergens, ingredients, contains in (
        ("Dairy", "", ("milk",)),
        ("Wheat", "Flour, Butter, Celery", ("celery", "gluten", "milk", "wheat")),
        ("Shellfish; Egg", "Coconut Milk", ("coconut", "crustaceans", "eggs", "molluscs")),
        (["Milk", "Egg"], None, ("eggs", "milk")),
        ("Nobody knows", "Butter", None),
        ("Milk, Nobody knows", "", None),
        ("Eggs<img alt='Milk'>", "", None),
        ("", "Butter", None),
        (" ", "Butter", None),
        (None, "Butter", None),
        (0, "Butter", None),
    ):
        path = save_rows(*rows({"Allergens": allergens, "Ingredient_List": ingredients, "Calories": "1"}))
        assert facts_of(read(path)).contains == contains, (allergens, ingredients)


def test_an_empty_field_denies_allergens_only_by_the_profile(save_rows):
    for fields, contains in (
        ({"Allergens": "", "Ingredient_List": "Water"}, ()),
        ({"Allergens": " ", "Ingredient_List": ""}, ()),
        ({"Allergens": "", "Ingredient_List": "Butter"}, ("milk",)),
        ({"Allergens": "None", "Ingredient_List": "Water"}, ()),
        ({"Allergens": "No known allergens", "Ingredient_List": "Water"}, ()),
        ({"Allergens": "-", "Ingredient_List": "Water"}, ()),
        ({"Allergens": "<img alt='Milk'>", "Ingredient_List": "Water"}, None),
        # A renamed column looks like this.
        ({"Ingredient_List": "Water"}, None),
        ({"Allergens": None, "Ingredient_List": "Water"}, None),
    ):
        facts = facts_of(read(save_rows(*rows(fields)), empty_is_none=True, tracked=US))
        assert (facts.contains, "milk" in facts.without) == (contains, contains == ()), fields


def test_a_word_is_stated_by_the_profile_or_by_a_recipe_that_lists_it(save_rows):
    for fields, tracked, without in [
        ({"Allergens": "Milk"}, (), ()),
        ({"Allergens": "Milk"}, US, US_WITHOUT_MILK),
        ({"Allergens": "", "Calories": "1"}, US, ()),
        ({"Allergens": "?"}, US, ()),
        # An icon that says nothing of what is in a dish.
        ({"Allergens": "Spicy"}, US, ()),
        ({"Allergens": "Milk, spicy"}, US, US_WITHOUT_MILK),
        ({"Allergens": "Milk", "Ingredient_List": "Celery"}, ("celery", "lupin", "milk"), ("lupin",)),
        # Gluten alone leaves wheat open, and no gluten is no wheat.
        *(({"Allergens": text}, ("gluten",), ()) for text in ("Gluten", "Barley", "Wheat")),
        ({"Allergens": "Milk"}, ("gluten",), ("gluten", "wheat")),
        ({"Allergens": "Milk", "Ingredient_List": "Ohne Gluten Weizenbrot"}, ("gluten",), ("gluten",)),
        # Neither contained nor denied.
        ({"Allergens": "Milk, may contain eggs"}, ("eggs", "milk", "soy"), ("soy",)),
        *(({"Allergens": f"Milk, may contain {each}"}, ("gluten", "soy"), ("soy",)) for each in ("wheat", "gluten")),
        ({"Allergens": "Milk", "Recipe_Print_As_Name": "Pesto"}, ("soy", "tree nuts"), ("soy",)),
        # What is no allergen is no list.
        *(({"Allergens": text}, ("soy",), ()) for text in ("Pork", "Lactose Free", "Pesto", "mit Farbstoff")),
    ]:
        assert facts_of(read(save_rows(*rows(fields)), tracked=tracked)).without == without, (fields, tracked)
    for listed, without in [
        ("Wheat", ("wheat",)),
        ("Wheat, Gluten", ("gluten", "wheat")),
        ("Shellfish, Nuts; Meeresfrüchte", ()),
        ("Seafood, Fish", ("fish",)),
        ("Molluscs, Nuts (almonds)", ("molluscs", "tree nuts")),
    ]:
        path = save_rows(*rows({"Allergens": "Milk"}, {"Allergens": listed, "Ingredient_List": "Tofu"}))
        assert facts_of(read(path)).without == without, listed


def test_words_that_no_recipe_lists_are_one_warning_with_the_line_of_a_profile(save_rows):
    path = save_rows(*rows({"Allergens": "Milk, eggs, soy, peanuts, nuts"}, {"Allergens": "Wheat, fish, sesame"}))

    words = ["celery", "crustaceans", "gluten", "lupin", "molluscs", "mustard", "sulphites", "tree nuts"]
    line = f"tracked_allergens = {json.dumps(words)}"
    reason = f"are never listed: `without` matches no dish, unless the profile says that they would be, with {line}"
    assert unlisted(read(path)) == [DataWarning("allergens", ", ".join(words), reason)]
    assert unlisted(read(path, tracked=("milk",))) == []
    [warning] = unlisted(read(save_rows(*rows({"Allergens": "Milk, Gluten"}))))
    words = "celery, crustaceans, eggs, fish, lupin, molluscs, mustard, peanuts, sesame, soy, sulphites, tree nuts"
    assert warning.value == words
    for fields in ({"Allergens": "", "Ingredient_List": "Milk"}, {"Allergens": "Nobody knows"}):
        assert unlisted(read(save_rows(*rows(fields)), empty_is_none=True)) == [], fields


def test_names_of_a_profile_stand_for_words_of_the_vocabulary_or_of_its_own(dining_profile, save_rows):
    names = '"Egg-Cup" = "eggs"\nPork = "pork"\n"A, C" = ["wheat", "milk"]\nMSG = ""\n'
    profile = dining_profile(f"[allergens]\n{names}")
    for allergens, contains, spellings in (
        ("egg-cup; MSG", ("eggs",), (Spelling("egg-cup", ("eggs",)),)),
        ("Pork, Milk", ("milk", "pork"), (Spelling("Pork", ("pork",)),)),
        ("A, C", ("gluten", "milk", "wheat"), ()),
        ("MSG", None, ()),
    ):
        facts = facts_of(read(save_rows(*rows({"Allergens": allergens})), profile))
        assert (facts.contains, facts.spellings) == (contains, spellings), allergens


def test_a_dish_contains_what_any_row_says_and_lacks_what_all_say(save_rows):
    others = tuple(word for word in US_WITHOUT_MILK if word not in ("eggs", "soy"))
    for second, contains, without in [
        ({"Allergens": "Egg", "Ingredient_List": "Tofu"}, ("eggs", "milk", "soy"), others),
        ({"Allergens": "Dairy"}, ("milk",), US_WITHOUT_MILK),
        ({"Allergens": "?"}, None, ()),
        ({"Allergens": "", "Calories": "1"}, None, ()),
    ]:
        path = save_rows(foodpro_row(Allergens="Milk"), foodpro_row(Serve_Date="11/21/2026", **second))
        result = read(path, tracked=US)

        facts = facts_of(result)
        assert (facts.contains, facts.without) == (contains, without), second
        # Another spelling is no difference.
        assert bool(result.warnings) is (contains != ("milk",)), second


def test_each_unknown_text_is_one_warning_with_its_dishes_and_the_line_of_a_profile(save_rows):
    texts = ["Milk, Egg-Cup", "Egg-Cup; egg-cup (acme)", "Nobody knows"]
    again = {"Allergens": "Nobody knows", "Serve_Date": "11/21/2026"}

    result = read(save_rows(*rows(*({"Allergens": text, "Ingredient_List": "Tofu"} for text in texts), again)))

    reason = "is no known allergen: those of the dish are unknown; [allergens] needs a line"
    assert messages(result) == [
        (f'Allergens \'Egg-Cup\' {reason} "Egg-Cup" = "?"', 2),
        (f'Allergens \'acme\' {reason} "acme" = "?"', 1),
        (f'Allergens \'Nobody knows\' {reason} "Nobody knows" = "?"', 2),
    ]


def test_a_dish_whose_name_or_ingredients_name_more_than_its_list_is_a_warning(save_rows):
    names = "Peanut Butter Cookies", "Hähnchen in Sesamkruste", "Nut-Free Pesto with Parmesan", "Soup"
    fields = [{"Allergens": "Milk", "Recipe_Print_As_Name": name} for name in names]
    rice = {"Allergens": "Wheat, nuts, may contain fish", "Ingredient_List": "Butter, Soy Sauce, Cod"}
    fields.append({**rice, "Recipe_Print_As_Name": "Rice"})
    fields.append({"Allergens": "", "Recipe_Print_As_Name": "Cheese Pizza", "Ingredient_List": "Butter"})

    path = save_rows(*rows(*fields))
    result = read(path)

    assert messages(result) == [
        ("recipe 'Peanut Butter Cookies' names peanuts in its name, and not in its list", 1),
        ("recipe 'Hähnchen in Sesamkruste' names sesame in its name, and not in its list", 1),
        ("recipe 'Rice' names milk, soy in its ingredients, and not in its list", 1),
    ]
    # Words that neither the profile nor a list states are no gaps of lists.
    assert messages(read(path, tracked=("soy",))) == messages(result)[2:]
    contained = [each.contains for _, each in sorted(result.lists.facts.items())]
    assert contained[:3] == [("milk", "peanuts"), ("milk", "sesame"), ("milk",)]
    days = {"11/20/2026": "Sesame Tofu", "11/21/2026": "Sesame Rice", "11/22/2026": "Sesame Soup"}
    renamed = (foodpro_row(Serve_Date=day, Recipe_Print_As_Name=name, Allergens="Milk") for day, name in days.items())
    assert "recipe 'Sesame Rice' names sesame, soy" in messages(read(save_rows(*renamed)))[0][0]


def test_labels_that_a_dish_contradicts_are_counted(save_rows):
    fields = [
        {"Allergens": "Milk", "Recipe_Web_Codes": "VGN LOC"},
        {"Allergens": "Wheat", "Ingredient_List": "No bun, cheddar or egg", "Recipe_Web_Codes": "VGN"},
        {"Allergens": "Fish", "Recipe_Web_Codes": "VGN VGT"},
        {"Recipe_Print_As_Name": "Caprese", "Recipe_Web_Codes": "X", "web_codes_fullnames": "Vegan Friendly"},
        {"Allergens": "Milk", "Recipe_Web_Codes": "VGT", "Recipe_Print_As_Name": "Lentil Bolognese"},
        {"Allergens": "Milk", "Recipe_Web_Codes": "VGT", "Recipe_Print_As_Name": "Penne Bolognese"},
        {"Allergens": "Milk", "Recipe_Web_Codes": "VGT", "Recipe_Print_As_Name": "Straußenfilet"},
        {"Allergens": "Milk, Pork", "Recipe_Web_Codes": "VGT"},
        {"Allergens": "?", "Ingredient_List": "Milk", "Recipe_Web_Codes": "VGN"},
        {"Allergens": "May contain nuts", "Recipe_Web_Codes": "NF"},
        {"Allergens": "May contain walnuts", "Recipe_Web_Codes": "NF", "Recipe_Print_As_Name": "Pesto"},
        {"Allergens": "Soy", "Recipe_Print_As_Name": "Vegan Beef & Vegan Cheese Pizza", "Recipe_Web_Codes": "VGN"},
    ]

    result = read(save_rows(*rows(*fields)))

    reason = "is contradicted by what the dish lists or names: `label` does not match it"
    counts = [each for each in messages(result) if each[0].startswith("label")]
    expected = {"VGN": 4, "VGT": 4, "X": 1, "NF": 2}
    assert counts == [(f"label {code!r} {reason}", times) for code, times in expected.items()]
    assert Label("LOC", "local") in facts_of(result).labels


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mixed(MARKUP, OTHERS), st.booleans())
def test_no_row_with_a_spelling_of_milk_is_known_without_milk(save_rows, text, listed):
    fields = {"Allergens": text} if listed else {"Allergens": "Wheat", "Ingredient_List": text}

    facts = facts_of(read(save_rows(*rows(fields)), empty_is_none=True))

    assert "milk" not in facts.without
    assert facts.contains is None or "milk" in facts.contains
