"""The guard `lost-items` and whole exports: accidents are refused, normal nights pass, also after an override."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from campus_api.domain.models import NamedEntity
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.load import PublishOptions, load_dining
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from loaders.result import DiningRead
from tests.factories import serving

MONDAY = date(2026, 10, 5)
HALLS, MEALS = range(6), range(3)
PUBLISHED = ("published", [])


@pytest.fixture
def load(mongod_database):
    """Load rows in the night before a day; return the state and the reasons for which a guard refuses them."""

    def load(night, rows, *overrides, write=True, **limits):
        options = PublishOptions(write=write, overrides=frozenset(overrides), today=day(night))
        reading = DiningRead(sources=[{"file": "menus.csv", "sha256": ""}], records=list(rows))
        result = load_dining(mongod_database, reading, Thresholds(**limits), options)
        assert {violation.guard for violation in result.violations} <= {"lost-items"}
        return result.state, [violation.reason for violation in result.violations]

    return load


def day(number):
    return MONDAY + timedelta(days=number)


def menus(days, *, night=0, halls=HALLS, meals=MEALS, is_served=lambda day, hall, meal: True):
    """Return the menus of days as exported in a night: other dishes each night, fewer on Sundays."""
    return [
        row
        for number in days
        for hall in halls
        for meal in meals
        if is_served(number, hall, meal) and (meal or number % 7 != 6)
        for row in meal_at(number, hall, meal, night)
    ]


def meal_at(number, hall, meal, night):
    random = Random(f"{number} {hall} {meal}")
    first = number // 15 * 20
    dishes = random.sample(range(first, first + 60), random.randint(6, 7) if meal else random.randint(2, 3))
    for earlier in range(night):
        if Random(f"{number} {hall} {meal} {earlier}").random() < 0.3:
            dishes[earlier % len(dishes)] = 200 + earlier
    served = {"date": day(number).isoformat(), "meal": meal, "location": hall}
    return [serving(meal * 1000 + dish, f"Dish {meal} {dish}", category=dish % 20, **served) for dish in dishes]


# Of rows in which all halls serve all meals.
ACCIDENTS = {
    "every second row": lambda rows: rows[::2],
    "three rows": lambda rows: rows[:: len(rows) // 3][:3],
    "no dinner": lambda rows: [row for row in rows if row.meal != 2],
    "all for lunch": lambda rows: [replace(row, meal=1) for row in rows],
    "meals exchanged": lambda rows: [replace(row, meal=(row.meal + 1) % 3) for row in rows],
    "one recipe": lambda rows: [replace(row, recipe=rows[0].recipe) for row in rows],
    "one category": lambda rows: [replace(row, category=rows[0].category) for row in rows],
}


def in_term(number, hall, meal):
    """Return whether a hall serves a meal: one is closed for a week, two days are holidays, then the term ends."""
    if hall == 1 and 10 <= number < 17:
        return False
    if number in (22, 23):
        return (number, hall, meal) == (23, 0, 1)
    return hall < 2 or number < 27


def test_of_31_nights_only_those_of_accidents_are_refused(load):
    for night in range(31):
        rows = menus(range(night, night + 7), night=night, is_served=in_term)
        overrides = []
        if night in (14, 16):
            rows, overrides = ACCIDENTS["all for lunch"](rows), ["lost-items"]
            assert load(night, rows)[0] == "refused", night

        assert load(night, rows, *overrides) == PUBLISHED, night


ACCIDENTS_OF_A_NEW_WEEK = ACCIDENTS | {
    "one hall of six": lambda rows: [row for row in rows if row.location.id == 3],
    "half of the rows after the week before": lambda rows: [*menus(range(7, 14)), *rows[::2]],
    "three days after live ones": lambda rows: [*menus(range(8, 14)), *rows[: len(rows) * 3 // 7 : 2]],
    "one day of it": lambda rows: [row for row in rows if row.date == rows[0].date][::2],
}
USUAL_WEEKS = {
    "another week": menus(range(14, 21)),
    "two halls of six": menus(range(14, 21), halls=[3, 4]),
    "two holidays": menus(range(14, 21), is_served=lambda number, hall, meal: number < 19 or (hall, meal) == (0, 1)),
    "a holiday after live dates": [*menus(range(8, 14)), *menus([14], halls=[0], meals=[1])],
    "last year": menus(range(-364, -357)),
    "other halls": menus(range(14, 21), halls=[12, 13]),
    "more items": [*menus(range(14, 21)), *menus(range(14, 21), night=30)],
}


def test_a_broken_new_week_is_refused_and_a_usual_one_passes(load):
    load(0, menus(range(14)))

    for name, accident in ACCIDENTS_OF_A_NEW_WEEK.items():
        assert load(14, accident(menus(range(14, 21))), write=False)[1] != [], name
    for name, rows in USUAL_WEEKS.items():
        assert load(14, rows, write=False)[1] == [], name


def test_single_days_after_an_override_pass(load):
    for number in range(7):
        load(number, menus([number]))

    assert load(7, menus([7], meals=[1]))[0] == "refused"
    assert load(7, menus([7], meals=[1]), "lost-items") == PUBLISHED
    for number in range(8, 17):
        assert load(number, menus([number], meals=[1])[::2], write=False)[1] != [], number
        assert load(number, menus([number], meals=[1])) == PUBLISHED, number


def test_what_an_override_accepted_is_refused_two_nights_later(load):
    for night in range(3):
        load(night, menus(range(night, night + 7))[:: 2 - night % 2], "lost-items")

    assert load(3, menus(range(3, 10))) == PUBLISHED
    assert load(4, menus(range(4, 11))[::2])[0] == "refused"


def test_losses_are_refused_after_an_override_that_was_undone_or_of_a_dropped_revision(load, mongod_database, empty):
    for step, change in [
        (2, lambda: publish(mongod_database, plan_undo(mongod_database, "dining"))),
        (4, lambda: mongod_database.drop_collection("menus_1")),
    ]:
        empty()
        load(0, menus(range(7)))
        load(0, menus(range(7))[::2], "lost-items")

        change()

        dataset = mongod_database.datasets.find_one({"_id": "dining"})
        assert ("lost_items" in dataset) is (step == 4), step
        assert load(0, menus(range(7))[::step])[0] == "refused", step


def items(*numbers, days=(0,), **fields):
    """Return the same number of items for each of these days."""
    return [
        serving(dish, f"Dish {dish}", date=day(number).isoformat(), category=dish % 2, **fields)
        for number, size in zip(days, numbers, strict=True)
        for dish in range(size)
    ]


WEEK = items(*[10] * 7, days=range(7))
HALL_7 = items(*[9] * 7, days=range(7), location=7)
DINNERS = items(*[6] * 7, days=range(7), meal=2)
# Rows of live dates, those of an export, and any reasons.
LIMITS = {
    "30 % of all items": (items(10), items(7)),
    "over 30 % of all items": (items(10), items(6), "the menus of these dates would lose 4 (40%) of 10 items"),
    "two items": (items(3), items(1)),
    "half of a date": (WEEK, items(5, *[10] * 6, days=range(7))),
    "over half of a date": (WEEK, items(4, *[10] * 6, days=range(7)), "2026-10-05 would lose 6 (60%) of 10 items"),
    "all of a date": (WEEK, [*WEEK[:20], *WEEK[30:]], "2026-10-07 would lose 10 (100%) of 10 items"),
    "30 % of the last date": (WEEK, WEEK[:47]),
    "over 30 % of it": (WEEK, WEEK[:46], "2026-10-09 would lose 4 (40%) of 10 items: is the file truncated?"),
    "40 % of the last live date": (WEEK, WEEK[:66]),
    "a hall on three of seven dates": ([*WEEK, *HALL_7], [*WEEK, *HALL_7[:36]]),
    "a hall on four of seven dates": (
        [*WEEK, *HALL_7],
        [*WEEK, *HALL_7[:27]],
        "Hall 7 would lose 4 (57%) of 7 live dates: load all halls together",
    ),
    "a hall of one date": (
        items(9),
        items(9, location=7),
        "the menus of these dates would lose 9 (100%) of 9 items",
        "Hall 30 would lose 1 (100%) of 1 live date: load all halls together",
    ),
    "half of a meal": ([*WEEK, *DINNERS], [*WEEK, *DINNERS[::2]]),
    "over half of a meal": ([*WEEK, *DINNERS], [*WEEK, *DINNERS[::3]], "dinner would lose 28 (67%) of 42 items"),
    "items of a hall replaced by those of another": (
        [*items(10), *items(10, location=7)],
        [*items(1), *items(19, location=7)],
        "the menus of these dates would lose 9 (45%) of 20 items",
    ),
    "over half of the recipes": (
        WEEK,
        [replace(row, recipe=NamedEntity(row.recipe.id + 6, f"Dish {row.recipe.id + 6}")) for row in WEEK],
        "the menus of these dates would lose 42 (60%) of 70 recipes",
    ),
}


def test_the_guard_refuses_what_is_over_its_limits(load, empty):
    for name, (live, export, *reasons) in LIMITS.items():
        empty()
        load(0, live)

        assert load(0, export, write=False) == ("dry-run", reasons), name

    empty()
    load(0, items(10))
    assert [limit for limit in (0, 0.2, 0.3, 1) if load(0, items(7), write=False, lost_items=limit)[1]] == [0, 0.2]


def test_reasons_of_new_dates_have_the_usual_numbers(load):
    load(0, WEEK)
    reasons = load(7, items(*[5] * 7, days=range(7, 14), meal=1))[1]
    assert reasons == ["7 new dates would lose 70 (100%) of 70 usual items"]
