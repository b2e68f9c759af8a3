"""Dishes: menus grouped, with what recipes are made of, filtered by labels and allergens."""

from urllib.parse import urlencode

import pytest

from campus_api.domain.models import ImpliedLabel, Label, Spelling
from tests.factories import TODAY, TOMORROW, facts, serving
from tests.loaders.live import live_collection

URL = "/dining/dishes"
VEGETARIAN = Label("VGT", "vegetarian")
VEGAN = Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),))
LOCAL = Label("LOC")
WORDS = (
    "celery, coconut, crustaceans, eggs, fish, gluten, lupin, milk, molluscs, mustard, peanuts, sesame, soy, "
    "sulphites, tree nuts, wheat"
)


def names(service, query=""):
    return [dish["name"] for dish in service.app.get(f"{URL}?{query}", status=200).json]


def get_problem(service, query):
    return service.app.get(f"{URL}?{query}", status=400).json


@pytest.fixture
def diets(service):
    """A service with dishes of different labels and allergens."""
    service.serve_dishes(
        Salad={"labels": (VEGAN, LOCAL), "allergens": ("Tree Nuts",)},
        Omelette={"labels": (VEGETARIAN,), "allergens": ("Eggs", "Milk")},
        Salmon={"labels": (LOCAL,), "allergens": ("Fish",)},
        Mystery={"labels": None, "allergens": None},
        Tofu={"labels": (VEGAN,), "allergens": None},
        Rice=None,
    )
    return service


def test_a_dish_has_its_locations_and_facts(service):
    # It has the name of the first one.
    service.serve_dining(serving(name="Pilaf", location=30), serving(location=7), serving(2), facts={31001: facts()})

    known, unknown = service.app.get(URL).json

    assert (known["name"], known["locations"], known["meal_names"]) == ("Kashi Pilaf", [7, 30], ["breakfast"] * 2)
    assert (known["facts"], unknown["facts"]) == (service.app.get("/dining/recipes/31001/facts").json, None)


def test_a_dish_has_the_name_of_its_meal_in_each_location(service):
    brunch = serving(1, meal=1, location=30, meal_name="Brunch"), serving(1, meal=1, location=7)
    service.serve_dining(*brunch, serving(1, meal=3, meal_name="Late Night"))

    names = [(dish["locations"], dish["meal_names"]) for dish in service.app.get(URL).json]

    assert names == [([7, 30], ["lunch", "Brunch"]), ([30], ["Late Night"])]


def test_a_dish_is_of_one_date_meal_and_category_in_the_order_of_menus(service):
    breakfast = serving(1, location=30), serving(1, location=7, category=24), serving(1, location=7)
    service.serve_dining(*breakfast, serving(1, meal=2), serving(1, date=TOMORROW))
    first, *others = (TODAY, 0, 24, [7]), (TODAY, 0, 23, [7, 30]), (TODAY, 2, 23, [30]), (TOMORROW, 0, 23, [30])

    for query, expected in (
        (f"from={TODAY}&to={TOMORROW}", [first, *others]),
        ("location=30&meal=0", [(TODAY, 0, 23, [30])]),
        ("recipe=1&category=24", [first]),
        ("recipe=2", []),
    ):
        dishes = service.app.get(f"{URL}?{query}").json
        assert [tuple(map(dish.get, ("date", "meal", "category", "locations"))) for dish in dishes] == expected, query


def test_a_label_is_the_code_or_the_name_of_several_or_is_implied(service):
    service.serve_dishes(
        Tofu={"labels": (VEGAN,)},
        Bread={"labels": (Label("V", "Vegan", implies=(ImpliedLabel("ECO", "Fair"),)), LOCAL)},
        # A code of two diets is that of both only.
        Quiche={"labels": (Label("P", "Meatless"),)},
        Wrap={"labels": (Label("P", "Plant-based"),)},
    )
    for query, dishes in (
        *((f"label={each}", ["Tofu", "Bread"]) for each in ("VEGAN", "plant-based", "v")),
        *((f"label={each}", ["Bread"]) for each in ("fair", "eco")),
        *((f"label={each}", ["Tofu", "Bread", "Quiche", "Wrap"]) for each in ("vegetarian", "loc&label=VGT")),
    ):
        assert names(service, query) == dishes, query


