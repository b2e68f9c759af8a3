import pytest

from loaders.publishing.publish import publish
from loaders.publishing.undo import NothingToUndo, plan_undo
from tests.factories import IN_THREE_DAYS, IN_TWO_DAYS, TOMORROW, YESTERDAY, building, facts, serving
from tests.loaders.live import live_buildings, live_data
from tests.publishing import publish_buildings


@pytest.fixture
def undo(database):
    """Undo the last load of a data set and return the new revision."""

    return lambda dataset: publish(database, plan_undo(database, dataset))


def test_undo_restores_the_buildings_and_their_sources_and_counts(database, undo):
    source = {"file": "2.json", "sha256": "c0"}
    buildings = [building(1), building(2, name=None, polygons=()), building(3)]
    publish_buildings(database, [building(1)])
    publish_buildings(database, buildings, [source])
    before = live_buildings(database)
    publish_buildings(database, [building(1, name="Lamont"), building(2), building(4)])

    assert undo("buildings") == 4

    record = database.datasets.find_one({"_id": "buildings"})
    assert (live_buildings(database), record["sources"], record["counts"]) == (before, [source], {"buildings": 3})


def test_undo_restores_dining(database, load_dining, undo):
    servings = serving(1, "Rice"), serving(2, "Soup"), serving(3, date=TOMORROW), serving(4, date=IN_THREE_DAYS)
    load_dining(*servings, facts={1: facts()})
    before = live_data(database, "dining")

    for servings in (
        [serving(1, "Broth"), serving(2)],
        [serving(1, "Rice", category=5), serving(2, location=8)],
        [serving(9, date=TOMORROW), serving(9, date=YESTERDAY)],
        [serving(1, date=YESTERDAY), serving(1, date=IN_TWO_DAYS)],
        [serving(1, date="2026-11-17"), serving(1, date=IN_THREE_DAYS)],
    ):
        load_dining(*servings, facts={1: facts(calories=170), 2: facts()})
        undo("dining")
        assert live_data(database, "dining") == before, servings


def test_what_replaced_nothing_was_undone_or_was_dropped_cannot_be_undone(database, load_buildings, load_dining, undo):
    def assert_not_undone(dataset, reason):
        with pytest.raises(NothingToUndo, match=f"^{reason}"):
            plan_undo(database, dataset)

    assert_not_undone("buildings", "no load of buildings has replaced anything$")
    load_dining(serving())
    load_buildings(building(1))
    load_buildings(building(2))
    assert_not_undone("dining", "no load of dining has replaced anything$")
    undo("buildings")
    assert_not_undone("buildings", "the last load of buildings was undone already: revision 2$")
    load_dining(serving(2))
    database.menus_1.drop()
    assert_not_undone("dining", "the collections of dining before revision 2 were dropped")
