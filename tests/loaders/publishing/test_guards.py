from datetime import date, timedelta

from loaders.profiles.thresholds import Thresholds
from loaders.publishing.checks import date_gaps
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from tests.factories import TODAY, building, serving


def day(number):
    return (date.fromisoformat(TODAY) + timedelta(days=number)).isoformat()


def reasons(violations):
    return [violation.reason for violation in violations]


def violations_of(plan, **limits):
    return reasons(plan.lost_data(Thresholds(**limits)))


def test_over_30_percent_of_the_buildings_may_not_be_removed(database, load_buildings):
    load_buildings(*map(building, range(10)))

    for remaining, violations in [
        (range(10), []),
        (range(7), []),
        (range(6), ["buildings would lose 4 (40%) of 10"]),
        (range(4, 14), ["buildings would lose 4 (40%) of 10"]),
    ]:
        assert violations_of(plan_buildings(database, map(building, remaining))) == violations, remaining


def test_all_buildings_may_change(database, load_buildings):
    load_buildings(*map(building, range(10)))

    assert violations_of(plan_buildings(database, [building(id_, name="Lamont") for id_ in range(10)])) == []


def test_the_ratio_of_removed_buildings_is_configurable(database, load_buildings):
    load_buildings(*map(building, range(10)))

    for limit, rejected in [(0, True), (0.19, True), (0.2, False), (1, False)]:
        violations = violations_of(plan_buildings(database, map(building, range(8))), lost_documents=limit)

        assert bool(violations) is rejected, limit


def test_a_first_load_cannot_lose_data(database):
    plans = [plan_buildings(database, [building()]), plan_dining(database, [serving()])]

    assert [violations_of(plan) for plan in plans] == [[], []]


def test_up_to_30_percent_of_the_items_of_the_loaded_dates_may_be_lost(database, load_dining):
    load_dining(*map(serving, range(10)))

    for remaining, expected in [(7, []), (6, ["the menus of these dates would lose 4 (40%) of 10 items"])]:
        assert violations_of(plan_dining(database, map(serving, range(remaining)))) == expected, remaining


def test_the_ratio_of_lost_items_is_configurable(database, load_dining):
    load_dining(*map(serving, range(10)))

    for limit, rejected in [(0, True), (0.09, True), (0.1, False), (1, False)]:
        violations = violations_of(plan_dining(database, map(serving, range(9))), lost_items=limit)

        assert bool(violations) is rejected, limit


def test_items_may_move_from_one_date_to_another(database, load_dining):
    load_dining(*map(serving, range(10)), *(serving(id_, date=day(1)) for id_ in range(10)))

    violations = violations_of(plan_dining(database, [serving(1), *(serving(id_, date=day(1)) for id_ in range(15))]))

    assert violations == []


def test_items_of_new_dates_do_not_replace_lost_ones(database, load_dining):
    load_dining(*map(serving, range(10)))

    violations = violations_of(plan_dining(database, [serving(1), *(serving(id_, date=day(1)) for id_ in range(50))]))

    assert violations == ["the menus of these dates would lose 9 (90%) of 10 items"]


def test_items_of_other_dates_are_not_counted(database, load_dining):
    load_dining(*(serving(id_, date=day(-9)) for id_ in range(50)))

    assert violations_of(plan_dining(database, [serving(1)])) == []


def test_a_date_that_loses_all_items_is_a_violation(database, load_dining):
    load_dining(*(serving(id_, date=day(number)) for number in (0, 2) for id_ in range(9)), serving(1, date=day(1)))

    violations = violations_of(
        plan_dining(database, (serving(id_, date=day(number)) for number in (0, 2) for id_ in range(9)))
    )

    assert violations == ["2026-11-21 had items and would have none"]


def test_a_date_that_had_no_items_is_not_a_violation(database, load_dining):
    load_dining(serving(1), serving(1, date=day(2)))

    assert violations_of(plan_dining(database, [serving(1), serving(2), serving(1, date=day(2))])) == []


def test_at_most_ten_emptied_dates_are_listed(database, load_dining):
    load_dining(*(serving(1, date=day(number)) for number in range(1, 12)))

    for first, more in [(1, []), (0, ["and 1 more date that is emptied"])]:
        menus = [serving(1, date=day(number)) for number in (first, 12)]
        violations = violations_of(plan_dining(database, menus), lost_items=1)

        assert (len(violations), violations[10:]) == (10 + len(more), more), first


def test_a_gap_may_have_a_hundred_days_or_as_many_as_configured():
    for days, limits, violations in [
        ([TODAY, day(101)], {}, []),
        ([TODAY, day(102)], {}, [f"101 days without items between {TODAY} and {day(102)}: is one of them wrong?"]),
        ([], {}, []),
        ([TODAY], {}, []),
        ([TODAY, day(1)], {}, []),
        ([day(number) for number in range(0, 900, 101)], {}, []),
        ([TODAY, day(5)], {"closed_days": 4}, []),
        (
            [TODAY, day(5)],
            {"closed_days": 3},
            [f"4 days without items between {TODAY} and {day(5)}: is one of them wrong?"],
        ),
        (
            [TODAY, day(2)],
            {"closed_days": 0},
            [f"1 days without items between {TODAY} and {day(2)}: is one of them wrong?"],
        ),
    ]:
        assert reasons(date_gaps(days, Thresholds(**limits))) == violations, (days, limits)


def test_at_most_ten_long_gaps_are_listed():
    violations = reasons(date_gaps([f"{year}-01-01" for year in range(2000, 2013)], Thresholds()))

    assert (len(violations), violations[-1]) == (11, "and 2 more long gaps")
