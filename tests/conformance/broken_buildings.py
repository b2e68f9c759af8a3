"""For each check of buildings, their search and names a server that does not pass it."""

import re
import unicodedata

from conformance.texts import fold
from tests.conformance.breaking import asking, data, each, matching, status, without

LIST = r"^GET /map/buildings$"


def geometry(**members):
    return each(lambda item: {**item, "geometry": {**item["geometry"], **members}}, LIST)


def swapped(position):
    return position[::-1]


def turned(item):
    point, polygons = item["geometry"]["point"], item["geometry"]["polygons"]
    turned = {"point": swapped(point), "polygons": [[*map(swapped, ring)] for ring in polygons]}
    return {**item, "geometry": turned}


def opened(item):
    polygons = [ring[:-1] for ring in item["geometry"]["polygons"]]
    return {**item, "geometry": {**item["geometry"], "polygons": polygons}}


BUILDINGS = {
    "buildings_are_a_list": data(lambda items: {"items": items}, LIST),
    "a_building_has_every_member": each(without("image"), LIST),
    "a_geometry_has_point_and_polygons": geometry(polygons=None),
    "positions_are_latitude_and_longitude": each(turned, LIST),
    "polygons_are_closed": each(opened, LIST),
    "a_point_lies_among_its_polygons": geometry(point=[43.0, -71.0]),
    "buildings_come_by_id": data(lambda items: items[::-1], LIST),
    "no_building_comes_twice": data(lambda items: items + items[-1:], LIST),
    "a_building_is_the_one_of_the_list": data(without("city"), "^GET /map/buildings/"),
}


def held(item, wanted, holds):
    """Tell whether each field that is wanted holds one of its texts; empty ones do not count."""
    asked = {field: [text for text in wanted.get(field, ()) if text] for field in ("name", "address")}
    return all(any(holds(item[field] or "", text) for text in texts) for field, texts in asked.items() if texts)


def contains(text, wanted):
    return fold(wanted) in fold(text)


def searching(holds):
    return matching("/map/buildings", lambda item, wanted: held(item, wanted, holds))


def limited(change):
    """Search with other texts than those that are wanted."""
    return matching("/map/buildings", lambda item, wanted: held(item, change(wanted), contains))


def found(text, pattern):
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


def either(item, wanted):
    return any(contains(item[field] or "", text) for field, texts in wanted.items() for text in texts)


def canonical(text):
    marked = unicodedata.normalize("NFD", text)
    return "".join(char for char in marked if not unicodedata.category(char).startswith("M")).casefold()


def firsts(number):
    return lambda wanted: {field: texts[:number] for field, texts in wanted.items()}


def nothing_if_odd(wanted):
    odd = any("\ufffd" in text for texts in wanted.values() for text in texts)
    return {"name": ["nothing at all"]} if odd else wanted


SEARCH = {
    "a_part_of_a_name_finds": searching(lambda text, wanted: fold(text).startswith(fold(wanted))),
    "a_part_of_an_address_finds": searching(lambda text, wanted: fold(text).endswith(fold(wanted))),
    "one_character_finds": searching(lambda text, wanted: len(wanted) > 2 and contains(text, wanted)),
    "a_whole_name_finds": searching(lambda text, wanted: contains(text, wanted) and fold(text) != fold(wanted)),
    "letter_case_of_names_does_not_matter": searching(lambda text, wanted: wanted in text),
    "letter_case_of_addresses_does_not_matter": searching(lambda text, wanted: wanted in text),
    "a_text_without_accents_finds_a_name_with_them": searching(
        lambda text, wanted: wanted.casefold() in text.casefold()
    ),
    "accents_of_a_text_do_not_matter": searching(lambda text, wanted: wanted.casefold() in fold(text)),
    "wide_letters_are_letters": searching(lambda text, wanted: canonical(wanted) in canonical(text)),
    "name_and_address_must_both_match": matching("/map/buildings", either),
    "repeated_names_are_alternatives": limited(firsts(1)),
    "repeated_addresses_are_alternatives": limited(firsts(1)),
    "an_empty_text_is_not_given": matching(
        "/map/buildings", lambda item, wanted: held(item, wanted, contains) and "" not in wanted.get("name", ())
    ),
    "a_text_is_never_a_regular_expression": searching(found),
    "a_plus_is_a_space": asking(r"\+", "%2B"),
    "a_url_may_be_as_it_is_typed": asking("[\x80-\xff]", ""),
    "unknown_parameters_of_buildings_are_ignored": status(400, "utm_source"),
    "bytes_that_do_not_decode_match_nothing": asking("%FF|%C3", ""),
    "what_cannot_match_is_one_alternative": limited(nothing_if_odd),
    "a_text_of_257_characters_matches_nothing": searching(
        lambda text, wanted: len(wanted) > 256 or contains(text, wanted)
    ),
    "a_text_that_nothing_has_finds_nothing": status(404, "called"),
    "a_name_that_is_not_there_has_no_text": searching(lambda text, wanted: contains(text or "null", wanted)),
    "a_thousand_texts_are_searched": limited(firsts(100)),
}


def named(path):
    return f"^GET /dining/{path}$"


def of_names(check, broken):
    """Return a broken server for a check of each list of names."""
    paths = {"category": "categories", "location": "locations", "recipe": "recipes"}
    return {check.format(one=one, many=many): broken(many) for one, many in paths.items()}


NAMES = {
    "names_are_lists": data(lambda items: {"items": items}, named("recipes")),
    **of_names("a_{one}_has_id_and_name", lambda path: each(lambda item: {**item, "id": "7"}, named(path))),
    **of_names("{many}_come_by_id", lambda path: data(lambda items: items[::-1], named(path))),
    **of_names("a_{one}_is_the_one_of_the_list", lambda path: data(without("name"), f"^GET /dining/{path}/")),
    "parameters_of_names_are_ignored": status(400, r"recipes\?"),
}

ALL = {**BUILDINGS, **SEARCH, **NAMES}
