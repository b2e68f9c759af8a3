"""Facts of recipes, which a server may not have."""

import re
from collections.abc import Iterator
from typing import Any

from conformance import expect
from conformance.expect import Response
from conformance.target import Target

_NUTRIENTS = (
    "total_fat",
    "saturated_fat",
    "trans_fat",
    "cholesterol",
    "sodium",
    "total_carbohydrate",
    "dietary_fiber",
    "sugars",
    "protein",
)
_FIELDS = {
    "id": expect.INTEGER,
    "name": expect.STRING,
    "serving_size": expect.STRING_OR_NULL,
    "calories": expect.NUMBER_OR_NULL,
    "calories_from_fat": expect.NUMBER_OR_NULL,
    "nutrients": expect.OBJECT,
    "ingredients": expect.STRING_OR_NULL,
    "allergens": expect.ARRAY_OR_NULL,
    "labels": expect.ARRAY_OR_NULL,
    "as_of": expect.STRING_OR_NULL,
}
_NUTRIENT_FIELDS = {"amount": expect.NUMBER, "unit": expect.STRING, "daily_value": expect.NUMBER_OR_NULL}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def facts_have_all_fields(target: Target) -> None:
    """Facts have every field, null if it is unknown."""
    for response in target.sample_facts:
        expect.has_fields(response, response.json, _FIELDS)


def facts_name_their_recipe(target: Target) -> None:
    """Facts have the ID and the name of their recipe."""
    for response in target.sample_facts[:3]:
        recipe = target.request(f"/dining/recipes/{response.json['id']}").json
        actual = {name: response.json[name] for name in ("id", "name")}
        expect.check(actual == recipe, response, str(recipe), actual)


def nutrients_have_an_amount_with_a_unit(target: Target) -> None:
    """Every nutrient is null, or an amount with a unit and its daily value, which may be null."""
    for response, nutrients in _known(target, "nutrients"):
        expect.has_fields(response, nutrients, dict.fromkeys(_NUTRIENTS, expect.OBJECT_OR_NULL))
        for nutrient in filter(None, nutrients.values()):
            expect.has_fields(response, nutrient, _NUTRIENT_FIELDS)


def allergens_are_sorted_names(target: Target) -> None:
    """Allergens are sorted names, and never an empty list: unknown allergens are null."""
    for response, names in _known(target, "allergens"):
        expect.check(names, response, "null or a list that is not empty", names)
        expect.check(all(type(name) is str for name in names), response, "names", names)
        expect.check(names == sorted(names), response, "names in order", names)


def labels_have_a_code_and_a_name(target: Target) -> None:
    """A label has a code and a name, which may be null."""
    for response, labels in _known(target, "labels"):
        for label in labels:
            expect.has_fields(response, label, {"code": expect.STRING, "name": expect.STRING_OR_NULL})


def facts_are_as_of_a_date(target: Target) -> None:
    """The date of facts is written YYYY-MM-DD."""
    for response, date in _known(target, "as_of"):
        expect.check(_DATE.fullmatch(date), response, "a date YYYY-MM-DD", date)


def unknown_recipes_have_no_facts(target: Target) -> None:
    """The facts of an unknown recipe are a 404."""
    expect.require(target.sample_facts, "the server has no facts")
    known = {item["id"] for item in expect.items(target.cached_get("/dining/recipes"))}
    unknown = next(number for number in range(1, len(known) + 2) if number not in known)
    expect.problem(target.request(f"/dining/recipes/{unknown}/facts"), 404)


def facts_accept_a_trailing_slash(target: Target) -> None:
    """Facts with a trailing slash are the same."""
    first = target.sample_facts[0]
    expect.same_body(target.follow(first, f"{first.url}/"), first)


def facts_support_if_none_match(target: Target) -> None:
    """Facts have an ETag that gives a 304."""
    first = target.sample_facts[0]
    tag = expect.header(first, "ETag")
    path = f"/dining/recipes/{first.json['id']}/facts"
    expect.status(target.request(path, headers={"If-None-Match": tag}), 304)


def _known(target: Target, field: str) -> Iterator[tuple[Response, Any]]:
    """Yield the responses with a field that is not null; CheckSkipped if there are none."""
    known = [(response, response.json[field]) for response in target.sample_facts if response.json[field] is not None]
    expect.require(known, f"{field} of the sample recipes are unknown")
    yield from known
