"""Halls in dining profiles."""

import pytest

from campus_api.domain.models import LocationDetails, MealHours
from loaders.profiles.hours import check_expression
from tests.rejection import rejection

UNTIL = "hours_until = 2026-12-20\n"


@pytest.fixture
def halls(dining_profile):
    return lambda text: dining_profile(text).halls


def test_hours_are_by_meal_with_the_date_until_which_they_hold(halls):
    text = 'country = "US"\n[halls.30]\nbuilding = 161\n'
    text += 'hours = {dinner = "17:00-19:30", 3 = "22:00-24:00", lunch = "11:30-14:00; PH off"}\n'

    hours = {1: "11:30-14:00; PH off", 2: "17:00-19:30", 3: "22:00-24:00"}
    expected = tuple(MealHours(meal, expression, "2026-12-20", "US") for meal, expression in hours.items())
    assert halls(text + UNTIL) == {30: LocationDetails(161, expected)}
    assert (halls(""), halls("[halls.030]\n[halls.Hall]")) == ({}, {30: LocationDetails(), "Hall": LocationDetails()})


def test_a_hall_has_other_names(halls):
    assert halls('[halls.30]\naliases = ["berg", " The  Berg "]') == {30: LocationDetails(aliases=("berg", "The Berg"))}


def test_an_invalid_hall_is_an_error_with_table_meal_and_column(halls, problem):
    known = "with known public holidays"
    for text, message in [
        ("halls = 1", "halls is not a table"),
        ("[halls]\n30 = 1", "halls.30 is not a table"),
        ("[halls.30]\n[halls.030]", "halls.030 is twice the id of a location"),
        ("[halls.30]\nplace = 1", "halls.30.place is not one of aliases, building, hours, hours_until"),
        ('[halls.30]\naliases = "berg"', 'halls.30.aliases is not a list of names such as ["berg"]'),
        ("[halls.30]\nbuilding = -1", "halls.30.building -1 is not the id of a building"),
        ('country = "USA"', f"country 'USA' is not the ISO 3166 code of a country {known}, such as US"),
    ]:
        assert problem(halls, text) == message, text
    quoted = "is not a date such as 2026-12-20, without quotes"
    open_, no_date = 'lunch = "11:30-14:00"', "the last date on which these hours hold, such as 2026-12-20"
    for hours, until, reason in [
        ('"11:30-14:00"', UNTIL, ' is not of the form {lunch = "Mo-Fr 11:30-14:00"}'),
        (f"{{{open_}}}", "", f"_until is missing: {no_date}"),
        (f"{{{open_}}}", 'hours_until = "2026-12-20"', f"_until '2026-12-20' {quoted}"),
        ("{brunch = 7}", UNTIL, ".brunch is not a meal: breakfast, lunch, dinner, or a number from 0 to 9"),
        (f'{{{open_}, 1 = "12:00-13:00"}}', UNTIL, " has a meal twice"),
        ('{lunch = "PH"}', UNTIL, ".lunch 'PH' has PH in column 1, but no country defines the public holidays"),
    ]:
        assert problem(halls, f"[halls.30]\nhours = {hours}\n{until}") == f"halls.30.hours{reason}", hours


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
