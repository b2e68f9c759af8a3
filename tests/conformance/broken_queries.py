"""A fault for each check of invalid queries."""

from tests.conformance.breaking import (
    change_json,
    rewrite_url,
)

MENUS = "^GET /dining/menus"


def ignore(parameter):
    return rewrite_url(rf"(?<=[?&]){parameter}(?=&|$)", "_=")


def change_problem(**fields):
    return change_json(lambda problem: {**problem, **fields}, of=400)


def change_correction(old, new):
    return change_json(lambda problem: {**problem, "corrected": problem["corrected"].replace(old, new)}, MENUS, of=400)


def same_correction(problem):
    errors = [{**error, "corrected": problem["corrected"]} for error in problem["errors"]]
    return {**problem, "errors": errors}


def first_only(problem):
    return {**problem, "errors": problem["errors"][:1]}


INVALID_MENU_QUERIES = {
    "malformed_dates_are_rejected": ignore("date=20261120"),
    "nonexistent_dates_are_rejected": ignore("date=2026-02-29"),
    "non_integer_meals_are_rejected": rewrite_url("meal=lunch", "meal=1"),
    "non_integer_locations_are_rejected": ignore("location=Annenberg"),
    "non_integer_categories_are_rejected": ignore("category=Entrees"),
    "non_integer_recipes_are_rejected": ignore("recipe=Kashi"),
    "signs_and_whitespace_are_rejected": rewrite_url("=%2B1", "=1"),
    "non_ascii_digits_are_rejected": rewrite_url("=%D9%A1", "=1"),
    "empty_dates_are_rejected": ignore("date="),
    "empty_numbers_are_rejected": ignore("meal="),
    "parameters_without_a_value_are_rejected": ignore("meal"),
    "unknown_parameters_are_rejected": ignore("hall=30"),
    "invalid_utf_8_is_rejected": ignore("recipe=%FF"),
    "all_errors_are_reported": change_json(first_only, MENUS, of=400),
    "valid_values_do_not_hide_invalid_ones": ignore("meal=brunch"),
    "one_invalid_value_in_a_thousand_is_reported": ignore("recipe=x"),
    "meal_names_are_corrected": change_correction("meal=1", "meal=0"),
    "dates_are_corrected": change_correction("2026-11-20", "2020-11-26"),
    "parameter_names_are_corrected": change_problem(corrected=None),
    "comma_separated_values_are_corrected": change_correction("&meal=2", ""),
    "one_url_corrects_all_errors": change_correction("meal=1", "meal=lunch"),
    "each_error_has_its_own_correction": change_json(same_correction, MENUS, of=400),
    "corrected_is_null_without_a_suggestion": change_problem(corrected="/dining/menus"),
    "the_detail_names_parameter_and_value": change_problem(detail="This is wrong."),
}


ALL = {**INVALID_MENU_QUERIES}
