"""Halls in dining profiles."""

import pytest

from campus_api.domain.models import LocationDetails, MealHours

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
    assert (halls(""), halls("[halls.030]")) == ({}, {30: LocationDetails()})


def test_an_invalid_hall_is_an_error_with_table_meal_and_column(halls, problem):
    for text, message in [
        ("halls = 1", "halls is not a table"),
        ("[halls]\n30 = 1", "halls.30 is not a table"),
        ("[halls.x]", "halls.x is not the id of a location"),
        ("[halls.30]\n[halls.030]", "halls.030 is twice the id of a location"),
        ("[halls.30]\nplace = 1", "halls.30.place is not one of building, hours, hours_until"),
        ('[halls.30]\nbuilding = "161"', "halls.30.building '161' is not the id of a building"),
        ("[halls.30]\nbuilding = -1", "halls.30.building -1 is not the id of a building"),
        ('[halls.30]\nhours = "11:30-14:00"', 'halls.30.hours is not of the form {lunch = "Mo-Fr 11:30-14:00"}'),
        (
            '[halls.30]\nhours = {lunch = "11:30-14:00"}',
            "halls.30.hours_until is missing: the last date on which these hours hold, such as 2026-12-20",
        ),
        (
            '[halls.30]\nhours = {lunch = "11:30-14:00"}\nhours_until = "2026-12-20"',
            "halls.30.hours_until '2026-12-20' is not a date such as 2026-12-20, without quotes",
        ),
        (
            '[halls.30]\nhours = {brunch = "11:30-14:00"}\n' + UNTIL,
            "halls.30.hours.brunch is not a meal: breakfast, lunch, dinner, or a number from 0 to 9",
        ),
        (
            '[halls.30]\nhours = {lunch = "11:30-14:00", 1 = "12:00-13:00"}\n' + UNTIL,
            "halls.30.hours has a meal twice",
        ),
        ("[halls.30]\nhours = {lunch = 11}\n" + UNTIL, "halls.30.hours.lunch is not text"),
        (
            '[halls.30]\nhours = {lunch = "Mo-Fr 11:30"}\n' + UNTIL,
            "halls.30.hours.lunch 'Mo-Fr 11:30' is not in the syntax of opening_hours from column 12 on",
        ),
        (
            '[halls.30]\nhours = {lunch = "PH off"}\n' + UNTIL,
            "halls.30.hours.lunch 'PH off' has PH in column 1, but no country defines the public holidays",
        ),
        (
            'country = "USA"',
            "country 'USA' is not the ISO 3166 code of a country with known public holidays, such as US",
        ),
    ]:
        assert problem(halls, text) == message, text
