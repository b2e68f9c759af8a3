"""A fault for each check of menus and menu filters."""

import json
import re
from datetime import date, timedelta

from tests.conformance.breaking import (
    change_items,
    change_json,
    change_status,
    filter_items,
    rewrite_url,
    without_field,
)

MENUS = "^GET /dining/menus"


TWO_DAYS_AGO = date.today() - timedelta(days=2)

ROWS = {
    "menus_are_a_list": change_json(lambda rows: {"rows": rows}, f"{MENUS}$"),
    "menu_rows_have_all_fields": change_items(without_field("name"), MENUS),
    "menu_dates_are_yyyy_mm_dd": change_items(lambda row: {**row, "date": f"{row['date']}T00:00"}, MENUS),
    "menu_row_ids_are_recipe_ids": change_items(lambda row: {**row, "id": row["id"] + 1}, MENUS),
    "menu_locations_are_listed": change_json(lambda items: items[1:], "/dining/locations$"),
    "menu_categories_are_listed": change_json(lambda items: items[1:], "/dining/categories$"),
    "menu_recipes_are_listed": change_json(lambda items: [], "/dining/recipes$"),
    "date_defaults_to_today": rewrite_url("menus$", f"menus?date={TWO_DAYS_AGO}"),
    "filters_apply_to_the_default_date": rewrite_url(r"menus\?meal=", "menus?_="),
}


def ignore_parameter(parameter):
    return rewrite_url(f"(?<=[?&]){parameter}=", "_=")


def filter_by(matches):
    return filter_items("/dining/menus", matches, passed_on=("date",))


def matches_any(row, query):
    return any(str(row[name]) in values for name, values in query.items() if name in row and name != "date")


def matches_first_values(row, query):
    return all(str(row[name]) == values[0] for name, values in query.items() if name in row)


def duplicate_rows(send):
    """Return rows twice for a repeated value."""

    def faulty_send(target, headers):
        status, response_headers, body = send(target, headers)
        repeated = re.search(r"(meal=\d).*\1", target)
        return status, response_headers, json.dumps(json.loads(body) * 2).encode() if repeated else body

    return faulty_send


FILTERS = {
    **{
        f"{name}_filters_by_{name}": ignore_parameter(name)
        for name in ("date", "meal", "location", "category", "recipe")
    },
    "different_parameters_combine_with_and": filter_by(matches_any),
    "parameters_without_a_common_row_match_nothing": filter_by(matches_any),
    "repeated_dates_combine_with_or": rewrite_url(r"(date=[^&]*)&date=[^&]*$", r"\1"),
    "repeated_meals_combine_with_or": filter_by(matches_first_values),
    "repeated_locations_combine_with_or": filter_by(matches_first_values),
    "repeated_categories_combine_with_or": filter_by(matches_first_values),
    "repeated_recipes_combine_with_or": filter_by(matches_first_values),
    "duplicate_values_are_ignored": duplicate_rows,
    "thirty_seven_parameters_are_accepted": change_status(400, "([^&]*&){36}"),
}

ALL = {**ROWS, **FILTERS}
