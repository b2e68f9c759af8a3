"""Invalid menu queries."""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

from conformance import expect
from conformance.target import FILTERS, MENUS, Parameter, Target

_DATE = ("date", "2026-11-20")


def malformed_dates_are_rejected(target: Target) -> None:
    """A date in a format other than YYYY-MM-DD is a 400 that names it."""
    for value in ("11/20/2026", "20261120", "2026-11-2", "2026-11-20T00:00", "today", "26-11-20", "2026-W47-5"):
        _expect_bad_request(target, "date", value)


def nonexistent_dates_are_rejected(target: Target) -> None:
    """A date that does not exist is a 400 that names it."""
    for value in ("2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31", "0000-01-01"):
        _expect_bad_request(target, "date", value)


def non_integer_meals_are_rejected(target: Target) -> None:
    """A meal that is not an integer is a 400 that names it."""
    for value in ("lunch", "1.0", "1e0", "0x1", "one", "1,2"):
        _expect_bad_request(target, "meal", value)


def non_integer_locations_are_rejected(target: Target) -> None:
    """A location that is not an integer is a 400 that names it."""
    _expect_bad_request(target, "location", "Annenberg")


def non_integer_categories_are_rejected(target: Target) -> None:
    """A category that is not an integer is a 400 that names it."""
    _expect_bad_request(target, "category", "Entrees")


def non_integer_recipes_are_rejected(target: Target) -> None:
    """A recipe that is not an integer is a 400 that names it."""
    _expect_bad_request(target, "recipe", "Kashi")


def signs_and_whitespace_are_rejected(target: Target) -> None:
    """An integer with a plus sign or whitespace is a 400."""
    for value in ("+1", " 1", "1 ", "1\n", "\t1", "--1", "-"):
        _expect_bad_request(target, "meal", value)


def non_ascii_digits_are_rejected(target: Target) -> None:
    """Non-ASCII digits are a 400."""
    for name, value in (("meal", "١"), ("recipe", "１"), ("date", "２026-11-20")):
        _expect_bad_request(target, name, value)


def empty_dates_are_rejected(target: Target) -> None:
    """An empty date is a 400 that names it."""
    _expect_bad_request(target, "date", "")


def empty_numbers_are_rejected(target: Target) -> None:
    """An empty meal, location, category or recipe is a 400 that names it."""
    for name in FILTERS:
        _expect_bad_request(target, name, "")


def parameters_without_a_value_are_rejected(target: Target) -> None:
    """A parameter without an equals sign is a 400, like an empty value."""
    expect.bad_request(target.request(f"{MENUS}?meal"), ("meal", ""))


def unknown_parameters_are_rejected(target: Target) -> None:
    """An unknown parameter is a 400 that names it."""
    for name, value in (("hall", "30"), ("Meal", "1"), ("meal[]", "1"), ("meal[$gt]", "0"), ("id", "1"), ("", "1")):
        _expect_bad_request(target, name, value)


def invalid_utf_8_is_rejected(target: Target) -> None:
    """A name or value that is not valid UTF-8 is a 400."""
    for query, names in (("recipe=%FF", ["recipe"]), ("date=%C3%28", ["date"]), ("me%FFal=1", None)):
        response = target.request(f"{MENUS}?{query}")
        errors = expect.problem(response, 400)["errors"]
        actual = [error["parameter"] for error in errors]
        is_expected = len(actual) == 1 and actual == (names or actual)
        expect.check(is_expected, response, f"errors about {names or 'the name'}", actual)


def all_errors_are_reported(target: Target) -> None:
    """A 400 reports all errors of the query."""
    invalid = [("date", "soon"), ("meal", "lunch"), ("meal", "tea"), ("location", ""), ("recipe", "x"), ("hall", "1")]
    expect.bad_request(target.request(MENUS, *invalid, ("category", 1)), *invalid)


def valid_values_do_not_hide_invalid_ones(target: Target) -> None:
    """A valid value does not hide an invalid one of the same parameter."""
    expect.bad_request(target.request(MENUS, _DATE, ("meal", 1), ("meal", "brunch")), ("meal", "brunch"))


def one_invalid_value_in_a_thousand_is_reported(target: Target) -> None:
    """One invalid value among 1,000 is a 400 that names only this value."""
    valid = [("recipe", number) for number in range(999)]
    expect.bad_request(target.request(MENUS, *valid, ("recipe", "x")), ("recipe", "x"))


def meal_names_are_corrected(target: Target) -> None:
    """The corrected URL has the number instead of the name of a meal."""
    _expect_correction(target, [("meal", "lunch")], [("meal", 1)])
    _expect_correction(target, [_DATE, ("meal", "dinner")], [_DATE, ("meal", 2)])


def dates_are_corrected(target: Target) -> None:
    """The corrected URL has the date in the format YYYY-MM-DD."""
    for value in ("11/20/2026", "2026/11/20", "20261120"):
        _expect_correction(target, [("date", value)], [_DATE])


def parameter_names_are_corrected(target: Target) -> None:
    """The corrected URL has the right name of a misspelled parameter."""
    _expect_correction(target, [_DATE, ("locations", "30")], [_DATE, ("location", 30)])


def comma_separated_values_are_corrected(target: Target) -> None:
    """The corrected URL repeats the parameter for comma-separated values."""
    _expect_correction(target, [_DATE, ("meal", "0,2")], [_DATE, ("meal", 0), ("meal", 2)])


def one_url_corrects_all_errors(target: Target) -> None:
    """The corrected URL of a response corrects all errors."""
    _expect_correction(target, [("date", "11/20/2026"), ("meal", "lunch")], [_DATE, ("meal", 1)])


def each_error_has_its_own_correction(target: Target) -> None:
    """The corrected URL of an error corrects this error only."""
    response = target.request(MENUS, ("date", "11/20/2026"), ("meal", "lunch"))
    errors = expect.bad_request(response, ("date", "11/20/2026"), ("meal", "lunch"))
    for error, remaining in zip(errors, (("meal", "lunch"), ("date", "11/20/2026")), strict=True):
        expect.bad_request(target.follow(response, error["corrected"]), remaining)


def corrected_is_null_without_a_suggestion(target: Target) -> None:
    """The corrected URL is null if there is no suggestion."""
    response = target.request(MENUS, ("recipe", "soup"))
    [error] = expect.bad_request(response, ("recipe", "soup"))
    actual = (response.json["corrected"], error["corrected"])
    expect.check(actual == (None, None), response, "corrected to be null", actual)


def the_detail_names_parameter_and_value(target: Target) -> None:
    """The detail of a 400 names the parameter and its value."""
    response = target.request(MENUS, ("location", "Quincy"))
    detail = expect.problem(response, 400)["detail"]
    expect.check("location" in detail and "Quincy" in detail, response, "location and Quincy in the detail", detail)


def _expect_bad_request(target: Target, name: str, value: str) -> None:
    expect.bad_request(target.request(MENUS, (name, value)), (name, value))


def _expect_correction(target: Target, invalid: Sequence[Parameter], valid: Sequence[Parameter]) -> None:
    response = target.request(MENUS, *invalid)
    url = expect.problem(response, 400)["corrected"]
    expect.check(type(url) is str, response, "a corrected URL", url)
    corrected = target.follow(response, url)
    expect.same_items(corrected, expect.items(target.request(MENUS, *valid)), f"the rows for {valid}")
    expected = sorted((name, str(value)) for name, value in valid)
    actual = sorted(parse_qsl(urlsplit(corrected.url).query))
    expect.check(actual == expected, response, f"a corrected URL with {expected}", url)
