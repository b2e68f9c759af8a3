"""Menus."""

import re

from conformance import expect
from conformance.target import FILTERS, MENUS

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def menus_are_a_list(campus):
    """The menus are a JSON list, also without any parameter."""
    expect.items(campus.ask(MENUS))


def a_row_has_every_member(campus):
    """A row has date, meal, location, category and recipe, and id and name of the recipe, each of its type."""
    answer, rows = _served(campus)
    numbers = dict.fromkeys((*FILTERS, "id"), expect.INTEGER)
    for row in rows:
        expect.shape(answer, row, {"date": expect.TEXT, **numbers, "name": expect.TEXT})


def a_date_is_written_yyyy_mm_dd(campus):
    """The date of a row is written YYYY-MM-DD."""
    answer, rows = _served(campus)
    for row in rows:
        expect.that(_DATE.fullmatch(row["date"]), answer, "a date written YYYY-MM-DD", row)


def an_id_is_that_of_the_recipe(campus):
    """The id of a row is that of its recipe."""
    answer, rows = _served(campus)
    for row in rows:
        expect.that(row["id"] == row["recipe"], answer, "id and recipe to be equal", row)


def rows_come_by_date_meal_and_location(campus):
    """Rows come in the order of their dates, of one date by meal, of one meal by location."""
    answer, rows = _served(campus)
    expect.ordered(answer, rows, lambda row: (row["date"], row["meal"], row["location"]), "date, meal, location")


def dates_come_in_order_however_asked_for(campus):
    """The order of dates in the request does not matter."""
    expect.given(len(campus.dates) > 1, "there are menus of one date only")
    expect.same(campus.ask(MENUS, *reversed(campus.dates)), campus.served, "the rows in the order of their dates")


def no_row_comes_twice(campus):
    """Nothing is served twice in the same category, meal and location of a date."""
    answer, rows = _served(campus)
    expect.different(answer, [tuple(map(str, row.values())) for row in rows], "each row once")


def locations_of_menus_are_listed(campus):
    """Every location of a row is in the list of locations."""
    answer, rows = _served(campus)
    _are_listed(campus, answer, {row["location"] for row in rows}, "/dining/locations")


def categories_of_menus_are_listed(campus):
    """Every category of a row is in the list of categories."""
    answer, rows = _served(campus)
    _are_listed(campus, answer, {row["category"] for row in rows}, "/dining/categories")


def recipes_of_menus_are_listed(campus):
    """Every recipe of a row is in the list of recipes."""
    answer, rows = _served(campus)
    _are_listed(campus, answer, {row["recipe"] for row in rows}, "/dining/recipes")


def recipes_of_menus_can_be_asked_for(campus):
    """The recipe, the category and the location of a row can be asked for by their numbers."""
    row = campus.served[0]
    for path, field in (("categories", "category"), ("locations", "location"), ("recipes", "recipe")):
        answer = expect.status(campus.ask(f"/dining/{path}/{row[field]}"), 200)
        expect.that(answer.json["id"] == row[field], answer, f"the id {row[field]}", answer.json)


def without_a_date_menus_are_of_today(campus):
    """Without a date the menus are those of today in America/New_York."""
    before = campus.ask(MENUS)
    today = campus.ask(MENUS, ("date", campus.today))
    expect.same(before, expect.items(today), f"menus of {campus.today}")
    expect.given(expect.items(today), f"there are no menus of {campus.today}")


def menus_of_today_tell_their_date(campus):
    """Menus without a date give in Content-Location the URL with the date, which has the same menus."""
    for pairs in ((), (("meal", 1),)):
        answer = campus.ask(MENUS, *pairs)
        where = expect.header(answer, "Content-Location", f"date={campus.today}")
        expect.same_body(campus.follow(answer, where), answer)


def filters_of_today_are_filters_of_its_date(campus):
    """With other parameters, but without a date, the menus are of today too."""
    rows = expect.items(campus.ask(MENUS, ("date", campus.today)))
    expect.given(rows, f"there are no menus of {campus.today}")
    meal = rows[-1]["meal"]
    expected = [row for row in rows if row["meal"] == meal]
    expect.same(campus.ask(MENUS, ("meal", meal)), expected, f"meal {meal} of {campus.today}")


def _served(campus):
    rows = campus.served
    answer = campus.ask(MENUS, *campus.dates)
    expect.same(answer, rows, f"the rows of {[day for _, day in campus.dates]}")
    return answer, rows


def _are_listed(campus, answer, numbers, path):
    unlisted = numbers - {item["id"] for item in expect.items(campus.kept(path))}
    expect.that(not unlisted, answer, f"only numbers of {path}", sorted(unlisted))
