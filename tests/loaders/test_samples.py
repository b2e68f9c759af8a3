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


def test_no_building_has_a_photo(database):
    load_samples(database, TODAY)

    assert live_collection(database, "buildings").distinct("image") == [None]


def test_some_recipes_have_facts_of_the_days_of_the_samples(database):
    load_samples(database, TODAY)

    facts = [recipe["facts"] for recipe in live_collection(database, "recipes").find() if "facts" in recipe]
    assert len(facts) >= 12
    assert [each["allergens"] for each in facts].count(None) == 3
    assert {each["as_of"] for each in facts} <= {day(number) for number in range(-1, 8)}


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
