"""A fault for each check of invalid queries."""

from tests.conformance.breaking import rewrite_url


def ignore(parameter):
    return rewrite_url(rf"(?<=[?&]){parameter}(?=&|$)", "_=")


ALL = {
    "malformed_dates_are_rejected": ignore("date=today"),
    "nonexistent_dates_are_rejected": ignore("date=2026-02-29"),
    "non_integer_meals_are_rejected": rewrite_url("meal=lunch", "meal=1"),
    "non_integer_locations_are_rejected": ignore("location=Annenberg"),
    "non_integer_categories_are_rejected": ignore("category=Entrees"),
    "non_integer_recipes_are_rejected": ignore("recipe=Kashi"),
    "unknown_parameters_are_rejected": ignore("conformance-unknown=1"),
    "valid_values_do_not_hide_invalid_ones": ignore("meal=brunch"),
}
