"""Names of meals, from the export or the profile to the index; they are part of the revision, of undo and of dumps."""

import pytest

from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from loaders.readers import dining
from tests.factories import foodpro_row
from tests.functional.service import Service
from tests.publishing import publish_dining

MEALS = '[meals]\n4 = 3\n5 = {id = 4, name = "All Day"}\n"Nite" = {id = 3, name = "Late Night"}\n'


@pytest.fixture
def load(database, save_rows, dining_profile):
    """Load FoodPro rows of these numbers and names of meals, each of another dish; return the names that they have."""

    def load(*meals, profile=MEALS, **fields):
        rows = [
            foodpro_row(Meal_Number=number, Meal_Name=name, Recipe_Number=str(recipe), **fields)
            for recipe, (number, name) in enumerate(meals)
        ]
        reading = dining.read([(dining_profile(profile), [save_rows(*rows)])])
        assert reading.errors == []
        publish_dining(database, reading.records)
        return [row.meal_name for row in reading.records]

    return load


@pytest.fixture
def meals(mongod_uri):
    """Return the names of meals in the index of the service."""

    def meals():
        service = Service(mongod_uri)
        rows = service.app.get("/").json["datasets"]["dining"]["meals"]
        service.close()
        return {row["id"]: row["name"] for row in rows}

    return meals


def test_a_meal_has_the_name_of_the_profile_or_of_most_rows(load, meals):
    late = ("4", "LATE NIGHT")
    for rows, names in [
        ([late], {3: "LATE NIGHT"}),
        ([late, ("4", "Night Owl"), ("4", "Night Owl")], {3: "Night Owl"}),
        ([late, ("4", "Nite"), ("4", "nite")], {3: "Late Night"}),
        ([("4", ""), ("5", "Daily"), ("1", "Breakfast")], {0: "breakfast", 3: None, 4: "All Day"}),
        ([("2", "Brunch"), ("3", "Supper")], {1: "lunch", 2: "dinner"}),
    ]:
        load(*rows)

        assert meals() == names, rows


def test_names_of_meals_count_the_rows_of_all_live_dates_in_any_order(load, meals):
    days = ("11/21/2026", [("4", "Late"), ("4", "Late")]), ("11/22/2026", [("4", "Owls")])
    for order in (days, days[::-1]):
        for day, rows in order:
            load(*rows, Serve_Date=day)

        assert meals() == {3: "Late"}, order
    load(("1", "Breakfast"), Serve_Date="11/21/2026")
    assert meals() == {0: "breakfast", 3: "Owls"}


def test_names_of_meals_are_undone_and_dumped(load, meals, database, dump, campus_load):
    load(("4", "Late Night"))
    load(("4", "Owls"))
    publish(database, plan_undo(database, "dining"))
    assert meals() == {3: "Late Night"}
    path = dump("dining")
    load(("4", "Owls"))

    assert campus_load("dining", path).exit_code == 0

    assert meals() == {3: "Late Night"}


def test_the_names_of_rows_are_those_of_other_meals_and_of_brunch(load):
    rows = [("2", "Weekend  Brunch"), ("2", "LUNCH ENTREES"), ("4", "4"), ("4", "Tea <i>Time</i>"), ("3", "Nite")]

    assert load(*rows) == ["Weekend Brunch", "", "", "Tea Time", "Late Night"]
