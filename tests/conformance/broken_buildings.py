"""A fault for each check of buildings, building search and named entities."""

import re
import unicodedata

from tests.conformance.breaking import (
    change_items,
    change_json,
    change_status,
    filter_items,
    without_field,
)

LIST = r"^GET /map/buildings$"


def geometry(**members):
    return change_items(lambda item: {**item, "geometry": {**item["geometry"], **members}}, LIST)


def swap_axes(item):
    polygons = [[position[::-1] for position in ring] for ring in item["geometry"]["polygons"]]
    return {**item, "geometry": {"point": item["geometry"]["point"][::-1], "polygons": polygons}}


BUILDINGS = {
    "buildings_are_a_list": change_json(lambda items: {"items": items}, LIST),
    "buildings_have_all_fields": change_items(without_field("image"), LIST),
    "geometries_have_point_and_polygons": geometry(polygons=None),
    "positions_are_latitude_and_longitude": change_items(swap_axes, LIST),
    "building_ids_are_unique": change_json(lambda items: items + items[-1:], LIST),
    "unknown_buildings_are_404": change_status(200, r"^GET /map/buildings/\d+$"),
    "buildings_match_the_list": change_json(without_field("city"), "^GET /map/buildings/"),
}


def normalize(text, form="NFKD"):
    decomposed = unicodedata.normalize(form, text)
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M")).casefold()


def contains(value, text):
    return normalize(text) in normalize(value)


def matches(item, query, compare):
    """Tell whether each field of a query matches one of its texts; empty texts are ignored."""
    texts_by_field = {field: [text for text in query.get(field, ()) if text] for field in ("name", "address")}
    return all(
        any(compare(item[field] or "", text) for text in texts) for field, texts in texts_by_field.items() if texts
    )


def search_by(compare):
    return filter_items("/map/buildings", lambda item, query: matches(item, query, compare))


def matches_pattern(text, pattern):
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


SEARCH = {
    "name_matches_substrings": search_by(lambda value, text: normalize(value).startswith(normalize(text))),
    "address_matches_substrings": search_by(lambda value, text: normalize(value).endswith(normalize(text))),
    "name_matches_in_lower_case": search_by(lambda value, text: text in value),
    "one_character_is_searchable": search_by(lambda value, text: len(text) > 2 and contains(value, text)),
    "whole_texts_are_searchable": search_by(
        lambda value, text: contains(value, text) and normalize(value) != normalize(text)
    ),
    "special_characters_match_literally": search_by(matches_pattern),
    "no_match_is_an_empty_list": change_status(404, "no.building.has"),
    "null_names_match_nothing": search_by(lambda value, text: contains(value or "null", text)),
}


def entity_list(path):
    return f"^GET /dining/{path}$"


def for_each_list(check, fault):
    """Return a fault for a check of each list."""
    return {check.format(path): fault(path) for path in ("categories", "locations", "recipes")}


NAMED_ENTITIES = {
    "unknown_named_entities_are_404": change_status(200, r"^GET /dining/recipes/\d+$"),
    "named_entities_are_lists": change_json(lambda items: {"items": items}, entity_list("recipes")),
    **for_each_list(
        "{}_have_id_and_name", lambda path: change_items(lambda item: {**item, "id": "7"}, entity_list(path))
    ),
    **for_each_list("{}_match_the_list", lambda path: change_json(without_field("name"), f"^GET /dining/{path}/")),
}

ALL = {**BUILDINGS, **SEARCH, **NAMED_ENTITIES}
