from datetime import date, timedelta
from pathlib import Path

import pytest
from pymongo import MongoClient

import loaders.samples
from loaders import profiles
from loaders.readers import dining
from loaders.samples import load_samples
from tests.factories import TODAY, building, serving
from tests.loaders.live import live_collection
from tests.publishing import publish_dining

SAMPLES = Path(loaders.samples.__file__).parent


def day(days_after):
    return (date.fromisoformat(TODAY) + timedelta(days=days_after)).isoformat()


def dates(database):
    return sorted(menu["_id"] for menu in live_collection(database, "menus").find())


def live_buildings(database):
    return [document["_id"] for document in live_collection(database, "buildings").find()]


@pytest.fixture(scope="module")
def samples(shared_uri):
    """A database with the samples of TODAY, which no test changes."""
    with MongoClient(shared_uri, tz_aware=True) as client:
        database = client.get_default_database()
        load_samples(database, TODAY)
        yield database


def test_an_empty_database_is_filled_with_buildings_and_menus_from_yesterday_to_a_week_ahead(samples):
    assert dates(samples) == [day(number) for number in range(-1, 8)]
    assert live_collection(samples, "menus").find_one({"items": []}) is None
    for collection, ids in [("buildings", [101, 1145, 1358]), ("categories", [32, 62]), ("recipes", [22011, 22045])]:
        assert set(ids) <= set(live_collection(samples, collection).distinct("_id")), collection
    sources = [source["file"] for dataset in samples.datasets.find() for source in dataset["sources"]]
    assert sorted(sources) == ["samples/buildings.geojson", "samples/foodpro.csv"]


def test_labels_have_names_and_allergens_agree_with_ingredients_and_labels():
    result = dining.read([(profiles.load_dining_profile(str(SAMPLES / "foodpro.toml")), [SAMPLES / "foodpro.csv"])])
    facts = result.lists.facts.values()

    assert result.warnings == {}
    vegan = [each for each in facts if "VGN" in {label.code for label in each.labels or ()}]
    assert len(vegan) > 30
    assert {label.name is None for each in facts for label in each.labels or ()} == {False}


def test_all_halls_but_one_have_a_building_and_hours_of_every_meal_until_the_last_day(samples):
    locations = list(live_collection(samples, "locations").find())

    assert [each["name"] for each in locations if "building" not in each] == ["Cronkhite Dining Room"]
    assert {each["building"] for each in locations if "building" in each} <= set(live_buildings(samples))
    assert {each["until"] for location in locations for each in location.get("hours", ())} == {day(7)}
    meals = {each["_id"]: {hours["meal"] for hours in each["hours"]} for each in locations if each.get("hours")}
    menus = live_collection(samples, "menus").find()
    served = {(item["location"], item["meal"]) for menu in menus for item in menu["items"]}
    assert {(hall, meal) for hall, meal in served if hall in meals and meal not in meals[hall]} == set()


def test_on_a_later_day_the_menus_are_updated_and_on_the_same_day_nothing_is_written(database):
    for today, expected in [
        (TODAY, {"buildings": 1, "dining": 1}),
        (TODAY, {"buildings": 1, "dining": 1}),
        (day(30), {"buildings": 1, "dining": 2}),
    ]:
        load_samples(database, today)

        assert {each["_id"]: each["revision"] for each in database.datasets.find()} == expected, today
        assert database.loads.count_documents({}) == sum(expected.values()), today
    assert {day(number) for number in range(29, 38)} <= set(dates(database))


def test_loaded_buildings_and_menus_are_not_replaced(database, empty, load_buildings, load_dining):
    load_buildings(building(7))
    load_samples(database, TODAY)
    assert (live_buildings(database), len(dates(database))) == ([7], 9)

    # Menus may be loaded over the samples, too.
    for is_sample in (False, True):
        empty()
        if is_sample:
            load_samples(database, TODAY)
        load_dining(serving(date="2020-01-01"))
        load_samples(database, day(30))
        assert (day(30) in dates(database), 101 in live_buildings(database)) == (False, True), is_sample


def test_an_export_may_have_the_file_name_of_a_sample(database):
    publish_dining(database, [serving()], [{"file": "foodpro.csv", "sha256": ""}])

    load_samples(database, day(30))

    assert dates(database) == [TODAY]
