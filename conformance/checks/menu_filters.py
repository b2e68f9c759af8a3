"""Menu filters."""

from collections import defaultdict
from itertools import product

from conformance import expect
from conformance.target import FILTERS, MENUS, Parameter, Row, Target

_TYPICAL_PARAMETERS = 37
_MAX_PARAMETERS = 1000


def date_filters_by_date(target: Target) -> None:
    """`date` returns the menus of that date only."""
    for date in target.sample_dates:
        _expect_matches(target, date)
    expect.empty_list(target.request(MENUS, ("date", "1900-01-01")))


def meal_filters_by_meal(target: Target) -> None:
    """`meal` returns the rows of that meal only."""
    _expect_filter(target, "meal")


def location_filters_by_location(target: Target) -> None:
    """`location` returns the rows of that location only."""
    _expect_filter(target, "location")


def category_filters_by_category(target: Target) -> None:
    """`category` returns the rows of that category only."""
    _expect_filter(target, "category")


def recipe_filters_by_recipe(target: Target) -> None:
    """`recipe` returns the rows of that recipe only."""
    _expect_filter(target, "recipe")


def different_parameters_combine_with_and(target: Target) -> None:
    """Different parameters combine with AND."""
    row = target.sample_rows[len(target.sample_rows) // 2]
    for fields in (FILTERS, FILTERS[:2], FILTERS[1:3]):
        _expect_matches(target, *target.sample_dates, *((field, row[field]) for field in fields))


def parameters_without_a_common_row_match_nothing(target: Target) -> None:
    """Values that never occur in the same row match nothing."""
    served = {(row["recipe"], row["location"]) for row in target.sample_rows}
    unserved = set(product(_values(target, "recipe"), _values(target, "location"))) - served
    expect.require(unserved, "every recipe is served everywhere")
    recipe, location = min(unserved)
    expect.empty_list(target.request(MENUS, *target.sample_dates, ("recipe", recipe), ("location", location)))


def repeated_dates_combine_with_or(target: Target) -> None:
    """Repeated dates combine with OR."""
    expect.require(len(target.sample_dates) > 1, "there are menus of only one date")
    _expect_matches(target, *target.sample_dates)


def repeated_meals_combine_with_or(target: Target) -> None:
    """Repeated meals combine with OR."""
    _expect_or(target, "meal")


def repeated_locations_combine_with_or(target: Target) -> None:
    """Repeated locations combine with OR."""
    _expect_or(target, "location")


def repeated_categories_combine_with_or(target: Target) -> None:
    """Repeated categories combine with OR."""
    _expect_or(target, "category")


def repeated_recipes_combine_with_or(target: Target) -> None:
    """Repeated recipes combine with OR."""
    _expect_or(target, "recipe")


def duplicate_values_are_ignored(target: Target) -> None:
    """Duplicate values do not duplicate rows."""
    meal = ("meal", target.sample_rows[0]["meal"])
    _expect_matches(target, *target.sample_dates, *target.sample_dates, meal, meal)


def thirty_seven_parameters_are_accepted(target: Target) -> None:
    """A request may contain 37 parameters, including repeated ones."""
    fields = [("recipe", recipe) for recipe in _values(target, "recipe")]
    fields += [(field, value) for field in ("category", "location", "meal") for value in _values(target, field)[:8]]
    padding = [("recipe", 10**9 + number) for number in range(_TYPICAL_PARAMETERS)]
    _expect_matches(
        target, *target.sample_dates, *[*fields[-20:], *padding][: _TYPICAL_PARAMETERS - len(target.sample_dates)]
    )


def a_thousand_values_are_accepted(target: Target) -> None:
    """A request may contain 1,000 values."""
    row = target.sample_rows[-1]
    padding = [("recipe", number) for number in range(10**6, 10**6 + _MAX_PARAMETERS - 2)]
    _expect_matches(target, *target.sample_dates[-1:], *padding, ("recipe", row["recipe"]))


def unserved_meals_match_nothing(target: Target) -> None:
    """A meal without rows is a 200 with an empty list."""
    unserved = next(meal for meal in range(7, 1000) if meal not in _values(target, "meal"))
    expect.empty_list(target.request(MENUS, *target.sample_dates, ("meal", unserved)))


def unknown_numbers_match_nothing(target: Target) -> None:
    """An unknown location, category or recipe is a 200 with an empty list."""
    for field in FILTERS[1:]:
        expect.empty_list(target.request(MENUS, *target.sample_dates, (field, 2**40 + 1)))


def negative_numbers_match_nothing(target: Target) -> None:
    """A negative integer is valid and matches nothing."""
    for field in FILTERS:
        expect.empty_list(target.request(MENUS, *target.sample_dates, (field, -1)))


def numbers_of_40_digits_match_nothing(target: Target) -> None:
    """An integer of 40 digits is valid and matches nothing."""
    for field in FILTERS:
        expect.empty_list(target.request(MENUS, *target.sample_dates, (field, "9" * 40)))


def numbers_of_40_digits_do_not_affect_others(target: Target) -> None:
    """An integer of 40 digits does not affect other values."""
    _expect_matches(target, *target.sample_dates, ("meal", target.sample_rows[0]["meal"]), ("meal", int("9" * 40)))


def dates_without_menus_match_nothing(target: Target) -> None:
    """A date in the distant past or future is a 200 with an empty list."""
    for day in ("1900-01-01", "9999-12-31", "1904-02-29"):
        expect.empty_list(target.request(MENUS, ("date", day)))


def underscore_parameters_are_ignored(target: Target) -> None:
    """Parameters that begin with an underscore are ignored."""
    _expect_matches(target, *target.sample_dates, ("_", "123"), ("_meal", "lunch"), ("__", ""), rows=target.sample_rows)


def the_order_of_parameters_does_not_matter(target: Target) -> None:
    """The order of parameters does not matter."""
    row = target.sample_rows[-1]
    parameters = [*target.sample_dates, *((field, row[field]) for field in FILTERS)]
    expect.same_body(target.request(MENUS, *reversed(parameters)), target.request(MENUS, *parameters))


def values_may_be_percent_encoded(target: Target) -> None:
    """Any character of a name or value may be percent-encoded."""
    day, meal = target.sample_dates[0][1], target.sample_rows[0]["meal"]
    encoded = "".join(f"%{ord(char):02X}" for char in day)
    response = target.request(f"{MENUS}?d%61te={encoded}&m%65al=%{ord(str(meal)[0]):02x}{str(meal)[1:]}")
    expect.same_body(response, target.request(MENUS, ("date", day), ("meal", meal)))


def _expect_matches(target: Target, *parameters: Parameter, rows: list[Row] | None = None) -> None:
    filters: defaultdict[str, set[object]] = defaultdict(set)
    for name, value in parameters:
        filters[name].add(value)
    if rows is None:
        rows = [row for row in target.sample_rows if all(row[name] in values for name, values in filters.items())]
    expect.same_items(target.request(MENUS, *parameters), rows, "matching rows")


def _values(target: Target, field: str) -> list[int]:
    return sorted({row[field] for row in target.sample_rows})


def _expect_filter(target: Target, field: str) -> None:
    values = _values(target, field)
    for value in {values[0], values[len(values) // 2], values[-1]}:
        _expect_matches(target, *target.sample_dates, (field, value))


def _expect_or(target: Target, field: str) -> None:
    values = _values(target, field)
    expect.require(len(values) > 1, f"there is only one {field}")
    _expect_matches(target, *target.sample_dates, (field, values[0]), (field, values[-1]))
