"""For each check of ids, menus and their parameters a server that does not pass it."""

import json
import re
from datetime import date, timedelta
from urllib.parse import parse_qs

from tests.conformance.breaking import asking, body, data, each, header, matching, status, without

MENUS = "^GET /dining/menus"


def western(found):
    return re.sub("%D9%A(.)", r"\1", found[0])


def of_32_bits(found):
    return f"/{int(found[1]) % 2**32}"


IDS = {
    "an_id_that_nothing_has_is_a_404": status(200, r"^GET /map/buildings/\d+$"),
    "letters_are_no_id": asking("/(x|null|id)$", ""),
    "a_number_with_more_around_it_is_no_id": asking(r"(/\d+)(x|%20)$", r"\1"),
    "a_negative_number_is_no_id": asking("/-", "/"),
    "a_number_with_a_plus_is_no_id": asking(r"/(\+|%2B)", "/"),
    "a_number_with_a_point_is_no_id": asking(r"(\d)\.0$", r"\1"),
    "digits_of_other_scripts_are_no_id": asking("/(%D9%A.)+$", western),
    "twenty_digits_are_a_404": status(500, r"/\d{20}$"),
    "forty_digits_are_a_404": status(500, r"/\d{40}$"),
    "a_known_id_beyond_64_bits_is_a_404": asking(r"/(\d{10,})$", of_32_bits),
    "leading_zeros_do_not_matter": status(404, r"/00\d+$"),
    "an_item_has_nothing_below_it": asking(r"(/\d+)/name$", r"\1"),
    "bytes_that_do_not_decode_are_no_id": asking("%FF|%C3", ""),
}


def as_asked(send):
    """Give menus in the order in which their dates were asked for."""

    def sent(method, target, headers):
        status, given, body = send(method, target, headers)
        dates = parse_qs(target.partition("?")[2]).get("date")
        if status == 200 and dates:
            body = json.dumps(sorted(json.loads(body), key=lambda row: dates.index(row["date"]))).encode()
        return status, given, body

    return sent


YESTERDAY = date.today() - timedelta(days=2)

ROWS = {
    "menus_are_a_list": data(lambda rows: {"rows": rows}, f"{MENUS}$"),
    "a_row_has_every_member": each(without("name"), MENUS),
    "a_date_is_written_yyyy_mm_dd": each(lambda row: {**row, "date": f"{row['date']}T00:00"}, MENUS),
    "an_id_is_that_of_the_recipe": each(lambda row: {**row, "id": row["id"] + 1}, MENUS),
    "rows_come_by_date_meal_and_location": data(lambda rows: rows[::-1], MENUS),
    "dates_come_in_order_however_asked_for": as_asked,
    "no_row_comes_twice": data(lambda rows: rows + rows[-1:], MENUS),
    "locations_of_menus_are_listed": data(lambda items: items[1:], "/dining/locations$"),
    "categories_of_menus_are_listed": data(lambda items: items[1:], "/dining/categories$"),
    "recipes_of_menus_are_listed": data(lambda items: [], "/dining/recipes$"),
    "recipes_of_menus_can_be_asked_for": status(404, r"/dining/recipes/\d+$"),
    "without_a_date_menus_are_of_today": asking("menus$", f"menus?date={YESTERDAY}"),
    "menus_of_today_tell_their_date": header("Content-Location", None),
    "filters_of_today_are_filters_of_its_date": asking(r"menus\?meal=", "menus?_="),
}


def leaving_out(parameter):
    """Ignore a parameter."""
    return asking(f"(?<=[?&]){parameter}=", "_=")


def filtering(keep):
    return matching("/dining/menus", keep, always=("date",))


def any_holds(row, wanted):
    return any(str(row[name]) in values for name, values in wanted.items() if name in row and name != "date")


def first_holds(row, wanted):
    return all(str(row[name]) == values[0] for name, values in wanted.items() if name in row)


def twice(send):
    """Give rows once more for a value that is given twice."""

    def sent(method, target, headers):
        status, given, body = send(method, target, headers)
        repeated = re.search(r"(meal=\d).*\1", target)
        return status, given, json.dumps(json.loads(body) * 2).encode() if repeated else body

    return sent


FILTERS = {
    **{f"{name}_asks_for_a_{name}": leaving_out(name) for name in ("date", "meal", "location", "category", "recipe")},
    "different_parameters_must_all_hold": filtering(any_holds),
    "parameters_that_never_meet_find_nothing": filtering(any_holds),
    "repeated_dates_are_alternatives": asking(r"(date=[^&]*)&date=[^&]*$", r"\1"),
    "repeated_meals_are_alternatives": filtering(first_holds),
    "repeated_locations_are_alternatives": filtering(first_holds),
    "repeated_categories_are_alternatives": filtering(first_holds),
    "repeated_recipes_are_alternatives": filtering(first_holds),
    "a_value_given_twice_counts_once": twice,
    "thirty_seven_parameters_are_answered": status(400, "([^&]*&){36}recipe"),
    "a_thousand_values_are_answered": status(414, "([^&]*&){999}"),
    "a_meal_that_is_not_served_is_nothing": status(404, "meal=7"),
    "a_number_that_nothing_has_is_nothing": status(404, f"recipe={2**40 + 1}"),
    "a_negative_number_is_nothing": status(400, "=-1"),
    "a_number_of_forty_digits_is_nothing": status(500, "=9{40}$"),
    "a_number_of_forty_digits_is_one_alternative": body(b"[]", "&meal=9{40}$"),
    "a_date_without_menus_is_nothing": status(404, "date=1900"),
    "parameters_with_an_underscore_are_ignored": status(400, "_meal"),
    "the_order_of_parameters_does_not_matter": data(lambda rows: [], r"menus\?recipe"),
    "values_may_be_percent_encoded": status(400, "d%61te"),
}

ALL = {**IDS, **ROWS, **FILTERS}
