"""Menus."""

import re
from operator import itemgetter

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


def menu_rows_are_sorted(target: Target) -> None:
    """Rows are sorted by date, meal and location."""
    response, rows = _sample(target)
    expect.ordered(response, rows, itemgetter("date", "meal", "location"), "rows sorted by date, meal and location")


def menu_rows_are_sorted_for_any_order_of_dates(target: Target) -> None:
    """Rows are sorted by date, whatever the order of the dates in the request."""
    expect.require(len(target.sample_dates) > 1, "there are menus of only one date")
    expect.items_equal(target.request(MENUS, *reversed(target.sample_dates)), target.sample_rows, "rows sorted by date")


def menu_rows_are_unique(target: Target) -> None:
    """Rows are unique."""
    response, rows = _sample(target)
    expect.unique(response, [tuple(map(str, row.values())) for row in rows], "unique rows")


def menu_locations_are_listed(target: Target) -> None:
    """The location of every row is in the list of locations."""
    response, rows = _sample(target)
    _expect_listed(target, response, {row["location"] for row in rows}, "/dining/locations")


def menu_categories_are_listed(target: Target) -> None:
    """The category of every row is in the list of categories."""
    response, rows = _sample(target)
    _expect_listed(target, response, {row["category"] for row in rows}, "/dining/categories")


def menu_recipes_are_listed(target: Target) -> None:
    """The recipe of every row is in the list of recipes."""
    response, rows = _sample(target)
    _expect_listed(target, response, {row["recipe"] for row in rows}, "/dining/recipes")


def menu_references_resolve(target: Target) -> None:
    """The recipe, category and location of a row are available by ID."""
    row = target.sample_rows[0]
    for path, field in (("categories", "category"), ("locations", "location"), ("recipes", "recipe")):
        response = expect.status(target.request(f"/dining/{path}/{row[field]}"), 200)
        expect.check(response.json["id"] == row[field], response, f"the ID {row[field]}", response.json)


def date_defaults_to_today(target: Target) -> None:
    """The date defaults to today in America/New_York."""
    undated = target.request(MENUS)
    rows = expect.items(target.request(MENUS, ("date", target.today)))
    expect.items_equal(undated, rows, f"menus of {target.today}")
    expect.require(rows, f"there are no menus of {target.today}")


def content_location_has_the_default_date(target: Target) -> None:
    """Without a date, Content-Location is the URL with the date, which returns the same menus."""
    for parameters in ((), (("meal", 1),)):
        response = target.request(MENUS, *parameters)
        location = expect.header(response, "Content-Location", f"date={target.today}")
        expect.same_body(target.follow(response, location), response)


def filters_apply_to_the_default_date(target: Target) -> None:
    """Without a date, filters apply to the menus of today."""
    rows = expect.items(target.request(MENUS, ("date", target.today)))
    expect.require(rows, f"there are no menus of {target.today}")
    meal = rows[-1]["meal"]
    expected = [row for row in rows if row["meal"] == meal]
    expect.items_equal(target.request(MENUS, ("meal", meal)), expected, f"meal {meal} of {target.today}")


def _sample(target: Target) -> tuple[Response, list[Row]]:
    rows = target.sample_rows
    response = target.request(MENUS, *target.sample_dates)
    expect.items_equal(response, rows, f"the rows of {[day for _, day in target.sample_dates]}")
    return response, rows


def _expect_listed(target: Target, response: Response, ids: set[int], path: str) -> None:
    unlisted = ids - {item["id"] for item in expect.items(target.cached_get(path))}
    expect.check(not unlisted, response, f"only IDs of {path}", sorted(unlisted))
