from dataclasses import replace
from datetime import date, timedelta

import pytest

from loaders.documents.spool import spool_buildings
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.checks import implausible_dates
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.load import PublishOptions, load_buildings
from loaders.publishing.plan import plan_buildings
from loaders.result import BuildingRead, SourceLocation
from tests.factories import TODAY, building, feature, foodpro_row, serving

NAMES = ["Adams House", "Boylston Hall", "Cabot Library", "Dudley House", "Emerson Hall", "Fay House"]
STREETS = ["1 Plympton St", "2 Garden St", "3 Oxford St", "4 Church St", "5 Quincy St", "6 Brattle St"]
DISHES = ["Bacon", "Caprese Panini", "Lentil Soup", "Rice Pudding", "Kashi Pilaf", "Green Salad"]


def day(number):
    return (date.fromisoformat(TODAY) + timedelta(days=number)).isoformat()


def campus(names=NAMES, streets=STREETS, shift=0):
    return [
        building(
            id_,
            name=name,
            address=street,
            image=f"https://example.edu/{id_}.jpg",
            point=(42.3 + shift + id_ / 1000, -71.1),
        )
        for id_, (name, street) in enumerate(zip(names, streets, strict=True))
    ]


def shifted(values):
    return [*values[1:], values[0]]


def guards(plan):
    return [violation.guard for violation in plan.changed_content()]


def menu(dishes=DISHES, **fields):
    return [serving(id_, dish, **fields) for id_, dish in enumerate(dishes)]


def test_renumbered_buildings_are_refused_with_examples(database, load_buildings):
    load_buildings(*campus())

    [violation] = plan_buildings(database, campus(shifted(NAMES), shifted(STREETS), 0.001)).changed_content()

    assert violation.guard == "renumbered-ids"
    assert violation.reason.startswith("5 of 6 buildings would change name, address and place at once: ")
    assert "changed 0 Boylston Hall: name 'Adams House' -> 'Boylston Hall'; address " in violation.reason
    assert violation.reason.count("changed ") == 3


def test_swapped_columns_are_refused(database, load_buildings):
    load_buildings(*campus())

    assert guards(plan_buildings(database, campus(STREETS, NAMES))) == ["swapped-fields"]


@pytest.mark.parametrize("lost", [{"names": [None] * 6}, {"streets": [""] * 6}])
def test_a_renamed_column_is_refused(database, load_buildings, lost):
    load_buildings(*campus())

    assert guards(plan_buildings(database, campus(**lost))) == ["lost-values"]


def test_the_same_name_everywhere_is_refused(database, load_buildings):
    load_buildings(*campus())

    [violation] = plan_buildings(database, campus(["TEST"] * 6)).changed_content()

    assert (violation.guard, violation.reason.split(":")[0]) == (
        "same-values",
        "6 of 6 buildings would all be named 'TEST'",
    )


def test_buildings_that_all_move_are_refused(database, load_buildings):
    load_buildings(*campus())

    [violation] = plan_buildings(database, campus(shift=0.54)).changed_content()

    assert violation.guard == "moved-buildings"
    assert violation.reason.startswith("6 of 6 buildings would move by over 1 km: 0 Adams House: 60.0 km to 42.84000, ")
    assert violation.reason.count(" km to ") == 3


def test_buildings_that_are_all_at_one_point_are_refused(database, load_buildings):
    load_buildings(*campus())
    same = [replace(each, point=(42.303, -71.1)) for each in campus()]

    [violation] = plan_buildings(database, same).changed_content()

    reason = "5 of 6 buildings would be at the same point"
    assert (violation.guard, violation.reason.split(":")[0]) == ("same-values", reason)


@pytest.mark.parametrize(
    "changed",
    [
        campus([f"{name} (new)" for name in NAMES], [f"{street}reet" for street in STREETS], 0.001),
        [*campus([*NAMES[:4], "Lamont", "Pusey"]), building(99)],
        campus([*NAMES[:4], None, None]),
        campus(shift=0.001),
        [*campus()[:4], *campus(shift=0.5)[4:]],
    ],
    ids=["renamed and surveyed", "two renamed", "two without a name", "surveyed", "two moved"],
)
def test_usual_changes_of_buildings_pass(database, load_buildings, changed):
    load_buildings(*campus())

    assert guards(plan_buildings(database, changed)) == []


def test_renumbered_recipes_are_refused(database, load_dining):
    load_dining(*menu())

    [violation] = plan_dining(database, menu(shifted(DISHES))).changed_content()

    assert violation.guard == "renumbered-ids"
    assert violation.reason.startswith(
        "6 of 6 recipes would get an unrelated name: changed 0 Caprese Panini: name 'Bacon'"
    )


def test_swapped_numbers_of_recipes_and_categories_are_refused(database, load_dining):
    load_dining(*(serving(1000 + id_, dish, category=id_) for id_, dish in enumerate(DISHES)))

    swapped = [serving(id_, dish, category=1000 + id_) for id_, dish in enumerate(DISHES)]

    [violation] = plan_dining(database, swapped).changed_content()
    assert violation.guard == "swapped-fields"
    assert violation.reason == (
        "6 categories would have the numbers of live recipes, and the reverse: 1000, 1001, 1002"
    )


def test_new_numbers_of_recipes_and_categories_pass(database, load_dining):
    load_dining(*(serving(id_, dish, category=id_) for id_, dish in enumerate(DISHES)))

    moved = [serving(id_ + 5, dish, category=id_ + 5, date=day(1)) for id_, dish in enumerate(DISHES)]

    assert "swapped-fields" not in guards(plan_dining(database, moved))


