from datetime import date, timedelta

import pytest

from loaders.profiles.thresholds import Thresholds
from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.safety_checks import date_gaps, lost_data
from tests.factories import TODAY, building, serving


def day(number):
    return (date.fromisoformat(TODAY) + timedelta(days=number)).isoformat()


def reasons(found):
    return [violation.reason for violation in found]


def found_in(plan, **limits):
    return reasons(lost_data(plan, Thresholds(**limits)))


@pytest.mark.parametrize("kept", [10, 7])
def test_thirty_in_a_hundred_buildings_may_go(database, load_buildings, kept):
    load_buildings(*map(building, range(10)))

    assert found_in(plan_buildings(database, [*map(building, range(kept)), building(99)])) == []


def test_more_than_thirty_in_a_hundred_buildings_may_not_go(database, load_buildings):
    load_buildings(*map(building, range(10)))

    found = found_in(plan_buildings(database, map(building, range(6))))

    assert found == ["buildings would lose 4 (40%) of 10"]


def test_buildings_with_other_ids_are_no_replacement(database, load_buildings):
    load_buildings(*map(building, range(10)))

    found = found_in(plan_buildings(database, map(building, range(4, 14))))

    assert found == ["buildings would lose 4 (40%) of 10"]


def test_all_buildings_may_change(database, load_buildings):
    load_buildings(*map(building, range(10)))

    assert found_in(plan_buildings(database, [building(id_, name="Lamont") for id_ in range(10)])) == []


@pytest.mark.parametrize(("limit", "refused"), [(0, True), (0.19, True), (0.2, False), (1, False)])
def test_how_many_buildings_may_go_can_be_said(database, load_buildings, limit, refused):
    load_buildings(*map(building, range(10)))

    found = found_in(plan_buildings(database, map(building, range(8))), max_removed_ratio=limit)

    assert bool(found) is refused


def test_before_a_first_load_nothing_can_be_lost(database):
    plans = [plan_buildings(database, [building()]), plan_dining(database, [serving()])]

    assert [found_in(plan) for plan in plans] == [[], []]


@pytest.mark.parametrize(("kept", "found"), [(7, []), (6, ["the menus of these dates would lose 4 (40%) of 10 items"])])
def test_thirty_in_a_hundred_items_of_its_dates_may_go(database, load_dining, kept, found):
    load_dining(*map(serving, range(10)))

    assert found_in(plan_dining(database, map(serving, range(kept)))) == found


@pytest.mark.parametrize(("limit", "refused"), [(0, True), (0.09, True), (0.1, False), (1, False)])
def test_how_many_items_may_go_can_be_said(database, load_dining, limit, refused):
    load_dining(*map(serving, range(10)))

    found = found_in(plan_dining(database, map(serving, range(9))), max_lost_items_ratio=limit)

    assert bool(found) is refused


def test_items_may_move_from_one_date_to_another(database, load_dining):
    load_dining(*map(serving, range(10)), *(serving(id_, date=day(1)) for id_ in range(10)))

    found = found_in(plan_dining(database, [serving(1), *(serving(id_, date=day(1)) for id_ in range(15))]))

    assert found == []


def test_items_of_new_dates_do_not_make_up_for_those_that_are_lost(database, load_dining):
    load_dining(*map(serving, range(10)))

    found = found_in(plan_dining(database, [serving(1), *(serving(id_, date=day(1)) for id_ in range(50))]))

    assert found == ["the menus of these dates would lose 9 (90%) of 10 items"]


def test_items_of_other_dates_are_not_at_stake(database, load_dining):
    load_dining(*(serving(id_, date=day(-9)) for id_ in range(50)))

    assert found_in(plan_dining(database, [serving(1)])) == []


def test_a_closed_day_that_had_items_is_a_reason(database, load_dining):
    load_dining(*(serving(id_, date=day(number)) for number in (0, 2) for id_ in range(9)), serving(1, date=day(1)))

    found = found_in(plan_dining(database, (serving(id_, date=day(number)) for number in (0, 2) for id_ in range(9))))

    assert found == ["2026-11-21 had items and would have none"]


def test_a_closed_day_that_had_no_items_is_no_reason(database, load_dining):
    load_dining(serving(1), serving(1, date=day(2)))

    assert found_in(plan_dining(database, [serving(1), serving(2), serving(1, date=day(2))])) == []


@pytest.mark.parametrize(("emptied", "more"), [(10, []), (11, ["and 1 more dates that had items and would have none"])])
def test_of_many_dates_without_items_ten_are_named(database, load_dining, emptied, more):
    load_dining(*(serving(1, date=day(number)) for number in range(1, emptied + 1)))

    found = found_in(plan_dining(database, [serving(1), serving(1, date=day(emptied + 1))]), max_lost_items_ratio=1)

    assert (len(found), found[10:]) == (10 + len(more), more)


@pytest.mark.parametrize(("after", "found"), [(101, []), (102, ["101 days without items between {} and {}"])])
def test_a_hundred_days_without_items_may_follow_each_other(after, found):
    said = reasons(date_gaps([TODAY, day(after)], Thresholds()))

    assert said == [f"{line.format(TODAY, day(after))}: is one of them wrong?" for line in found]


@pytest.mark.parametrize("days", [[], [TODAY], [TODAY, day(1)], [day(number) for number in range(0, 900, 101)]])
def test_dates_close_to_each_other_are_no_reason(days):
    assert date_gaps(days, Thresholds()) == []


@pytest.mark.parametrize(("limit", "refused"), [(0, True), (3, True), (4, False)])
def test_how_long_a_hall_may_be_closed_can_be_said(limit, refused):
    found = date_gaps([TODAY, day(5)], Thresholds(max_gap_days=limit))

    assert bool(found) is refused


def test_of_many_long_gaps_ten_are_named():
    said = reasons(date_gaps([f"{year}-01-01" for year in range(2000, 2013)], Thresholds()))

    assert (len(said), said[-1]) == (11, "and 2 more long gaps")
