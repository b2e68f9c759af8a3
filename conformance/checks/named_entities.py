"""Categories, locations and recipes."""

from conformance import expect
from conformance.target import NAMES


def names_are_lists(campus):
    """Categories, locations and recipes are JSON lists."""
    for path in NAMES:
        expect.items(campus.ask(path))


def a_category_has_id_and_name(campus):
    """A category has an id and a name."""
    _have_id_and_name(*campus.some("/dining/categories"))


def a_location_has_id_and_name(campus):
    """A location has an id and a name."""
    _have_id_and_name(*campus.some("/dining/locations"))


def a_recipe_has_id_and_name(campus):
    """A recipe has an id and a name."""
    _have_id_and_name(*campus.some("/dining/recipes"))


def categories_come_by_id(campus):
    """Categories come in the order of their ids, each once."""
    _come_by_id(*campus.some("/dining/categories"))


def locations_come_by_id(campus):
    """Locations come in the order of their ids, each once."""
    _come_by_id(*campus.some("/dining/locations"))


def recipes_come_by_id(campus):
    """Recipes come in the order of their ids, each once."""
    _come_by_id(*campus.some("/dining/recipes"))


def a_category_is_the_one_of_the_list(campus):
    """A category by its id is the same as in the list."""
    _are_those_of_the_list(campus, "/dining/categories")


def a_location_is_the_one_of_the_list(campus):
    """A location by its id is the same as in the list."""
    _are_those_of_the_list(campus, "/dining/locations")


def a_recipe_is_the_one_of_the_list(campus):
    """A recipe by its id is the same as in the list."""
    _are_those_of_the_list(campus, "/dining/recipes")


def parameters_of_names_are_ignored(campus):
    """Parameters of categories, locations and recipes are ignored, whatever they are."""
    expect.given([path for path in NAMES if expect.items(campus.kept(path))], "every list is empty")
    for path in NAMES:
        expect.same_body(campus.ask(f"{path}?_=1&name=x&id=abc&%FF=%FF&&="), campus.kept(path))


def _have_id_and_name(answer, items):
    for item in items:
        expect.shape(answer, item, {"id": expect.INTEGER, "name": expect.TEXT})


def _come_by_id(answer, items):
    expect.ordered(answer, items, lambda item: item["id"], "ids in order")
    expect.different(answer, [item["id"] for item in items], "each id once")


def _are_those_of_the_list(campus, path):
    _, items = campus.some(path)
    for item in (items[0], items[len(items) // 2], items[-1]):
        answer = expect.status(campus.ask(f"{path}/{item['id']}"), 200)
        expect.that(answer.json == item, answer, str(item), answer.json)
