"""Names and facts are those of the newest date in whatever order of loads, allergens those of all dates to come."""

from dataclasses import replace
from datetime import date
from itertools import product

import pytest

from campus_api.db.connection import connect
from campus_api.domain.models import SAMPLES, Facts, Listing, LocationDetails, MealHours, NamedEntity
from loaders.documents.serving import DiningLists, MenuRow
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, TOMORROW, YESTERDAY, serving
from tests.loaders.live import live_collection, live_data

LAST_YEAR, NEXT_WEEK = "2025-11-20", "2026-11-27"


def publish_on_today(database, servings, **lists):
    """Publish these servings and facts, by the id of the recipe, on the day TODAY."""
    publish(database, plan_dining(database, servings, lists=DiningLists(**lists), today=date.fromisoformat(TODAY)))


@pytest.fixture
def load(database):
    return lambda *servings, **lists: publish_on_today(database, servings, **lists)


def recipe(database, id_=5):
    document = live_collection(database, "recipes").find_one({"_id": id_})
    stated = document.get("facts", {})
    return document["name"], stated.get("calories"), stated.get("allergens"), stated.get("as_of")


def soup(day=LAST_YEAR):
    return serving(5, "Old Soup", date=day)


def soup_facts(day=LAST_YEAR):
    return {5: Facts(calories=999, allergens=("Oats",), as_of=day)}


def dish(day=TODAY):
    return serving(5, "Dish 5", date=day)


def dish_facts(day=TODAY):
    return {5: Facts(calories=100, allergens=("Peanuts",), as_of=day)}


def test_the_name_and_facts_are_those_of_the_last_date_and_allergens_those_of_all_to_come(database, load, empty):
    for live, exported, expected in [
        (TOMORROW, [soup()], ("Dish 5", 100, ["Peanuts"], TOMORROW)),
        (NEXT_WEEK, [soup(TODAY)], ("Dish 5", 100, ["Oats", "Peanuts"], NEXT_WEEK)),
        (YESTERDAY, [soup(TODAY)], ("Old Soup", 999, ["Oats"], TODAY)),
        # The last date is corrected, or serves another dish.
        (TOMORROW, [soup(TOMORROW)], ("Old Soup", 999, ["Oats", "Peanuts"], TOMORROW)),
        (TOMORROW, [soup(TODAY), serving(6, date=TOMORROW)], ("Old Soup", 999, ["Oats"], TODAY)),
    ]:
        empty()
        load(dish(), dish(live), facts=dish_facts(live))

        load(*exported, facts=soup_facts(exported[0].date))

        assert recipe(database) == expected, (live, exported)
    load(dish(NEXT_WEEK), facts=dish_facts(NEXT_WEEK))
    load(soup(TOMORROW), facts={})
    assert recipe(database) == ("Dish 5", 100, None, NEXT_WEEK)
    load(serving(7, "Rice"))
    load(serving(7, "Rice", date=TOMORROW), facts={7: Facts(calories=1, allergens=("Milk",))})
    assert recipe(database, 7) == ("Rice", 1, ["Milk"], None)


def test_what_a_recipe_lists_is_evidence_until_the_day_on_which_it_is_served_last(database, load, empty):
    milk, fish = (Facts(contains=(word,), listings=(Listing("own", (word,)),)) for word in ("milk", "fish"))
    for day, without in ((YESTERDAY, []), (TODAY, ["fish"])):
        empty()
        load(dish(day), facts={5: fish})

        load(serving(6, date=TOMORROW), serving(7, date=LAST_YEAR), facts={5: fish, 6: milk})

        assert live_collection(database, "recipes").find_one({"_id": 6})["facts"]["without"] == without, day


def test_a_recipe_that_no_live_date_serves_any_more_has_the_name_and_facts_of_any_export(database, load):
    load(dish(TOMORROW), facts=dish_facts(TOMORROW))
    load(serving(6, date=TOMORROW))

    load(soup(), facts=soup_facts())

    assert recipe(database) == ("Old Soup", 999, ["Oats"], LAST_YEAR)


def test_facts_without_menus_are_as_old_as_they_say(database, load):
    load(dish(), facts=dish_facts())

    for day, expected in [(LAST_YEAR, "Dish 5"), (TOMORROW, "Old Soup")]:
        load(names={"recipe": {5: "Old Soup"}}, facts=soup_facts(day), closed_days=[YESTERDAY])

        assert recipe(database)[0] == expected, day


def test_a_name_in_a_list_without_a_date_replaces_only_one_without_live_dates(database, load):
    load(dish(), serving(6, "Rice", date=TOMORROW))
    load(serving(7, date=TOMORROW))

    load(names={"recipe": {5: "Old Soup", 6: "Old Rice"}}, closed_days=[YESTERDAY])

    assert [recipe(database, id_)[0] for id_ in (5, 6)] == ["Dish 5", "Old Rice"]


def test_an_older_export_renames_neither_halls_nor_categories(database, load):
    load(serving(1))

    load(MenuRow(LAST_YEAR, 0, NamedEntity(30, "Old Hall"), NamedEntity(23, "Old Category"), NamedEntity(2, "Rice")))

    assert live_collection(database, "locations").find_one()["name"] == "Hall 30"
    assert live_collection(database, "categories").find_one()["name"] == "Category 23"


def test_an_older_export_replaces_neither_the_hours_nor_the_building_of_a_hall(database, load):
    lunch, old_lunch = (MealHours(1, text, "2027-08-01") for text in ("11:30-14:00", "12:00-13:00"))
    load(dish(), dish(TOMORROW), serving(location=7), halls={30: LocationDetails(161, (lunch,))})

    for configured, expected in [({}, (161, [lunch._asdict()])), ({30: LocationDetails(203)}, (203, None))]:
        old = LocationDetails(5, (old_lunch,))
        load(soup(), serving(location=7, date=LAST_YEAR), halls={30: old, 7: old}, configured_halls=configured)

        without_hours, location = live_collection(database, "locations").find(sort=[("_id", 1)])
        assert (location["building"], location.get("hours")) == expected, configured
        assert (without_hours["building"], without_hours["hours"]) == (5, [old_lunch._asdict()]), configured


def test_samples_are_never_newer(database, load):
    samples = plan_dining(database, [dish(NEXT_WEEK)], lists=DiningLists(facts=dish_facts(NEXT_WEEK)))
    publish(database, replace(samples, sources=[{"file": f"{SAMPLES}menus.csv", "sha256": ""}]))

    load(soup(TODAY), facts=soup_facts(TODAY))

    assert recipe(database) == ("Old Soup", 999, ["Oats", "Peanuts"], TODAY)


def test_the_order_of_two_exports_does_not_matter():
    days = [(LAST_YEAR, YESTERDAY), (YESTERDAY, TODAY), (TODAY, NEXT_WEEK), (LAST_YEAR, NEXT_WEEK)]
    stated = [None, Facts(calories=1, allergens=("Milk",)), Facts(calories=2)]
    for case in product(days, [("Stew", "STEW"), ("Stew", "Soup")], product(stated, repeat=2)):
        exports = [
            ([serving(5, name, date=day)], {5: replace(each, as_of=day)} if each else {})
            for day, name, each in zip(*case, strict=True)
        ]

        published = []
        for order in (exports, exports[::-1]):
            database = connect({"mongo.uri": "mongomock://"}).database
            for servings, facts in order:
                publish_on_today(database, servings, facts=facts)
            published.append(live_data(database, "dining")["recipes"])

        assert published[0] == published[1], case