def test_corrected_names_of_recipes_pass(database, load_dining):
    load_dining(*menu())

    assert guards(plan_dining(database, menu([f"{dish} with Herbs" for dish in DISHES]))) == []


@pytest.mark.parametrize(("left", "refused"), [(9, True), (10, False)])
def test_a_date_that_loses_most_of_its_items_is_refused(database, load_dining, left, refused):
    load_dining(*(serving(id_) for id_ in range(20)), *(serving(id_, date=day(1)) for id_ in range(80)))

    plan = plan_dining(database, [*map(serving, range(left)), *(serving(id_, date=day(1)) for id_ in range(80))])

    assert guards(plan) == ["shrunken-dates"] * refused


@pytest.mark.parametrize(("left", "refused"), [(9, False), (7, True)])
def test_an_export_that_ends_within_a_date_although_later_dates_are_live_is_refused(
    database, load_dining, left, refused
):
    dishes = [f"Dish {number}" for number in range(10)]
    load_dining(*(row for number in range(3) for row in menu(dishes, date=day(number))))

    plan = plan_dining(database, [*menu(dishes), *menu(dishes[:left], date=day(1))])

    assert guards(plan) == (["shrunken-dates"] if refused else [])


@pytest.mark.parametrize("short", [0, 2], ids=["an earlier date", "the last of all dates"])
def test_other_dates_may_lose_some_items(database, load_dining, short):
    dishes = [f"Dish {number}" for number in range(10)]
    load_dining(*(row for number in range(3) for row in menu(dishes, date=day(number))))

    rows = [row for number in range(3) for row in menu(dishes[: 7 if number == short else 10], date=day(number))]

    assert guards(plan_dining(database, rows)) == []


def test_a_short_menu_may_lose_any_item(database, load_dining):
    load_dining(*map(serving, range(9)))

    assert guards(plan_dining(database, [serving(1)])) == []


@pytest.mark.parametrize("field", ["location", "meal"])
def test_a_hall_or_meal_that_vanishes_from_most_dates_is_refused(database, load_dining, field):
    two = [serving(1, date=day(number), **{field: value}) for number in range(3) for value in (1, 2)]
    load_dining(*two)

    [violation] = plan_dining(database, two[::2]).changed_content()

    name = {"location": "Hall 2", "meal": "dinner"}[field]
    assert (violation.guard, violation.reason) == ("vanished-meals", f"{name} would vanish from 3 of 3 dates")


def test_a_hall_may_close_on_some_dates(database, load_dining):
    two = [serving(1, date=day(number), location=value) for number in range(7) for value in (1, 2)]
    load_dining(*two)

    assert guards(plan_dining(database, [row for row in two if row.location.id == 1 or row.date > day(2)])) == []


@pytest.mark.parametrize(
    ("written", "is_refused"),
    [("1999-12-31", True), ("2000-01-01", False), ("2028-12-31", False), ("2029-01-01", True)],
)
def test_dates_far_from_today_are_refused(written, is_refused):
    found = [str(violation) for violation in implausible_dates([written], date.fromisoformat(TODAY))]

    assert found == [f"{written} is not a plausible date of a menu"] * is_refused


def test_days_read_as_months_are_refused():
    days = [f"2026-{month:02}-02" for month in range(1, 10)]

    [violation] = implausible_dates(days, date.fromisoformat(TODAY))

    assert violation.guard == "swapped-dates"
    assert violation.reason == "all dates are day 2 of a month, from 2026-01-02 to 2026-09-02: is it DD/MM or MM/DD?"


@pytest.mark.parametrize("days", [[], [TODAY], [TODAY, "2026-12-20"], [day(number) for number in range(40)]])
def test_usual_dates_pass(days):
    assert implausible_dates(days, date.fromisoformat(TODAY)) == []


@pytest.mark.parametrize("write", [True, False])
def test_a_first_load_warns_of_buildings_far_from_the_others(database, write):
    records = [*campus(), building(9, point=(43.7, -72.3))]
    locations = {record.id: ("campus.geojson", SourceLocation(record.id + 1)) for record in records}
    reading = BuildingRead(records=spool_buildings(records), locations=locations)

    result = load_buildings(database, reading, Thresholds(), PublishOptions(write=write))

    assert result.violations == []
    assert result.state == ("published" if write else "dry-run")
    [(warning, count)] = reading.warnings.values()
    assert (str(warning), count) == ("campus.geojson, line 10: geometry is over 0.5 degrees from most buildings", 1)


@pytest.mark.parametrize(("correct", "status"), [(10, 3), (30, 0)])
def test_meals_whose_numbers_mostly_contradict_their_names_are_refused(campus_load, save_rows, correct, status):
    wrong = [foodpro_row(Recipe_Number=number, Meal_Number=1, Meal_Name="Dinner") for number in range(20)]
    right = [foodpro_row(Recipe_Number=number, Meal_Number=3, Meal_Name="Dinner") for number in range(correct)]

    result = campus_load("dining", save_rows(*wrong, *right))

    message = "refused by contradicting-meals: 20 of 30 rows have another meal's name: Meal_Name 'Dinner' contradicts "
    assert (result.exit_code, message in result.stderr) == (status, status == 3)


def test_positions_of_zero_are_refused_by_a_first_load(campus_load, save_features):
    nowhere = {"type": "Point", "coordinates": [0, 0]}

    result = campus_load("buildings", save_features(*(feature(id_, nowhere) for id_ in range(3))))

    assert (result.exit_code, "building 0 lies at 0, 0: its position is unknown" in result.stderr) == (3, True)
