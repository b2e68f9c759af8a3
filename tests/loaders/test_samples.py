from datetime import date, timedelta

import pytest

from loaders import profiles
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from loaders.readers import dining
from loaders.samples import load_samples
from tests.factories import TODAY, building, foodpro_row, serving
from tests.loaders.live import live_collection


def day(days_after):
    return (date.fromisoformat(TODAY) + timedelta(days=days_after)).isoformat()


def dates(database):
    return sorted(menu["_id"] for menu in live_collection(database, "menus").find())


def revisions(database):
    return {dataset["_id"]: dataset["revision"] for dataset in database.datasets.find()}


def live_buildings(database):
    return [document["_id"] for document in live_collection(database, "buildings").find()]


def test_an_empty_database_is_filled_with_buildings(database):
    load_samples(database, TODAY)

    assert 101 in live_buildings(database)


def test_an_empty_database_is_filled_with_menus_from_yesterday_to_a_week_ahead(database):
    load_samples(database, TODAY)

    assert dates(database) == [day(number) for number in range(-1, 8)]


def test_every_day_of_the_samples_has_items(database):
    load_samples(database, TODAY)

    assert all(menu["items"] for menu in live_collection(database, "menus").find())


def test_menu_items_refer_to_existing_entities(database):
    load_samples(database, TODAY)

    items = [item for menu in live_collection(database, "menus").find() for item in menu["items"]]
    for field, collection in [("location", "locations"), ("category", "categories"), ("recipe", "recipes")]:
        assert {item[field] for item in items} <= set(live_collection(database, collection).distinct("_id"))


@pytest.mark.parametrize(
    ("collection", "ids"), [("buildings", [1145, 1358]), ("categories", [32, 62]), ("recipes", [22011, 22045])]
)
def test_the_ids_of_the_original_documentation_exist(database, collection, ids):
    load_samples(database, TODAY)

    assert set(ids) <= set(live_collection(database, collection).distinct("_id"))


def test_some_buildings_have_a_drawing(database):
    load_samples(database, TODAY)

    drawings = live_collection(database, "buildings").distinct("image", {"image": {"$ne": None}})
    assert len(drawings) == 4
    assert all(drawing.startswith("data:image/png;base64,") for drawing in drawings)


def sample_facts(database):
    """Return the facts of all recipes of the samples."""
    load_samples(database, TODAY)
    return [recipe["facts"] for recipe in live_collection(database, "recipes").find()]


def test_every_recipe_has_facts_of_which_a_few_are_unknown(database):
    facts = sample_facts(database)

    unknown = {name: [each[name] for each in facts].count(None) for name in ("calories", "ingredients", "allergens")}
    assert unknown == {"calories": 2, "ingredients": 3, "allergens": 30}


def test_calories_of_the_samples_are_those_of_their_nutrients(database):
    facts = [each for each in sample_facts(database) if each["calories"] is not None]

    calories = {"total_fat": 9, "total_carbohydrate": 4, "protein": 4}
    for each in facts:
        computed = sum(each["nutrients"][name]["amount"] * factor for name, factor in calories.items())
        assert each["calories"] == pytest.approx(computed, rel=0.1)


def test_dishes_with_vegan_labels_have_no_milk_eggs_or_fish(database):
    vegan = [each for each in sample_facts(database) if "VGN" in {label["code"] for label in each["labels"] or ()}]

    assert len(vegan) > 30
    assert not {allergen for each in vegan for allergen in each["allergens"] or ()} & {"Milk", "Eggs", "Fish"}


def test_all_labels_of_the_samples_have_names(database):
    labels = [label for each in sample_facts(database) for label in each["labels"] or ()]

    assert {label["code"] for label in labels if label["name"] is None} == set()


def test_all_halls_but_one_have_a_building_of_the_samples_and_hours_until_the_last_day(database):
    load_samples(database, TODAY)

    locations = list(live_collection(database, "locations").find())
    assert [each["name"] for each in locations if "building" not in each] == ["Cronkhite Dining Room"]
    assert {each["building"] for each in locations if "building" in each} <= set(live_buildings(database))
    assert {each["until"] for location in locations for each in location.get("hours", ())} == {day(7)}


def test_every_meal_of_a_hall_with_hours_has_hours(database):
    load_samples(database, TODAY)

    halls = {each["_id"]: each.get("hours") for each in live_collection(database, "locations").find()}
    meals = {id_: {each["meal"] for each in hours} for id_, hours in halls.items() if hours}
    items = [item for menu in live_collection(database, "menus").find() for item in menu["items"]]
    assert {
        (item["location"], item["meal"])
        for item in items
        if item["meal"] not in meals.get(item["location"], {item["meal"]})
    } == set()


def test_facts_are_never_of_a_day_in_the_future(database):
    assert {each["as_of"] for each in sample_facts(database)} <= {day(-1), TODAY}


def test_the_sources_are_named_as_samples(database):
    load_samples(database, TODAY)

    sources = [source["file"] for dataset in database.datasets.find() for source in dataset["sources"]]
    assert sorted(sources) == ["samples/buildings.geojson", "samples/foodpro.csv"]


def test_loading_the_samples_twice_on_a_day_writes_nothing(database):
    load_samples(database, TODAY)
    load_samples(database, TODAY)

    assert revisions(database) == {"buildings": 1, "dining": 1}
    assert database.loads.count_documents({}) == 2


def test_the_menus_are_updated_on_a_later_day(database):
    load_samples(database, TODAY)
    load_samples(database, day(30))

    assert {day(number) for number in range(29, 38)} <= set(dates(database))


def test_the_buildings_are_unchanged_on_a_later_day(database):
    load_samples(database, TODAY)
    load_samples(database, day(1))

    assert revisions(database) == {"buildings": 1, "dining": 2}


def test_loaded_buildings_are_not_replaced(database, load_buildings):
    load_buildings(building(7))

    load_samples(database, TODAY)

    assert (live_buildings(database), len(dates(database))) == ([7], 9)


def test_loaded_menus_are_not_replaced(database, load_dining):
    load_dining(serving(date="2020-01-01"))

    load_samples(database, TODAY)

    assert (dates(database), 101 in live_buildings(database)) == (["2020-01-01"], True)


def test_menus_loaded_over_the_samples_are_not_replaced(database, load_dining):
    load_samples(database, TODAY)
    load_dining(serving(date="2020-01-01"))

    load_samples(database, day(30))

    assert day(30) not in dates(database)


def test_an_export_may_have_the_file_name_of_a_sample(database, save_csv):
    result = dining.read([save_csv(foodpro_row(), name="foodpro.csv")], profiles.load_dining_profile("foodpro"))
    publish(database, plan_dining(database, result.records), result.sources)

    load_samples(database, day(30))

    assert dates(database) == [TODAY]
