import pytest

from loaders.publishing.diff import Change, CollectionDiff, MealChange, meal_changes
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from tests.factories import RING, TODAY, building, serving

TOMORROW, IN_TWO_DAYS = "2026-11-21", "2026-11-22"


def item(recipe=1, name="Rice", *, meal=0, location=30, category=23):
    return {"meal": meal, "location": location, "category": category, "recipe": recipe, "name": name}


def changed(before, after, names=None):
    return meal_changes(TODAY, before, after, names or {30: "Hall 30", 7: "Hall 7"})


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        (None, {"_id": 1, "name": "Rice"}, {"added": 1, "changed": 0, "removed": 0, "unchanged": 0}),
        (
            {"_id": 1, "name": "Rice"},
            {"_id": 1, "name": "Soup"},
            {"added": 0, "changed": 1, "removed": 0, "unchanged": 0},
        ),
        ({"_id": 1, "name": "Rice"}, None, {"added": 0, "changed": 0, "removed": 1, "unchanged": 0}),
        (
            {"_id": 1, "name": "Rice"},
            {"_id": 1, "name": "Rice"},
            {"added": 0, "changed": 0, "removed": 0, "unchanged": 1},
        ),
    ],
    ids=["added", "changed", "removed", "unchanged"],
)
def test_documents_are_counted(old, new, counts):
    difference = CollectionDiff()

    changes = difference.compare(1, old, new)

    assert difference.counts == counts
    assert difference.is_empty is not changes
    assert len(difference.changes) == changes


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (Change("added", 7, "Widener"), "added 7 Widener"),
        (Change("removed", 7, None), "removed 7 (no name)"),
        (Change("removed", TODAY, ""), "removed 2026-11-20"),
        (Change("changed", 7, "B", {"name": ("A", "B")}), "changed 7 B: name 'A' -> 'B'"),
        (Change("changed", 7, "B", {"image": (None, "b.jpg")}), "changed 7 B: image None -> 'b.jpg'"),
        (
            Change("changed", 7, "B", {"city": ("", "Boston"), "geometry": (None, None)}),
            "changed 7 B: city '' -> 'Boston'; geometry",
        ),
    ],
)
def test_a_change_is_one_line(change, line):
    assert str(change) == line


@pytest.mark.parametrize(
    ("other", "fields"),
    [
        ({"name": "Lamont"}, {"name": ("Widener Library", "Lamont")}),
        ({"name": None}, {"name": ("Widener Library", None)}),
        ({"address": "1 Oak Street"}, {"address": ("Harvard Yard", "1 Oak Street")}),
        ({"city": ""}, {"city": ("Cambridge", "")}),
        ({"image": "w.jpg"}, {"image": (None, "w.jpg")}),
        ({"point": (42.0, -71.0)}, {"geometry": (None, None)}),
        ({"polygons": (RING[::-1],)}, {"geometry": (None, None)}),
        ({"city": "Boston", "polygons": ()}, {"city": ("Cambridge", "Boston"), "geometry": (None, None)}),
    ],
)
def test_a_changed_field_of_a_building_has_both_values(database, load_buildings, other, fields):
    load_buildings(building(1), building(7))

    plan = plan_buildings(database, [building(1), building(7, **other)])

    [change] = plan.differences["buildings"].changes
    assert (change.action, change.id, change.fields) == ("changed", 7, fields)


def test_added_and_removed_buildings_are_listed_with_their_names(database, load_buildings):
    load_buildings(building(1, name="Lamont"), building(2), building(3, name=None))

    plan = plan_buildings(database, [building(2), building(4, name="Pusey")])

    lines = [str(change) for change in plan.differences["buildings"].changes]
    assert lines == ["added 4 Pusey", "removed 1 Lamont", "removed 3 (no name)"]


def test_buildings_of_a_first_load_are_not_listed(database):
    difference = plan_buildings(database, [building(1), building(2)]).differences["buildings"]

    assert (difference.added, difference.changes) == (2, [])


def test_a_new_name_is_listed_with_the_old_one(database, load_dining):
    load_dining(serving(1, "Rice"))

    plan = plan_dining(database, [serving(1, "Brown Rice")])

    assert [str(change) for change in plan.differences["recipes"].changes] == [
        "changed 1 Brown Rice: name 'Rice' -> 'Brown Rice'"
    ]


def test_an_equal_meal_is_unchanged():
    assert changed([item(1), item(2, meal=1)], [item(2, meal=1), item(1)]) == []


def test_a_changed_meal_lists_removed_and_added_dishes():
    before, after = [item(1, "Rice"), item(2, "Soup"), item(3, "Stew")], [item(2, "Soup"), item(4, "Peas")]

    assert changed(before, after) == [MealChange(TODAY, 30, "Hall 30", 0, 3, 2, ("Rice", "Stew"), ("Peas",))]


@pytest.mark.parametrize(
    ("before", "after", "numbers"), [([], [item(1), item(2)], (0, 2)), ([item(1), item(2)], [], (2, 0))]
)
def test_a_new_or_removed_meal_has_only_counts(before, after, numbers):
    assert changed(before, after) == [MealChange(TODAY, 30, "Hall 30", 0, *numbers)]


def test_a_different_order_is_a_change_without_names():
    assert changed([item(1), item(2)], [item(2), item(1)]) == [MealChange(TODAY, 30, "Hall 30", 0, 2, 2)]


def test_a_recipe_in_another_category_is_removed_and_added():
    [change] = changed([item(1, category=5), item(2)], [item(1, category=6), item(2)])

    assert (change.removed, change.added) == (("Rice",), ("Rice",))


def test_changes_are_sorted_by_location_and_meal():
    after = [item(meal=2, location=30), item(meal=0, location=30), item(meal=1, location=7)]

    assert [(change.location, change.meal) for change in changed([], after)] == [(7, 1), (30, 0), (30, 2)]


def test_a_location_without_a_name_is_shown_by_id():
    [change] = changed([], [item(location=99)])

    assert change.name == "location 99"


@pytest.mark.parametrize(("meal", "word"), [(0, "breakfast"), (1, "lunch"), (2, "dinner")])
def test_a_meal_is_one_line(meal, word):
    change = MealChange(TODAY, 30, "Hall 30", meal, 2, 1, ("Rice",), ("Soup", "Stew"))

    assert change.summary == f"Hall 30, 2026-11-20, {word}: 2 -> 1 items"
    assert str(change) == f"{change.summary} (-Rice, +Soup, +Stew)"


def test_changed_meals_of_all_dates_are_listed_including_closed_ones(database, load_dining):
    load_dining(serving(1), serving(2, date=TOMORROW), serving(3, date=IN_TWO_DAYS), serving(4, date="2026-11-19"))

    plan = plan_dining(database, [serving(1), serving(3, date=IN_TWO_DAYS, meal=1)])

    assert [meal.summary for meal in plan.meal_changes] == [
        "Hall 30, 2026-11-21, breakfast: 1 -> 0 items",
        "Hall 30, 2026-11-22, breakfast: 1 -> 0 items",
        "Hall 30, 2026-11-22, lunch: 0 -> 1 items",
    ]


def test_meals_of_a_first_load_are_not_listed(database):
    assert plan_dining(database, [serving(1)]).meal_changes == []


def test_a_meal_at_a_new_location_has_the_new_name(database, load_dining):
    load_dining(serving(1))

    plan = plan_dining(database, [serving(1), serving(1, location=7)])

    assert [meal.summary for meal in plan.meal_changes] == ["Hall 7, 2026-11-20, breakfast: 0 -> 1 items"]
