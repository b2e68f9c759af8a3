"""Serving hours: how long they hold, times over midnight, and what is rejected."""

from campus_api.domain.hours import check_expression, period, times
from campus_api.domain.models import MealHours
from tests.rejection import rejection


def hours(expression, until="2027-08-01", country=None):
    return MealHours(1, expression, until, country)


def test_hours_hold_until_their_end_and_from_a_year_before_that_or_the_load_whichever_is_earlier():
    for until, loaded, expected in (
        ("2026-12-20", "2026-08-01", ("2025-07-31", "2026-12-20")),
        ("2027-08-01", "2027-09-15", ("2026-07-31", "2027-08-01")),
        ("2027-08-01", "2025-03-01", ("2024-02-29", "2027-08-01")),
        # The ends of the calendar.
        ("9999-12-31", "0001-01-01", ("1900-01-02", "9999-12-29")),
        ("1900-06-01", "2026-08-01", ("1900-01-02", "1900-06-01")),
    ):
        assert period(hours("11:30-14:00", until), loaded) == expected, until


def test_hours_over_midnight_end_where_the_rule_of_their_date_says():
    weekly = "Mo-Th 17:00-21:00; Fr-Sa 17:00-25:00; Su 17:00-20:00"
    for expression, *served in (
        ("17:00-24:30; PH off", ("2026-11-10", "17:00-00:30"), ("2026-11-11", ""), ("2026-11-12", "17:00-00:30")),
        (weekly, ("2026-11-13", "17:00-01:00"), ("2026-11-14", "17:00-01:00"), ("2026-11-15", "17:00-20:00")),
        ("17:30-24:30; PH 17:00-24:00", ("2026-11-10", "17:30-00:30"), ("2026-11-11", "17:00-00:00")),
        ("20:00-26:00; Sa 00:00-03:00", ("2026-11-13", "20:00-02:00"), ("2026-11-14", "00:00-03:00")),
        ("17:00-26:00; PH 20:00-24:00 off", ("2026-11-11", "17:00-20:00"), ("2026-11-12", "17:00-02:00")),
        ("Fr 10:00-36:00; Sa off", ("2026-11-13", "10:00-00:00"), ("2026-11-14", "00:00-12:00")),
        ("Fr 10:00-36:00; Sa 17:00-20:00", ("2026-11-14", "00:00-12:00 17:00-20:00")),
        ("20:00-46:00", ("2026-11-20", "00:00-00:00")),
        ("Fr 10:00-46:00; Sa 21:00-26:00", ("2026-11-14", "00:00-21:00 21:00-02:00")),
        ("Fr 10:00-46:00; Sa 12:00-13:00,22:00-23:00", ("2026-11-14", "00:00-23:00")),
        ("02:00-02:00", ("2026-11-20", "02:00-02:00")),
        ("9:00 - 11:00", ("2026-11-20", "09:00-11:00")),
        ("Th 18:00-24:00; Fr 00:00-09:00", ("2026-11-20", "00:00-09:00")),
        ("17:00-19:30,07:30-10:00", ("2026-11-20", "07:30-10:00 17:00-19:30")),
        ("24/7", ("2026-11-20", "00:00-00:00")),
        ("24/7; Fr 10:00-11:00 off", ("2026-11-20", "00:00-10:00 11:00-00:00")),
        ("20:00-26:00; 24/7 off", ("2026-11-20", "")),
        ("week 3-24/7,47 Fr 10:00-12:00", ("2026-11-20", "10:00-12:00")),
        ("Th 12:00-24:00; Fr 00:00-24:00; Sa 00:00-12:00", ("2026-11-20", "00:00-00:00")),
    ):
        for day, expected in served:
            actual = " ".join("-".join(each) for each in times(hours(expression, country="US"), day))
            assert actual == expected, (expression, day)


def test_an_expression_that_is_no_list_of_times_is_rejected_with_the_column():
    for expression, reason in (
        ("Mo-Fr 11:30", "is not in the syntax of opening_hours from column 12 on"),
        ("", "is not in the syntax of opening_hours from column 1 on"),
        ("Mo-Fr 11:30+", "has + in column 12, which is not a time"),
        ("Mo-Fr sunrise-14:00", "has sunrise in column 7, which is not a time"),
        ("Mo-Fr 11:30-14:00; SH off", "has SH in column 20, which is not a time"),
        ('Mo-Fr "by appointment"', 'has " in column 7, which is not a time'),
        ("Mo-Fr 11:30-14:00 unknown", "has unknown in column 19, which is not a time"),
        ("10:00-14:00/00:30", "has / in column 12, which is not a time"),
        # Rules without a time.
        ("Mo-Fr 11:30-14:00;PH;Sa 10:00-11:00", "has PH in column 19 without a time, off or 24/7"),
        ("Mo-Fr 11:30-14:00, Sa,Su", "has Sa,Su in column 20 without a time, off or 24/7"),
        ("Nov 25, Nov 27 off", "has Nov 25 in column 1 without a time, off or 24/7"),
        ("Su ", "has Su in column 1 without a time, off or 24/7"),
        ("week 3-24/7 Mo", "has week 3-24/7 Mo in column 1 without a time, off or 24/7"),
        # A time or a closure in each rule.
        *((text, "") for text in ("00:00-24:00", "24/7", "off", "PH off; 11:30-14:00", "week 1-53/2 Mo 10:00-12:00")),
        *((text, "") for text in ("Mo,We 11:30 - 13:30, 17:00-18:00 ; PH,Su closed", "Nov 25,Nov 27 OFF")),
        ("Mo 9:00-11:00, Tu 20:00-26:00", ""),
    ):
        assert rejection(check_expression, expression, "US") == reason, expression
    reason = "has PH in column 20, but no country defines the public holidays"
    assert rejection(check_expression, "Mo-Fr 11:30-14:00; PH off", None) == reason
