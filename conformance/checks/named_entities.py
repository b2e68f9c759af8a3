"""Categories, locations and recipes."""

from conformance import expect
from conformance.expect import Response
from conformance.target import NAMED_ENTITIES, Row, Target


def named_entities_are_lists(target: Target) -> None:
    """Categories, locations and recipes are JSON arrays."""
    for path in NAMED_ENTITIES:
        expect.items(target.request(path))


def categories_have_id_and_name(target: Target) -> None:
    """A category has a unique ID and a name."""
    _expect_id_and_name(*target.non_empty_list("/dining/categories"))


def locations_have_id_and_name(target: Target) -> None:
    """A location has a unique ID and a name: halls that share a kitchen are one location."""
    _expect_id_and_name(*target.non_empty_list("/dining/locations"))


def recipes_have_id_and_name(target: Target) -> None:
    """A recipe has a unique ID and a name."""
    _expect_id_and_name(*target.non_empty_list("/dining/recipes"))


def categories_match_the_list(target: Target) -> None:
    """A category equals its entry in the list."""
    _expect_items_match_the_list(target, "/dining/categories")


def locations_match_the_list(target: Target) -> None:
    """A location equals its entry in the list."""
    _expect_items_match_the_list(target, "/dining/locations")


def recipes_match_the_list(target: Target) -> None:
    """A recipe equals its entry in the list."""
    _expect_items_match_the_list(target, "/dining/recipes")


def unknown_named_entities_are_404(target: Target) -> None:
    """An unknown ID of a category, location or recipe is a 404."""
    for path in NAMED_ENTITIES:
        expect.status(target.unknown_item(path), 404)


def _expect_id_and_name(response: Response, items: list[Row]) -> None:
    for item in items:
        expect.has_fields(response, item, {"id": expect.INTEGER, "name": expect.STRING})
    expect.unique(response, [item["id"] for item in items], "unique IDs")


def _expect_items_match_the_list(target: Target, path: str) -> None:
    _, items = target.non_empty_list(path)
    for item in (items[0], items[len(items) // 2], items[-1]):
        response = expect.status(target.request(f"{path}/{item['id']}"), 200)
        expect.check(response.json == item, response, str(item), response.json)
