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
