"""For each check of improper queries and of errors a server that does not pass it."""

from tests.conformance.breaking import as_method, asking, data, giving, header, status, without

MENUS = "^GET /dining/menus"


def ignoring(pair):
    """Ignore a pair of a query."""
    return asking(rf"(?<=[?&]){pair}(?=&|$)", "_=")


def problem(where="", **members):
    """Change members of a 400."""
    return data(lambda problem: {**problem, **members}, where, of=400)


def corrected(old, new):
    """Correct in another way."""
    return data(lambda problem: {**problem, "corrected": problem["corrected"].replace(old, new)}, MENUS, of=400)


def same_correction(problem):
    errors = [{**error, "corrected": problem["corrected"]} for error in problem["errors"]]
    return {**problem, "errors": errors}


def first_only(problem):
    return {**problem, "errors": problem["errors"][:1]}


REFUSED = {
    "a_date_in_another_form_is_refused": ignoring("date=20261120"),
    "a_date_not_in_the_calendar_is_refused": ignoring("date=2026-02-29"),
    "a_meal_that_is_no_integer_is_refused": asking("meal=lunch", "meal=1"),
    "a_location_that_is_no_integer_is_refused": ignoring("location=Annenberg"),
    "a_category_that_is_no_integer_is_refused": ignoring("category=Entrees"),
    "a_recipe_that_is_no_integer_is_refused": ignoring("recipe=Kashi"),
    "signs_and_spaces_are_no_integer": asking("=%2B1", "=1"),
    "digits_of_other_scripts_are_refused": asking("=%D9%A1", "=1"),
    "an_empty_date_is_refused": ignoring("date="),
    "an_empty_number_is_refused": ignoring("meal="),
    "a_parameter_without_a_value_is_refused": ignoring("meal"),
    "an_unknown_parameter_is_refused": ignoring("hall=30"),
    "bytes_that_do_not_decode_are_refused": ignoring("recipe=%FF"),
    "all_problems_are_told_at_once": data(first_only, MENUS, of=400),
    "a_good_value_does_not_save_a_bad_one": ignoring("meal=brunch"),
    "a_bad_one_among_a_thousand_values_is_found": ignoring("recipe=x"),
    "a_corrected_meal_can_be_followed": corrected("meal=1", "meal=0"),
    "a_corrected_date_can_be_followed": corrected("2026-11-20", "2020-11-26"),
    "a_corrected_name_can_be_followed": problem(corrected=None),
    "values_in_one_are_taken_apart": corrected("&meal=2", ""),
    "all_is_corrected_in_one_url": corrected("meal=1", "meal=lunch"),
    "each_problem_has_its_own_correction": data(same_correction, MENUS, of=400),
    "what_cannot_be_told_is_not_corrected": problem(corrected="/dining/menus"),
    "the_detail_names_parameter_and_value": problem(detail="This is wrong."),
}


def leaking(status, headers, body):
    return status, headers, body.replace(b"There is nothing", b"Traceback (most recent call last)")


ERRORS = {
    "a_path_that_leads_nowhere_is_a_404": asking("/menus/1$", "/menus"),
    "a_path_of_bytes_that_do_not_decode_is_a_404": status(400, "/%FF$"),
    "an_error_is_a_problem": header("Content-Type", "text/html", of=405),
    "a_problem_has_every_member": data(without("corrected"), of=404),
    "a_problem_has_the_status_of_its_answer": data(lambda problem: {**problem, "status": 400}, of=404),
    "an_error_of_a_query_has_every_member": data(
        lambda problem: {**problem, "errors": [*map(without("corrected"), problem["errors"])]}, of=400
    ),
    "an_error_is_not_kept": header("Cache-Control", "max-age=60", of=404),
    "odd_requests_are_no_failure": status(500, "%00"),
    "an_answer_tells_nothing_of_the_server": giving(leaking, "/nowhere"),
}

NOWHERE_FIRST = status(404, "^POST /nowhere")

METHODS = {
    **{f"{method}_is_not_allowed": as_method(method.upper(), "GET") for method in ("post", "put", "delete", "patch")},
    "other_methods_are_not_allowed_anywhere": NOWHERE_FIRST,
    "head_has_no_body": as_method("HEAD", "GET"),
    "head_has_the_headers_of_get": header("Content-Length", "0", "^HEAD"),
    "head_has_the_status_of_get": status(200, "^HEAD"),
    "options_is_a_204": status(200, "^OPTIONS"),
}

ALL = {**REFUSED, **ERRORS, **METHODS}
