"""Improper queries of menus."""

from urllib.parse import parse_qsl, urlsplit

from conformance import expect
from conformance.target import FILTERS, MENUS

_DAY = ("date", "2026-11-20")


def a_date_in_another_form_is_refused(campus):
    """A date that is not written YYYY-MM-DD is a 400 that names it."""
    for value in ("11/20/2026", "20261120", "2026-11-2", "2026-11-20T00:00", "today", "26-11-20", "2026-W47-5"):
        _is_refused(campus, "date", value)


def a_date_not_in_the_calendar_is_refused(campus):
    """A date that is not in the calendar is a 400 that names it."""
    for value in ("2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31", "0000-01-01"):
        _is_refused(campus, "date", value)


def a_meal_that_is_no_integer_is_refused(campus):
    """A meal that is not an integer is a 400 that names it."""
    for value in ("lunch", "1.0", "1e0", "0x1", "one", "1,2"):
        _is_refused(campus, "meal", value)


def a_location_that_is_no_integer_is_refused(campus):
    """A location that is not an integer is a 400 that names it."""
    _is_refused(campus, "location", "Annenberg")


def a_category_that_is_no_integer_is_refused(campus):
    """A category that is not an integer is a 400 that names it."""
    _is_refused(campus, "category", "Entrees")


def a_recipe_that_is_no_integer_is_refused(campus):
    """A recipe that is not an integer is a 400 that names it."""
    _is_refused(campus, "recipe", "Kashi")


def signs_and_spaces_are_no_integer(campus):
    """A plus, a space or a line end around an integer is a 400."""
    for value in ("+1", " 1", "1 ", "1\n", "\t1", "--1", "-"):
        _is_refused(campus, "meal", value)


def digits_of_other_scripts_are_refused(campus):
    """Digits of other scripts are a 400."""
    for name, value in (("meal", "١"), ("recipe", "１"), ("date", "２026-11-20")):
        _is_refused(campus, name, value)


def an_empty_date_is_refused(campus):
    """An empty date is a 400 that names it."""
    _is_refused(campus, "date", "")


def an_empty_number_is_refused(campus):
    """An empty meal, location, category or recipe is a 400 that names it."""
    for name in FILTERS:
        _is_refused(campus, name, "")


def a_parameter_without_a_value_is_refused(campus):
    """A parameter without an equals sign is an empty one."""
    expect.refused(campus.ask(f"{MENUS}?meal"), ("meal", ""))


def an_unknown_parameter_is_refused(campus):
    """A parameter of another name is a 400 that names it."""
    for name, value in (("hall", "30"), ("Meal", "1"), ("meal[]", "1"), ("meal[$gt]", "0"), ("id", "1"), ("", "1")):
        _is_refused(campus, name, value)


def bytes_that_do_not_decode_are_refused(campus):
    """Bytes that are not UTF-8, in a value or a name, are a 400."""
    for query, names in (("recipe=%FF", ["recipe"]), ("date=%C3%28", ["date"]), ("me%FFal=1", None)):
        errors = expect.problem(campus.ask(f"{MENUS}?{query}"), 400)["errors"]
        got = [error["parameter"] for error in errors]
        expect.that(len(got) == 1 and got == (names or got), campus.last, f"errors about {names or 'the name'}", got)


def all_problems_are_told_at_once(campus):
    """All problems of a query are told at once."""
    wrong = [("date", "soon"), ("meal", "lunch"), ("meal", "tea"), ("location", ""), ("recipe", "x"), ("hall", "1")]
    expect.refused(campus.ask(MENUS, *wrong, ("category", 1)), *wrong)


def a_good_value_does_not_save_a_bad_one(campus):
    """A good value beside a bad one of the same parameter does not save it."""
    expect.refused(campus.ask(MENUS, _DAY, ("meal", 1), ("meal", "brunch")), ("meal", "brunch"))


def a_bad_one_among_a_thousand_values_is_found(campus):
    """One bad value among 1,000 is a 400 that names only that one."""
    many = [("recipe", number) for number in range(999)]
    expect.refused(campus.ask(MENUS, *many, ("recipe", "x")), ("recipe", "x"))


def a_corrected_meal_can_be_followed(campus):
    """For a meal's name the corrected URL has its number."""
    _is_corrected(campus, [("meal", "lunch")], [("meal", 1)])
    _is_corrected(campus, [_DAY, ("meal", "dinner")], [_DAY, ("meal", 2)])


def a_corrected_date_can_be_followed(campus):
    """For a date in another form the corrected URL has it as YYYY-MM-DD."""
    for value in ("11/20/2026", "2026/11/20", "20261120"):
        _is_corrected(campus, [("date", value)], [_DAY])


def a_corrected_name_can_be_followed(campus):
    """For a parameter that is nearly right the corrected URL has the right one."""
    _is_corrected(campus, [_DAY, ("locations", "30")], [_DAY, ("location", 30)])


def values_in_one_are_taken_apart(campus):
    """For a list in one value the corrected URL repeats the parameter."""
    _is_corrected(campus, [_DAY, ("meal", "0,2")], [_DAY, ("meal", 0), ("meal", 2)])


def all_is_corrected_in_one_url(campus):
    """One corrected URL has all problems corrected."""
    _is_corrected(campus, [("date", "11/20/2026"), ("meal", "lunch")], [_DAY, ("meal", 1)])


def each_problem_has_its_own_correction(campus):
    """Each error has a corrected URL, in which only that one is corrected."""
    answer = campus.ask(MENUS, ("date", "11/20/2026"), ("meal", "lunch"))
    errors = expect.refused(answer, ("date", "11/20/2026"), ("meal", "lunch"))
    for error, left in zip(errors, (("meal", "lunch"), ("date", "11/20/2026")), strict=True):
        expect.refused(campus.follow(answer, error["corrected"]), left)


def what_cannot_be_told_is_not_corrected(campus):
    """Where nobody can tell what was meant, there is no corrected URL."""
    answer = campus.ask(MENUS, ("recipe", "soup"))
    [error] = expect.refused(answer, ("recipe", "soup"))
    got = (answer.json["corrected"], error["corrected"])
    expect.that(got == (None, None), answer, "corrected to be null", got)


def the_detail_names_parameter_and_value(campus):
    """The detail of a 400 names the parameter and its value."""
    answer = campus.ask(MENUS, ("location", "Quincy"))
    detail = expect.problem(answer, 400)["detail"]
    expect.that("location" in detail and "Quincy" in detail, answer, "location and Quincy in the detail", detail)


def _is_refused(campus, name, value):
    expect.refused(campus.ask(MENUS, (name, value)), (name, value))


def _is_corrected(campus, wrong, right):
    answer = campus.ask(MENUS, *wrong)
    url = expect.problem(answer, 400)["corrected"]
    expect.that(type(url) is str, answer, "a corrected URL", url)
    corrected = campus.follow(answer, url)
    expect.same(corrected, expect.items(campus.ask(MENUS, *right)), f"what {right} asks for")
    asked = sorted((name, str(value)) for name, value in right)
    got = sorted(parse_qsl(urlsplit(corrected.url).query))
    expect.that(got == asked, answer, f"a corrected URL that asks for {asked}", url)