def test_an_unknown_term_is_reported_with_those_there_are(diets):
    no_allergen = f"is not one of the allergens, which are {WORDS}"
    no_label = "is not one of the labels of the provider, which are LOC, VGN (vegan), VGT (vegetarian)"
    parameters = "date, from, to, meal, location, category, recipe, label, without"
    for query, value, reason, corrected in (
        ("without=tre+nuts", "tre nuts", no_allergen, f"{URL}?without=tree+nuts"),
        ("label=vegn", "vegn", no_label, f"{URL}?label=vegan"),
        ("label=vgnx", "vgnx", no_label, f"{URL}?label=VGN"),
        ("without=eggs,+milk", "eggs, milk", no_allergen, f"{URL}?without=eggs&without=milk"),
        ("without=gluten+free", "gluten free", no_allergen, f"{URL}?without=gluten"),
        ("without=Dairy-free", "Dairy-free", no_allergen, f"{URL}?without=milk"),
        ("without=glutenfrei", "glutenfrei", no_allergen, f"{URL}?without=gluten"),
        ("without=sans+lait", "sans lait", no_allergen, f"{URL}?without=milk"),
        ("without=no+nuts", "no nuts", no_allergen, f"{URL}?without=peanuts&without=tree+nuts"),
        ("without=pork", "pork", no_allergen, None),
        ("without=cocoa+butter", "cocoa butter", no_allergen, None),
        ("without=", "", "is empty", URL),
        ("label=%FF", "\ufffd", "is not UTF-8", None),
        ("label=halal", "halal", no_label, None),
        ("labels=Vegan", "Vegan", f"is not a parameter of dishes: these are {parameters}", f"{URL}?label=vegan"),
    ):
        problem = get_problem(diets, query)
        [error] = problem["errors"]
        assert (error["value"], error["reason"]) == (value, reason), query
        assert error["corrected"] == problem["corrected"] == corrected, query
    errors = get_problem(diets, "without=penuts&meal=lunch&label=VEGAN")["errors"]
    assert [(error["parameter"], error["value"]) for error in errors] == [("without", "penuts"), ("meal", "lunch")]


def test_an_allergen_is_a_word_a_spelling_or_a_name_of_the_provider(service):
    service.serve_dishes(
        Cake={"allergens": ("Milk", "Nuts (almonds)")},
        Soup={"allergens": ("Egg-Cup",), "contains": ("eggs",), "spellings": (Spelling("Egg-Cup", ("eggs",)),)},
        Roast={"allergens": ("Pork",), "contains": ("pork",), "without": ("eggs", "milk", "peanuts", "tree nuts")},
        Rice={"allergens": ("Sesame",), "without": ("eggs", "milk", "peanuts", "pork", "tree nuts")},
        Crab={"allergens": ("Crustacean Shellfish", "Egg and milk"), "without": ("tree nuts",)},
        Broth={"allergens": ("See label", "Milk, foo")},
    )
    for query, dishes in (
        ("without=almond", ["Roast", "Rice", "Crab"]),
        *((f"without={each}", ["Roast", "Rice"]) for each in ("milk", "nuts", "NUTS+(Almonds)", "egg+and++MILK")),
        ("without=egg-cup", ["Cake", "Roast", "Rice"]),
        ("without=Crustacean+Shellfish", ["Cake"]),
        ("without=Pork", ["Rice"]),
        ("without=pork&without=eggs", ["Rice"]),
    ):
        assert names(service, query) == dishes, query
    for text in ("See label", "Milk, foo", "milk and nuts", "Nut (almonds)", "_", "e", "n" * 257, "Milk" + " " * 300):
        reason = get_problem(service, urlencode({"without": text}))["errors"][0]["reason"]
        assert reason == f"is not one of the allergens, which are {WORDS.replace('peanuts', 'peanuts, pork')}", text
    assert get_problem(service, "without=See+label")["corrected"] is None


