import pytest
from pymongo.errors import BulkWriteError

from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.publish import Overtaken, publish
from tests.factories import TODAY, building, serving
from tests.loaders.states import load_that_dies

TOO_LARGE = 2**64  # MongoDB has no such number: writing it fails, as a crash at that moment would.
TOMORROW = "2026-11-21"


def live_buildings(database):
    live = database.datasets.find_one({"_id": "buildings"})
    return sorted(document["_id"] for document in database[live["collection"]].find())


def dining_data(database):
    return {name: list(database[name].find(sort=[("_id", 1)])) for name in ("locations", "recipes", "menus")}


def states(database):
    return [record["state"] for record in database.imports.find(sort=[("_id", 1)])]


def test_an_import_that_was_not_finished_makes_the_same_load_publish_again(database, load_buildings):
    load_buildings(building(1))
    database.imports.insert_one({"dataset": "buildings", "state": "started"})

    revision = load_buildings(building(1))

    assert (revision, states(database)) == (2, ["published", "interrupted", "published"])


def test_an_import_of_the_other_data_set_is_left_alone(database, load_buildings):
    database.imports.insert_one({"dataset": "dining", "state": "started"})

    load_buildings(building(1))

    assert states(database) == ["started", "published"]


def test_after_the_repetition_nothing_changes_any_more(database, load_dining):
    database.imports.insert_one({"dataset": "dining", "state": "started"})
    load_dining(serving())

    assert plan_dining(database, [serving()]).changes_nothing


def test_what_an_interrupted_load_left_of_the_buildings_is_written_over(database, load_buildings):
    database.buildings_1.insert_many([{"_id": 1, "name": "half"}, {"_id": 9, "name": "a decoy"}])
    database.imports.insert_one({"dataset": "buildings", "state": "started"})

    load_buildings(building(1), building(2))

    assert live_buildings(database) == [1, 2]


def test_what_an_interrupted_load_left_of_the_menus_is_completed(database, load_dining):
    database.categories.insert_one({"_id": 23, "name": "Category 23"})
    database.recipes.insert_one({"_id": 1, "name": "Rice"})
    database.imports.insert_one({"dataset": "dining", "state": "started"})

    load_dining(serving(1, "Rice"), serving(2, "Soup"))

    assert [recipe["name"] for recipe in dining_data(database)["recipes"]] == ["Rice", "Soup"]


def test_a_crash_amid_the_buildings_leaves_the_old_ones_live(mongod_database):
    publish(mongod_database, plan_buildings(mongod_database, [building(1)]), [])

    load_that_dies(mongod_database, "buildings", map(building, range(1500)), at_write=2)

    assert (live_buildings(mongod_database), states(mongod_database)) == ([1], ["published", "started"])


def test_a_crash_amid_dining_leaves_the_old_menus(mongod_database):
    publish(mongod_database, plan_dining(mongod_database, [serving(1)]), [])
    plan = plan_dining(mongod_database, [serving(2), serving(3, meal=TOO_LARGE, date=TOMORROW)])

    with pytest.raises(OverflowError):
        publish(mongod_database, plan, [])

    [day] = mongod_database.menus.find()
    assert (day["_id"], [item["recipe"] for item in day["items"]]) == (TODAY, [1])


def test_a_write_that_the_server_refuses_is_not_taken_for_another_load(mongod_database):
    mongod_database.create_collection("recipes", validator={"name": {"$type": "int"}})
    plan = plan_dining(mongod_database, [serving()])

    with pytest.raises(BulkWriteError, match="failed validation"):
        publish(mongod_database, plan, [])


def test_a_plan_for_buildings_that_is_overtaken_is_refused(database, load_buildings):
    load_buildings(building(1))
    plan = plan_buildings(database, [building(2)])
    load_buildings(building(3))

    with pytest.raises(Overtaken, match="another load of buildings was published in the meantime"):
        publish(database, plan, [])


@pytest.mark.parametrize("loads_before", [0, 1, 3])
@pytest.mark.parametrize("loads_between", [1, 2, 3])
def test_the_live_buildings_stay_whole_when_a_plan_is_overtaken(database, load_buildings, loads_before, loads_between):
    for id_ in range(loads_before):
        load_buildings(building(id_))
    plan = plan_buildings(database, [building(50), building(60)])
    for id_ in range(loads_between):
        load_buildings(building(100), building(101 + id_))

    with pytest.raises(Overtaken):
        publish(database, plan, [])

    assert live_buildings(database) == [100, 100 + loads_between]


def test_the_buildings_before_the_live_ones_stay_when_a_plan_is_overtaken(database, load_buildings):
    plan = plan_buildings(database, [building(1)])
    load_buildings(building(2))
    load_buildings(building(3))

    with pytest.raises(Overtaken):
        publish(database, plan, [])

    assert [document["_id"] for document in database.buildings_1.find()] == [2]


def test_a_first_plan_for_dining_that_is_overtaken_is_refused(database, load_dining):
    plan = plan_dining(database, [serving(1)])
    load_dining(serving(2))

    with pytest.raises(Overtaken, match="another load of dining was published in the meantime"):
        publish(database, plan, [])


def test_a_later_plan_for_dining_that_is_overtaken_is_refused(database, load_dining):
    load_dining(serving(1))
    plan = plan_dining(database, [serving(1), serving(2)])
    load_dining(serving(1), serving(3))

    with pytest.raises(Overtaken, match="another load of dining was published in the meantime"):
        publish(database, plan, [])


@pytest.mark.parametrize(
    "planned",
    [
        [serving(1, "Rice")],
        [serving(1, "Rice"), serving(5, "Beans"), serving(6, "Peas", date=TOMORROW)],
        [serving(9, "Chowder", location=1, date="2026-11-01")],
    ],
    ids=["a changed date", "changed and added dates", "only what the other load does not speak of"],
)
@pytest.mark.parametrize("before", [[], [serving(1, "Soup")]], ids=["a first load", "a later load"])
def test_the_live_data_of_dining_stay_as_published_when_a_plan_is_overtaken(database, load_dining, before, planned):
    if before:
        load_dining(*before)
    plan = plan_dining(database, planned)
    load_dining(serving(1, "Stew"), serving(7, "Tofu", date=TOMORROW))
    published = dining_data(database)

    with pytest.raises(Overtaken):
        publish(database, plan, [])

    assert dining_data(database) == published


def test_an_overtaken_load_can_be_run_again(database, load_dining):
    plan = plan_dining(database, [serving(1)])
    load_dining(serving(2))
    with pytest.raises(Overtaken):
        publish(database, plan, [])

    load_dining(serving(1))

    [day] = dining_data(database)["menus"]
    assert [item["recipe"] for item in day["items"]] == [1]
