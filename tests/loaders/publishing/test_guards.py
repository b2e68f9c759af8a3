from datetime import date, timedelta

from loaders.profiles.thresholds import Thresholds
from loaders.publishing.checks import Guard, SafetyViolation, date_gaps, implausible_dates, shorten
from loaders.publishing.load import PublishOptions, load_dining
from loaders.publishing.plan import plan_buildings
from loaders.result import DiningRead
from tests.factories import TODAY, building, serving


def day(number):
    return (date.fromisoformat(TODAY) + timedelta(days=number)).isoformat()


def reasons(violations):
    return [violation.reason for violation in violations]


def test_over_30_percent_or_a_ratio_of_the_profile_of_the_buildings_may_not_be_removed(database, load_buildings):
    load_buildings(*map(building, range(10)))

    for exported, limits, violations in [
        (map(building, range(7)), {}, []),
        ([building(id_, name="Lamont") for id_ in range(10)], {}, []),
        (map(building, range(6)), {}, ["buildings would lose 4 (40%) of 10"]),
        (map(building, range(4, 14)), {}, ["buildings would lose 4 (40%) of 10"]),
        (map(building, range(8)), {"lost_documents": 0}, ["buildings would lose 2 (20%) of 10"]),
        (map(building, range(8)), {"lost_documents": 0.19}, ["buildings would lose 2 (20%) of 10"]),
        (map(building, range(8)), {"lost_documents": 0.2}, []),
        ([], {"lost_documents": 1}, []),
    ]:
        plan = plan_buildings(database, exported)

        removed = [each for each in plan.check_changes(Thresholds(**limits)) if each.guard == Guard.REMOVED_BUILDINGS]
        assert reasons(removed) == violations, limits


def test_a_gap_may_have_a_hundred_days_or_as_many_as_configured():
    for numbers, limits, gap in [
        ([0, 101], {}, None),
        ([0, 102], {}, 101),
        ([], {}, None),
        ([0], {}, None),
        (range(0, 900, 101), {}, None),
        ([0, 5], {"closed_days": 4}, None),
        ([0, 5], {"closed_days": 3}, 4),
        ([0, 2], {"closed_days": 0}, 1),
    ]:
        days = [day(number) for number in numbers]

        violations = reasons(date_gaps(days, Thresholds(**limits)))

        reason = "{} days without items between {} and {}: is one of them wrong?"
        assert violations == ([reason.format(gap, *days)] if gap else []), (numbers, limits)


def test_ten_violations_of_each_guard_are_listed():
    for number, more in [(10, []), (12, ["and 2 more"])]:
        violations = [SafetyViolation(guard, guard) for guard in [Guard.NEW_IDS, Guard.LOST_ITEMS] * number]

        listed = [*["new-ids"] * 10, *more, *["lost-items"] * 10, *more]
        assert reasons(shorten(violations)) == listed, number


def test_dates_far_from_today_and_days_read_as_months_are_refused():
    months = [f"2026-{month:02}-02" for month in range(1, 10)]
    for dates, reasons in [
        *(([written], [f"{written} is not a plausible date of a menu"]) for written in ("1999-12-31", "2029-01-01")),
        *(([written], []) for written in ("2000-01-01", TODAY, "2028-12-31")),
        (months, ["all dates are day 2 of a month, from 2026-01-02 to 2026-09-02: is it DD/MM or MM/DD?"]),
        *((dates, []) for dates in ([], [TODAY, "2026-12-20"], [day(number) for number in range(40)])),
    ]:
        violations = implausible_dates(dates, date.fromisoformat(TODAY))

        expected = [("implausible-dates", each) for each in reasons]
        assert [(each.guard, each.reason) for each in violations] == expected, dates


def test_dates_are_compared_with_today_on_the_campus(database):
    for today, guards in [("2035-12-31", ["implausible-dates"]), ("2036-01-01", [])]:
        reading = DiningRead([{"file": "menus.csv"}], records=[serving(date="2038-12-31")])

        result = load_dining(database, reading, Thresholds(), PublishOptions(today=date.fromisoformat(today)))

        assert [violation.guard for violation in result.violations] == guards, today
