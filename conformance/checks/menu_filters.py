"""Parameters of menus."""

from conformance import expect
from conformance.target import FILTERS, MENUS

_MANY, _MOST = 37, 1000


def date_asks_for_a_date(campus):
    """`date` asks for the menus of that date, and of no other."""
    for pair in campus.dates:
        _finds(campus, pair)
    expect.nothing(campus.ask(MENUS, ("date", "1900-01-01")))


def meal_asks_for_a_meal(campus):
    """`meal` asks for the rows of that meal."""
    _each_filters(campus, "meal")


def location_asks_for_a_location(campus):
    """`location` asks for the rows of that location."""
    _each_filters(campus, "location")


def category_asks_for_a_category(campus):
    """`category` asks for the rows of that category."""
    _each_filters(campus, "category")


def recipe_asks_for_a_recipe(campus):
    """`recipe` asks for the rows of that recipe."""
    _each_filters(campus, "recipe")


def different_parameters_must_all_hold(campus):
    """Different parameters must all hold."""
    row = campus.served[len(campus.served) // 2]
    for fields in (FILTERS, FILTERS[:2], FILTERS[1:3]):
        _finds(campus, *campus.dates, *((field, row[field]) for field in fields))


def parameters_that_never_meet_find_nothing(campus):
    """Parameters of which each matches, but never in one row, find nothing."""
    locations = {row["location"] for row in campus.served}
    apart = ((row, place) for row in campus.served for place in locations if not _is_served(campus, row, place))
    row, place = next(apart, (None, None))
    expect.given(row, "every recipe is served everywhere")
    expect.nothing(campus.ask(MENUS, *campus.dates, ("recipe", row["recipe"]), ("location", place)))


def repeated_dates_are_alternatives(campus):
    """Several dates are alternatives."""
    expect.given(len(campus.dates) > 1, "there are menus of one date only")
    _finds(campus, *campus.dates)


def repeated_meals_are_alternatives(campus):
    """Several meals are alternatives."""
    _alternatives(campus, "meal")


def repeated_locations_are_alternatives(campus):
    """Several locations are alternatives."""
    _alternatives(campus, "location")


def repeated_categories_are_alternatives(campus):
    """Several categories are alternatives."""
    _alternatives(campus, "category")


def repeated_recipes_are_alternatives(campus):
    """Several recipes are alternatives."""
    _alternatives(campus, "recipe")


def a_value_given_twice_counts_once(campus):
    """The same value twice asks for the same rows."""
    pair = ("meal", campus.served[0]["meal"])
    _finds(campus, *campus.dates, *campus.dates, pair, pair)


def thirty_seven_parameters_are_answered(campus):
    """37 parameters in one request, repeated ones among them, are answered."""
    fields = [("recipe", recipe) for recipe in _values(campus, "recipe")]
    fields += [(field, value) for field in ("category", "location", "meal") for value in _values(campus, field)[:8]]
    padding = [("recipe", 10**9 + number) for number in range(_MANY)]
    _finds(campus, *campus.dates, *[*fields[-20:], *padding][: _MANY - len(campus.dates)])


def a_thousand_values_are_answered(campus):
    """1,000 values in one request are answered."""
    row = campus.served[-1]
    padding = [("recipe", number) for number in range(10**6, 10**6 + _MOST - 2)]
    _finds(campus, *campus.dates[-1:], *padding, ("recipe", row["recipe"]))


def a_meal_that_is_not_served_is_nothing(campus):
    """A meal that nothing is served for is a 200 with an empty list."""
    unserved = next(meal for meal in range(7, 1000) if meal not in _values(campus, "meal"))
    expect.nothing(campus.ask(MENUS, *campus.dates, ("meal", unserved)))


def a_number_that_nothing_has_is_nothing(campus):
    """An integer that no location, category or recipe has is a 200 with an empty list."""
    for field in FILTERS[1:]:
        expect.nothing(campus.ask(MENUS, *campus.dates, (field, 2**40 + 1)))


def a_negative_number_is_nothing(campus):
    """A negative integer is well formed and matches nothing."""
    for field in FILTERS:
        expect.nothing(campus.ask(MENUS, *campus.dates, (field, -1)))


def a_number_of_forty_digits_is_nothing(campus):
    """A number of 40 digits is well formed and matches nothing."""
    for field in FILTERS:
        expect.nothing(campus.ask(MENUS, *campus.dates, (field, "9" * 40)))


def a_number_of_forty_digits_is_one_alternative(campus):
    """A number of 40 digits leaves other alternatives as they are."""
    _finds(campus, *campus.dates, ("meal", campus.served[0]["meal"]), ("meal", int("9" * 40)))


def a_date_without_menus_is_nothing(campus):
    """A date of long ago, or far ahead, is a 200 with an empty list."""
    for day in ("1900-01-01", "9999-12-31", "1904-02-29"):
        expect.nothing(campus.ask(MENUS, ("date", day)))


def parameters_with_an_underscore_are_ignored(campus):
    """Parameters that begin with an underscore are ignored."""
    _finds(campus, *campus.dates, ("_", "123"), ("_meal", "lunch"), ("__", ""), rows=campus.served)


def the_order_of_parameters_does_not_matter(campus):
    """The order of parameters does not matter."""
    row = campus.served[-1]
    pairs = [*campus.dates, *((field, row[field]) for field in FILTERS)]
    expect.same_body(campus.ask(MENUS, *reversed(pairs)), campus.ask(MENUS, *pairs))


def values_may_be_percent_encoded(campus):
    """Names and values may be percent-encoded, each character of them."""
    day, meal = campus.dates[0][1], campus.served[0]["meal"]
    encoded = "".join(f"%{ord(char):02X}" for char in day)
    answer = campus.ask(f"{MENUS}?d%61te={encoded}&m%65al=%{ord(str(meal)[0]):02x}{str(meal)[1:]}")
    expect.same_body(answer, campus.ask(MENUS, ("date", day), ("meal", meal)))


def _finds(campus, *pairs, rows=None):
    wanted = {}
    for name, value in pairs:
        wanted.setdefault(name, set()).add(value)
    if rows is None:
        rows = [row for row in campus.served if all(row[name] in values for name, values in wanted.items())]
    expect.same(campus.ask(MENUS, *pairs), rows, "rows that meet the query")


def _values(campus, field):
    return sorted({row[field] for row in campus.served})


def _each_filters(campus, field):
    values = _values(campus, field)
    for value in {values[0], values[len(values) // 2], values[-1]}:
        _finds(campus, *campus.dates, (field, value))


def _alternatives(campus, field):
    values = _values(campus, field)
    expect.given(len(values) > 1, f"there is one {field} only")
    _finds(campus, *campus.dates, (field, values[0]), (field, values[-1]))


def _is_served(campus, row, place):
    return any((other["recipe"], other["location"]) == (row["recipe"], place) for other in campus.served)
