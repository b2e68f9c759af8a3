from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from tests.factories import RING, building, serving


def counts(plan, collection="buildings"):
    return plan.differences[collection].counts


def test_a_difference_in_any_field_changes_a_building(database, load_buildings):
    load_buildings(building(1), building(7))

    for other, fields in [
        ({"name": "Lamont"}, {"name": ("Widener Library", "Lamont")}),
        ({"name": None}, {"name": ("Widener Library", None)}),
        ({"address": "1 Oak Street"}, {"address": ("Harvard Yard", "1 Oak Street")}),
        ({"city": ""}, {"city": ("Cambridge", "")}),
        ({"image": "w.jpg"}, {"image": (None, "w.jpg")}),
        ({"point": (42.3742, -71.1171)}, {"geometry": (None, None)}),
        ({"polygons": (RING[::-1],)}, {"geometry": (None, None)}),
        ({"city": "Boston", "polygons": ()}, {"city": ("Cambridge", "Boston"), "geometry": (None, None)}),
    ]:
        plan = plan_buildings(database, [building(1), building(7, **other)])

        [change] = plan.differences["buildings"].changes
        assert (change.action, change.id, change.fields, plan.is_empty) == ("changed", 7, fields, False), other
        assert counts(plan) == {"added": 0, "changed": 1, "removed": 0, "unchanged": 1}, other


def test_added_and_removed_buildings_are_listed_with_their_names(database, load_buildings):
    first = plan_buildings(database, [building()])
    assert (first.is_empty, first.differences["buildings"].changes) == (False, [])
    load_buildings(building(1, name="Lamont"), building(2), building(3, name=None))

    plan = plan_buildings(database, [building(2), building(4, name="Pusey")])

    lines = [str(change) for change in plan.differences["buildings"].changes]
    assert lines == ["added 4 Pusey", "removed 1 Lamont", "removed 3 (no name)"]
    assert not plan_buildings(database, [building(1, name="Lamont"), building(2)]).is_empty
    assert plan_buildings(database, [building(3, name=None), building(2), building(1, name="Lamont")]).is_empty


def test_the_same_menus_or_a_subset_of_the_live_ones_are_unchanged(database, load_dining):
    load_dining(serving(1), serving(2, date="2026-11-19"))

    plan = plan_dining(database, [serving(2, date="2026-11-19"), serving(1)])

    assert plan.is_empty
    assert [counts(plan, name)["unchanged"] for name in ("categories", "recipes", "menus")] == [1, 2, 2]
    assert plan_dining(database, [serving(1)]).is_empty


def test_any_difference_changes_a_date(database, load_dining):
    load_dining(serving(1), serving(2))

    for servings in (
        [serving(1)],
        [serving(1), serving(2), serving(3)],
        [serving(2), serving(1)],
        [serving(1), serving(2, meal=1)],
        [serving(1), serving(2, location=7)],
        [serving(1), serving(2, category=24)],
        [serving(1), serving(2, "Soup")],
    ):
        plan = plan_dining(database, servings)

        assert (counts(plan, "menus")["changed"], plan.is_empty) == (1, False), servings
