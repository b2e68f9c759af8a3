"""Invalid menu queries."""

from conformance import expect
from conformance.target import MENUS, Target


def malformed_dates_are_rejected(target: Target) -> None:
    """A date in a format other than YYYY-MM-DD is a 400."""
    for value in ("11/20/2026", "2026-11", "today"):
        _expect_bad_request(target, "date", value)


def nonexistent_dates_are_rejected(target: Target) -> None:
    """A date that does not exist is a 400."""
    for value in ("2026-02-29", "2026-13-01", "2026-11-31"):
        _expect_bad_request(target, "date", value)


def non_integer_meals_are_rejected(target: Target) -> None:
    """A meal that is not an integer is a 400."""
    for value in ("lunch", "1.5", "x1"):
        _expect_bad_request(target, "meal", value)


def non_integer_locations_are_rejected(target: Target) -> None:
    """A location that is not an integer is a 400."""
    _expect_bad_request(target, "location", "Annenberg")


def non_integer_categories_are_rejected(target: Target) -> None:
    """A category that is not an integer is a 400."""
    _expect_bad_request(target, "category", "Entrees")


def non_integer_recipes_are_rejected(target: Target) -> None:
    """A recipe that is not an integer is a 400."""
    _expect_bad_request(target, "recipe", "Kashi")


def unknown_parameters_are_rejected(target: Target) -> None:
    """An unknown parameter is a 400."""
    _expect_bad_request(target, "conformance-unknown", "1")


def valid_values_do_not_hide_invalid_ones(target: Target) -> None:
    """A valid value does not hide an invalid one of the same parameter."""
    for values in (("1", "brunch"), ("brunch", "1")):
        expect.status(target.request(MENUS, *(("meal", value) for value in values)), 400)


def _expect_bad_request(target: Target, name: str, value: str) -> None:
    expect.status(target.request(MENUS, (name, value)), 400)
