from loaders.publishing.diff import CollectionDiff, MealChange, meal_changes
from tests.factories import TODAY


def item(recipe=1, name="Rice", *, meal=0, location=30, category=23):
    return {"meal": meal, "location": location, "category": category, "recipe": recipe, "name": name}


def changed(before, after, names=None):
    return meal_changes(TODAY, before, after, names or {30: "Hall 30", 7: "Hall 7"})


def test_a_changed_meal_lists_removed_and_added_dishes_but_a_new_one_or_another_order_only_counts():
    rice, soup, stew, peas = (item(number, name) for number, name in enumerate(["Rice", "Soup", "Stew", "Peas"]))
    for before, after, *change in [
        ([rice, item(9, meal=1)], [item(9, meal=1), rice]),
        ([rice, soup, stew], [soup, peas], 3, 2, ("Rice", "Stew"), ("Peas",)),
        ([rice, soup], [{**rice, "category": 6}, soup], 2, 2, ("Rice",), ("Rice",)),
        ([], [rice, soup], 0, 2),
        ([rice, soup], [], 2, 0),
        ([rice, soup], [soup, rice], 2, 2),
    ]:
        expected = [MealChange(TODAY, 30, "Hall 30", 0, *change)] if change else []
        assert changed(before, after) == expected, (before, after)


def test_what_only_loads_read_of_a_recipe_is_no_change_of_what_is_served():
    diff = CollectionDiff()
    diff.compare(1, {"facts": {"listings": [1]}}, {"facts": {"listings": [2]}})
    assert [each.only_as_of_changed for each in diff.changes] == [True]


def test_changes_are_sorted_by_location_and_meal_with_the_name_or_id_of_the_location():
    after = [item(meal=2, location=30), item(meal=0, location=30), item(meal=1, location=7), item(location=99)]

    changes = [(change.location, change.meal, change.name) for change in changed([], after)]
    assert changes == [(7, 1, "Hall 7"), (30, 0, "Hall 30"), (30, 2, "Hall 30"), (99, 0, "location 99")]
