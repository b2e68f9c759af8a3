"""Menu filters."""

from collections import defaultdict
from itertools import cycle, islice, product

from conformance import expect
from conformance.target import FILTERS, MENUS, Parameter, Target

_TYPICAL_PARAMETERS = 37


def date_filters_by_date(target: Target) -> None:
    """`date` returns the menus of that date only, an empty list if there are none."""
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
    """A request may contain 37 parameters, most of them repeated."""
    values = [(field, value) for field in FILTERS for value in _values(target, field)[:8]]
    parameters = islice(cycle(values), _TYPICAL_PARAMETERS - len(target.sample_dates))
    _expect_matches(target, *target.sample_dates, *parameters)


def _expect_matches(target: Target, *parameters: Parameter) -> None:
    filters: defaultdict[str, set[object]] = defaultdict(set)
    for name, value in parameters:
        filters[name].add(value)
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