def test_an_allergen_that_the_provider_does_not_state_is_no_error(service):
    service.serve_dishes(Cake={"allergens": ("Milk",), "contains": ("celery", "milk")}, Mystery={"allergens": None})
    both = f"{URL}?date={TODAY}&date=2026-11-21"
    for url, dishes, reason in (
        (f"{URL}?without=soy", 1, None),
        (f"{URL}?without=milk", 0, "no-match"),
        *((f"{URL}?without={each}", 0, "not-stated") for each in ("lupin", "soy&without=lupin", "coconut")),
        (f"{URL}?without=lupin&date=1900-01-01", 0, "not-loaded"),
        (f"{both}&without=lupin", 0, "not-stated"),
        (f"{both}&without=milk", 0, None),
    ):
        response = service.app.get(url, status=200)
        assert (len(response.json), response.headers.get("X-Campus-Empty")) == (dishes, reason), url


def test_labels_that_allergens_contradict_do_not_match(service):
    service.serve_dishes(
        Lasagna={"labels": (VEGAN, LOCAL), "allergens": ("Milk",)},
        Omelette={"labels": (VEGAN,), "allergens": ("Eggs",)},
        Sushi={"labels": (VEGAN, VEGETARIAN), "allergens": ("Fish",)},
        Tofu={"labels": (Label("X", "Vegan friendly"),), "allergens": ("Milk", "Soy")},
        Curry={"labels": (VEGAN,), "allergens": ("Soy",)},
        Mystery={"labels": (VEGAN,), "allergens": None},
        Steak={"labels": (VEGAN, VEGETARIAN), "allergens": None, "contradicts": ("vegan", "vegetarian")},
    )
    for query, dishes in (
        *((f"label={each}", ["Curry", "Mystery"]) for each in ("vegan", "vegetarian")),
        ("label=loc", ["Lasagna"]),
        ("label=vegan&label=loc", ["Lasagna", "Curry", "Mystery"]),
        ("label=vegetarian&without=milk", ["Curry"]),
    ):
        assert names(service, query) == dishes, query


def test_labels_are_unknown_and_allergens_are_not_stated_before_the_first_load(service):
    assert "which are none" in get_problem(service, "label=vegan")["detail"]
    assert service.app.get(f"{URL}?without=milk").headers["X-Campus-Empty"] == "not-loaded"


def test_terms_are_those_of_the_live_revision(diets):
    diets.serve_dining(serving(5, "Tofu"), facts={5: facts(labels=(Label("HAL", "halal"),))})

    assert names(diets, "label=halal") == ["Tofu"]
    assert "HAL (halal), LOC, VGN (vegan), VGT (vegetarian)" in get_problem(diets, "label=x")["detail"]


def test_a_range_without_an_end_ends_today_or_on_its_first_date_and_one_that_ends_before_needs_its_beginning(service):
    service.serve_dining(serving())

    for first, last in (("2026-11-19", TODAY), (TOMORROW, TOMORROW)):
        response = service.app.get(f"{URL}?from={first}")

        assert response.headers["Content-Location"] == f"{URL}?from={first}&to={last}", first
        assert service.app.get(response.headers["Content-Location"]).body == response.body, first
    assert get_problem(service, "to=2026-11-19")["detail"] == f"to=2026-11-19 is before from, {TODAY}."


def test_links_repeat_labels_and_allergens_and_lead_to_the_words_of_other_spellings(diets):
    diets.serve_dining(serving(5, "Tofu", date="2026-11-21"))
    for query, words in {
        "without=Dairy": "without=milk",
        "without=nuts&meal=0": "meal=0&without=peanuts&without=tree+nuts",
        "without=milk&without=MILK": "without=milk",
        "without=milk&without=eggs": None,
        "label=VEGAN": None,
    }.items():
        headers = diets.app.get(f"{URL}?{query}").headers

        links = {"next": f"date=2026-11-21&{query}"} | ({"canonical": f"date={TODAY}&{words}"} if words else {})
        expected = ", ".join(f'<?{"&".join(sorted(link.split("&")))}>; rel="{rel}"' for rel, link in links.items())
        assert headers["Link"] == expected, query


def test_facts_are_read_once_but_for_those_beyond_the_limit_of_memory(service, monkeypatch):
    monkeypatch.setattr("campus_api.db.stores._MAX_ENCODED_FACTS", 2)
    service.serve_dishes(Soup={}, Rice={}, Tofu={})
    for query in ("recipe=1", "recipe=2&recipe=3"):
        names(service, query)

    live_collection(service.database, "recipes").drop()

    assert names(service, "recipe=1&recipe=2") == ["Soup", "Rice"]
    service.app.get(f"{URL}?recipe=3", status=503)
