import pytest

from loaders.publishing import history
from loaders.publishing.history import UnknownRevision
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import building, serving

TOMORROW, IN_TWO_DAYS = "2026-11-21", "2026-11-22"


def told(database, dataset, revision):
    """Return the lines that tell what a load has changed, by collection."""
    _, changes = history.read_changes(database, dataset, revision)
    return {name: list(map(str, found)) for name, found in changes.items() if found}


def test_what_changed_of_buildings_is_told(database, load_buildings):
    load_buildings(building(1, name="Lamont"), building(2), building(3), building(4))
    load_buildings(building(2, image="w.jpg", polygons=()), building(3), building(4, name=None), building(5))

    assert told(database, "buildings", 2) == {
        "buildings": [
            "changed 2 Widener Library: image None -> 'w.jpg'; geometry",
            "changed 4 (no name): name 'Widener Library' -> None",
            "added 5 Widener Library",
            "removed 1 Lamont",
        ]
    }


def test_coordinates_are_not_kept_among_what_changed(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(1, point=(42.0, -71.5)))

    _, changes = history.read_changes(database, "buildings", 2)

    assert [change.fields for change in changes["buildings"]] == [{"geometry": [None, None]}]


def test_what_changed_of_a_meal_is_told_with_the_names(database, load_dining):
    load_dining(serving(1, "Rice", meal=2), serving(2, "Soup", meal=2), serving(9))
    load_dining(serving(2, "Soup", meal=2), serving(9))
    load_dining(serving(2, "Soup", meal=2), serving(3, "Stew", meal=2), serving(9))

    assert told(database, "dining", 2) == {"menus": ["Hall 30, 2026-11-20, dinner: 2 -> 1 items (-Rice)"]}
    assert told(database, "dining", 3)["menus"] == ["Hall 30, 2026-11-20, dinner: 1 -> 2 items (+Stew)"]


def test_added_and_closed_dates_are_told(database, load_dining):
    load_dining(serving(1), serving(1, date=TOMORROW))
    load_dining(serving(1), serving(1, date=IN_TWO_DAYS))

    assert told(database, "dining", 2) == {
        "menus": [
            "added 2026-11-22",
            "Hall 30, 2026-11-21, breakfast: 1 -> 0 items",
            "Hall 30, 2026-11-22, breakfast: 0 -> 1 items",
        ]
    }


def test_new_names_are_told(database, load_dining):
    load_dining(serving(1, "Rice"))
    load_dining(serving(1, "Brown Rice"), serving(2, "Soup", location=7, category=5))

    found = told(database, "dining", 2)

    assert found["recipes"] == ["changed 1 Brown Rice: name 'Rice' -> 'Brown Rice'", "added 2 Soup"]
    assert (found["locations"], found["categories"]) == (["added 7 Hall 7"], ["added 5 Category 5"])


def test_of_a_first_load_of_buildings_the_numbers_are_told(database, load_buildings):
    load_buildings(building(1), building(2))

    entry, changes = history.read_changes(database, "buildings", 1)

    assert (entry["collections"]["buildings"]["added"], changes) == (2, {"buildings": []})


def test_of_a_first_load_of_dining_names_and_dates_are_told(database, load_dining):
    load_dining(serving(1, "Rice"), serving(1, "Rice", date=IN_TWO_DAYS))

    assert told(database, "dining", 1) == {
        "categories": ["added 23 Category 23"],
        "locations": ["added 30 Hall 30"],
        "recipes": ["added 1 Rice"],
        "menus": ["added 2026-11-20", "added 2026-11-21", "added 2026-11-22"],
    }


def test_what_an_undo_changed_is_told(database, load_dining):
    load_dining(serving(1, "Rice"))
    load_dining(serving(2, "Soup"), serving(2, "Soup", date=IN_TWO_DAYS))
    plan = plan_undo(database, "dining")
    publish(database, plan, plan.restores["sources"])

    assert told(database, "dining", 3) == {
        "recipes": ["removed 2 Soup"],
        "menus": [
            "removed 2026-11-21",
            "removed 2026-11-22",
            "Hall 30, 2026-11-20, breakfast: 1 -> 1 items (-Soup, +Rice)",
            "Hall 30, 2026-11-22, breakfast: 1 -> 0 items",
        ],
    }


def test_what_a_load_changed_that_was_undone_is_still_told(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(1), building(2))
    plan = plan_undo(database, "buildings")
    publish(database, plan, plan.restores["sources"])

    assert told(database, "buildings", 2) == {"buildings": ["added 2 Widener Library"]}


def test_each_load_has_changes_of_its_own(database, load_buildings, load_dining):
    for id_ in (1, 2, 3):
        load_buildings(*map(building, range(id_)))
        load_dining(serving(id_))

    assert told(database, "buildings", 3) == {"buildings": ["added 2 Widener Library"]}


def test_what_a_dead_load_meant_to_change_is_not_told(database, load_buildings):
    load_buildings(building(1))
    history.start(database, plan_buildings(database, [building(1), building(8)]), 2, [], 0)
    load_buildings(building(1), building(9))

    assert told(database, "buildings", 2) == {"buildings": ["added 9 Widener Library"]}


def test_any_number_of_changes_is_told(database, load_dining):
    load_dining(serving(0))
    load_dining(*map(serving, range(450)))

    found = told(database, "dining", 2)

    assert (len(found["recipes"]), len(found["menus"])) == (449, 1)


@pytest.mark.parametrize(("dataset", "revision"), [("buildings", 2), ("dining", 1), ("buildings", 99)])
def test_a_revision_that_is_not_there_is_named(database, load_buildings, dataset, revision):
    load_buildings(building(1))

    with pytest.raises(UnknownRevision) as error:
        history.read_changes(database, dataset, revision)

    assert str(error.value) == f"{dataset} have no revision {revision}"
