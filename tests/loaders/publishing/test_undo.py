import pytest

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import NothingToUndo, plan_undo
from tests.factories import building, serving
from tests.loaders.live import live_buildings, live_data

TOMORROW, IN_TWO_DAYS, IN_THREE_DAYS = "2026-11-21", "2026-11-22", "2026-11-23"


@pytest.fixture
def undo(database):
    """Undo the last load of a data set and return the new revision."""

    def undo(dataset):
        plan = plan_undo(database, dataset)
        return publish(database, plan, plan.restores["sources"])

    return undo


def revision(database, dataset):
    return database.datasets.find_one({"_id": dataset})["revision"]


def states(database):
    return [entry["state"] for entry in database.loads.find(sort=[("_id", 1)])]


def test_undo_restores_the_buildings(database, load_buildings, undo):
    load_buildings(building(1), building(2, name=None, polygons=()), building(3))
    before = live_buildings(database)
    load_buildings(building(1, name="Lamont"), building(2), building(4))

    undo("buildings")

    assert live_buildings(database) == before


@pytest.mark.parametrize(
    "servings",
    [
        [serving(1, "Broth"), serving(2)],
        [serving(1, "Rice", category=5), serving(2, location=8)],
        [serving(9, date=TOMORROW), serving(9, date="2026-11-19")],
        [serving(1, date="2026-11-19"), serving(1, date=IN_TWO_DAYS)],
        [serving(1, date="2026-11-17"), serving(1, date=IN_THREE_DAYS)],
    ],
    ids=["names", "new categories and locations", "dates added", "dates closed", "dates added and closed"],
)
def test_undo_restores_dining(database, load_dining, undo, servings):
    load_dining(serving(1, "Rice"), serving(2, "Soup"), serving(3, date=TOMORROW), serving(4, date=IN_THREE_DAYS))
    before = live_data(database, "dining")
    load_dining(*servings)

    undo("dining")

    assert live_data(database, "dining") == before


def test_undo_does_not_change_other_dates(database, load_dining, undo):
    load_dining(serving(1))
    load_dining(serving(2, date=TOMORROW))
    before = live_data(database, "dining")
    load_dining(serving(3, date=IN_TWO_DAYS))

    undo("dining")

    assert live_data(database, "dining") == before


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_an_undo_is_a_new_revision(database, load_buildings, load_dining, undo, dataset):
    for id_ in (1, 2):
        load_buildings(building(id_))
        load_dining(serving(id_))

    made = undo(dataset)

    revisions = {"buildings": 2, "dining": 2, dataset: 3}
    assert (made, {name: revision(database, name) for name in ("buildings", "dining")}) == (3, revisions)


def test_an_undone_load_is_undone_in_the_history(database, load_buildings, undo):
    load_buildings(building(1))
    load_buildings(building(2))

    undo("buildings")

    assert states(database) == ["published", "undone", "published"]


def test_undo_restores_the_sources_of_the_previous_load(database, undo):
    for number in (1, 2, 3):
        publish(database, plan_buildings(database, [building(number)]), [{"file": f"{number}.json", "sha256": "c0"}])

    undo("buildings")

    assert database.datasets.find_one({"_id": "buildings"})["sources"] == [{"file": "2.json", "sha256": "c0"}]


def test_undo_restores_the_counts_of_the_data_set(database, load_dining, undo):
    load_dining(serving(1))
    load_dining(serving(2, date=IN_TWO_DAYS, location=7))

    undo("dining")

    counts = {"categories": 1, "locations": 1, "recipes": 1, "menus": 1}
    assert database.datasets.find_one({"_id": "dining"})["counts"] == counts


def test_a_load_after_an_undo_can_be_undone(database, load_dining, undo):
    load_dining(serving(1))
    load_dining(serving(2))
    undo("dining")
    before = live_data(database, "dining")
    load_dining(serving(3), serving(4, date=TOMORROW))

    undo("dining")

    assert live_data(database, "dining") == before


def test_a_load_of_buildings_after_an_undo_can_be_undone(database, load_buildings, undo):
    load_buildings(building(1))
    load_buildings(building(2))
    undo("buildings")
    before = live_buildings(database)
    load_buildings(building(3))

    undo("buildings")

    assert live_buildings(database) == before


def test_an_undone_load_can_be_repeated(database, load_dining, undo):
    load_dining(serving(1, "Rice"))
    load_dining(serving(1, "Soup"), serving(2, date=IN_TWO_DAYS))
    after = live_data(database, "dining")
    undo("dining")

    load_dining(serving(1, "Soup"), serving(2, date=IN_TWO_DAYS))

    assert live_data(database, "dining") == after


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_undo_before_a_first_load_is_an_error(database, dataset):
    with pytest.raises(NothingToUndo) as error:
        plan_undo(database, dataset)

    assert str(error.value) == f"no load of {dataset} has replaced anything"


def test_a_first_load_cannot_be_undone(database, load_dining, load_buildings):
    load_dining(serving())
    load_buildings(building(1))
    load_buildings(building(2))

    with pytest.raises(NothingToUndo, match="no load of dining has replaced anything"):
        plan_undo(database, "dining")


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_an_undo_cannot_be_undone(database, load_buildings, load_dining, undo, dataset):
    for id_ in (1, 2):
        load_buildings(building(id_))
        load_dining(serving(id_))
    undo(dataset)

    with pytest.raises(NothingToUndo) as error:
        plan_undo(database, dataset)

    assert str(error.value) == f"the last load of {dataset} was undone already: revision 2"


def test_dropped_buildings_cannot_be_restored(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(2))
    database.buildings_1.drop()

    with pytest.raises(NothingToUndo, match="the collections of buildings before revision 2 were dropped"):
        plan_undo(database, "buildings")


def test_dropped_menus_cannot_be_restored(database, load_dining):
    load_dining(serving(1))
    load_dining(serving(2))
    database.menus_1.drop()

    with pytest.raises(NothingToUndo, match="the collections of dining before revision 2 were dropped"):
        plan_undo(database, "dining")
