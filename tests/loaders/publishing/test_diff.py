import pytest

from loaders.publishing import history
from loaders.publishing.history import UnknownRevision
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import building, serving

TOMORROW, IN_TWO_DAYS = "2026-11-21", "2026-11-22"


def change_lines(database, dataset, revision):
    """Return the changes of a load as lines, by collection."""
    _, changes = history.read_changes(database, dataset, revision)
    return {name: list(map(str, each)) for name, each in changes.items() if each}


def test_changes_of_buildings_are_listed(database, load_buildings):
    load_buildings(building(1, name="Lamont"), building(2), building(3), building(4))
    load_buildings(building(2, image="w.jpg", polygons=()), building(3), building(4, name=None), building(5))

    assert change_lines(database, "buildings", 2) == {
        "buildings": [
            "changed 2 Widener Library: image None -> 'w.jpg'; geometry",
            "changed 4 (no name): name 'Widener Library' -> None",
            "added 5 Widener Library",
            "removed 1 Lamont",
        ]
    }


def test_changes_do_not_contain_coordinates(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(1, point=(42.0, -71.5)))

    _, changes = history.read_changes(database, "buildings", 2)

    assert [change.fields for change in changes["buildings"]] == [{"geometry": [None, None]}]


def test_changes_of_a_meal_list_the_dishes(database, load_dining):
    load_dining(serving(1, "Rice", meal=2), serving(2, "Soup", meal=2), serving(9))
    load_dining(serving(2, "Soup", meal=2), serving(9))
    load_dining(serving(2, "Soup", meal=2), serving(3, "Stew", meal=2), serving(9))

    assert change_lines(database, "dining", 2) == {"menus": ["Hall 30, 2026-11-20, dinner: 2 -> 1 items (-Rice)"]}
    assert change_lines(database, "dining", 3)["menus"] == ["Hall 30, 2026-11-20, dinner: 1 -> 2 items (+Stew)"]


def test_added_and_closed_dates_are_listed(database, load_dining):
    load_dining(serving(1), serving(1, date=TOMORROW))
    load_dining(serving(1), serving(1, date=IN_TWO_DAYS))

    assert change_lines(database, "dining", 2) == {
        "menus": [
            "added 2026-11-22",
            "Hall 30, 2026-11-21, breakfast: 1 -> 0 items",
            "Hall 30, 2026-11-22, breakfast: 0 -> 1 items",
        ]
    }


def test_new_names_are_listed(database, load_dining):
    load_dining(serving(1, "Rice"))
    load_dining(serving(1, "Brown Rice"), serving(2, "Soup", location=7, category=5))

    lines = change_lines(database, "dining", 2)

    assert lines["recipes"] == ["changed 1 Brown Rice: name 'Rice' -> 'Brown Rice'", "added 2 Soup"]
    assert (lines["locations"], lines["categories"]) == (["added 7 Hall 7"], ["added 5 Category 5"])


def test_a_first_load_of_buildings_lists_only_counts(database, load_buildings):
    load_buildings(building(1), building(2))

    entry, changes = history.read_changes(database, "buildings", 1)

    assert (entry["collections"]["buildings"]["added"], changes) == (2, {"buildings": []})


def test_a_first_load_of_dining_lists_names_and_dates(database, load_dining):
    load_dining(serving(1, "Rice"), serving(1, "Rice", date=IN_TWO_DAYS))

    assert change_lines(database, "dining", 1) == {
        "categories": ["added 23 Category 23"],
        "locations": ["added 30 Hall 30"],
        "recipes": ["added 1 Rice"],
        "menus": ["added 2026-11-20", "added 2026-11-21", "added 2026-11-22"],
    }


def test_changes_of_an_undo_are_listed(database, load_dining):
    load_dining(serving(1, "Rice"))
    load_dining(serving(2, "Soup"), serving(2, "Soup", date=IN_TWO_DAYS))
    plan = plan_undo(database, "dining")
    publish(database, plan, plan.restores["sources"])

    assert change_lines(database, "dining", 3) == {
        "recipes": ["removed 2 Soup"],
        "menus": [
            "removed 2026-11-21",
            "removed 2026-11-22",
            "Hall 30, 2026-11-20, breakfast: 1 -> 1 items (-Soup, +Rice)",
            "Hall 30, 2026-11-22, breakfast: 1 -> 0 items",
        ],
    }


def test_changes_of_an_undone_load_are_still_listed(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(1), building(2))
    plan = plan_undo(database, "buildings")
    publish(database, plan, plan.restores["sources"])

    assert change_lines(database, "buildings", 2) == {"buildings": ["added 2 Widener Library"]}


def test_each_load_has_separate_changes(database, load_buildings, load_dining):
    for id_ in (1, 2, 3):
        load_buildings(*map(building, range(id_)))
        load_dining(serving(id_))

    assert change_lines(database, "buildings", 3) == {"buildings": ["added 2 Widener Library"]}


def test_changes_of_an_interrupted_load_are_not_listed(database, load_buildings):
    load_buildings(building(1))
    history.start(database, plan_buildings(database, [building(1), building(8)]), 2, [], 0)
    load_buildings(building(1), building(9))

    assert change_lines(database, "buildings", 2) == {"buildings": ["added 9 Widener Library"]}


def test_any_number_of_changes_is_listed(database, load_dining):
    load_dining(serving(0))
    load_dining(*map(serving, range(450)))

    lines = change_lines(database, "dining", 2)

    assert (len(lines["recipes"]), len(lines["menus"])) == (449, 1)


@pytest.mark.parametrize(("dataset", "revision"), [("buildings", 2), ("dining", 1), ("buildings", 99)])
def test_an_unknown_revision_is_an_error(database, load_buildings, dataset, revision):
    load_buildings(building(1))

    with pytest.raises(UnknownRevision) as error:
        history.read_changes(database, dataset, revision)

    assert str(error.value) == f"there is no revision {revision} of {dataset}"
