"""Menus."""

import re

from conformance import expect
from conformance.expect import Response
from conformance.target import FILTERS, MENUS, Row, Target

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def menus_are_a_list(target: Target) -> None:
    """The menus are a JSON array, even without parameters."""
    expect.items(target.request(MENUS))


def menu_rows_have_all_fields(target: Target) -> None:
    """A row has date, meal, location, category and recipe, and ID and name of the recipe, of the documented types."""
    response, rows = _sample(target)
    integers = dict.fromkeys((*FILTERS, "id"), expect.INTEGER)
    for row in rows:
        expect.has_fields(response, row, {"date": expect.STRING, **integers, "name": expect.STRING})


def menu_dates_are_yyyy_mm_dd(target: Target) -> None:
    """The date of a row has the format YYYY-MM-DD."""
    response, rows = _sample(target)
    for row in rows:
        expect.check(_DATE.fullmatch(row["date"]), response, "a date in the format YYYY-MM-DD", row)


def menu_row_ids_are_recipe_ids(target: Target) -> None:
    """The ID of a row is the ID of its recipe."""
    response, rows = _sample(target)
    for row in rows:
        expect.check(row["id"] == row["recipe"], response, "id and recipe to be equal", row)


def menu_locations_are_listed(target: Target) -> None:
    """The location of every row is in the list of locations."""
    _expect_listed(target, "location", "/dining/locations")


def menu_categories_are_listed(target: Target) -> None:
    """The category of every row is in the list of categories."""
    _expect_listed(target, "category", "/dining/categories")


def menu_recipes_are_listed(target: Target) -> None:
    """The recipe of every row is in the list of recipes."""
    _expect_listed(target, "recipe", "/dining/recipes")


def date_defaults_to_today(target: Target) -> None:
    """The date defaults to today in America/New_York."""
    undated = target.request(MENUS)
    rows = expect.items(target.request(MENUS, ("date", target.today)))
    expect.same_items(undated, rows, f"menus of {target.today}")
    expect.require(rows, f"there are no menus of {target.today}")


def filters_apply_to_the_default_date(target: Target) -> None:
    """Without a date, filters apply to the menus of today."""
    rows = expect.items(target.request(MENUS, ("date", target.today)))
    expect.require(rows, f"there are no menus of {target.today}")
    meal = rows[-1]["meal"]
    expected = [row for row in rows if row["meal"] == meal]
    expect.same_items(target.request(MENUS, ("meal", meal)), expected, f"meal {meal} of {target.today}")


def _sample(target: Target) -> tuple[Response, list[Row]]:
    rows = target.sample_rows
    response = target.request(MENUS, *target.sample_dates)
    expect.same_items(response, rows, f"the rows of {[day for _, day in target.sample_dates]}")
    return response, rows


def _expect_listed(target: Target, field: str, path: str) -> None:
    response, rows = _sample(target)
    unlisted = {row[field] for row in rows} - {item["id"] for item in expect.items(target.cached_get(path))}
    expect.check(not unlisted, response, f"only IDs of {path}", sorted(unlisted))
