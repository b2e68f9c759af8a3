"""Changes of the minimal server that break a rule: the check that notices, the text to replace, and the replacement."""

from pathlib import Path

from tests.conformance import minimal_server

SOURCE = Path(minimal_server.__file__).read_text(encoding="utf-8")

NAME = 'name.lower() in (building["name"] or "").lower()'
ITEM = "LISTS[path]}[id_]"
LIST = "return LISTS[path]"
IF_REQUESTED = "if field in query}"
INTEGERS = "{int(value) for value in query[field]}"
DAYS = 'query.get("date", [str(today)])'
MATCHING = "if all(row[field]"
OTHER_ITEM = (ITEM, f'{ITEM} | {{"name": "Hall"}}')
ONLY_INTEGERS = (INTEGERS, "{int(value) for value in query[field] if value.isdigit()}")
FIRST_VALUE = (INTEGERS, "{int(query[field][0])}")
WITHOUT_404 = ('"404 Not Found", {}', '"200 OK", {}')
ANY_FILTER = (MATCHING, "if not filters or any(row[field]")

BUILDINGS = [
    ("buildings_are_a_list", "return [building for", 'return {"items": []} or [building for'),
    ("buildings_have_all_fields", '"image": None, ', ""),
    ("geometries_have_point_and_polygons", '"polygons"', '"footprint"'),
    ("positions_are_latitude_and_longitude", "[42.37, -71.11]", "[-71.11, 42.37]"),
    ("positions_are_latitude_and_longitude", "[42.38, -71.1]", "[-71.1, 42.38]"),
    ("building_ids_are_unique", '"id": 7', '"id": 9'),
    ("buildings_match_the_list", *OTHER_ITEM),
    ("unknown_buildings_are_404", *WITHOUT_404),
]
SEARCH = [
    ("name_matches_substrings", NAME, '(building["name"] or "").lower().startswith(name.lower())'),
    ("name_matches_substrings", 'query.get("name", [""])[0]', '""'),
    ("address_matches_substrings", 'address in building["address"]', 'building["address"].endswith(address)'),
    ("address_matches_substrings", 'query.get("address", [""])[0]', '""'),
    ("name_matches_in_lower_case", NAME, 'name in (building["name"] or "")'),
    ("one_character_is_searchable", NAME, f"len(name) != 1 and {NAME}"),
    ("whole_texts_are_searchable", NAME, f'name != building["name"] and {NAME}'),
    ("special_characters_match_literally", "name.lower() in", 'name.strip("%").lower() in'),
    ("no_match_is_an_empty_list", "if matches(building, query)]", "if matches(building, query)] or LISTS[path]"),
    ("null_names_match_nothing", '(building["name"] or "")', 'str(building["name"])'),
]
NAMED_ENTITIES = [
    ("named_entities_are_lists", LIST, 'return {"items": LISTS[path]}'),
    ("categories_have_id_and_name", '"id": 2', '"id": "2"'),
    ("locations_have_id_and_name", '"id": 38', '"id": 30'),
    ("recipes_have_id_and_name", '"Pie"', "None"),
    ("categories_match_the_list", *OTHER_ITEM),
    ("locations_match_the_list", *OTHER_ITEM),
    ("recipes_match_the_list", *OTHER_ITEM),
    ("unknown_named_entities_are_404", *WITHOUT_404),
]
MENUS = [
    ("menus_are_a_list", "return menus(query)", 'return {"rows": menus(query)}'),
    ("menu_rows_have_all_fields", ', "name": names[row["recipe"]]', ""),
    ("menu_rows_have_all_fields", '("meal", "location",', '("meal", "hall",'),
    ("menu_dates_are_yyyy_mm_dd", '{"date": day,', '{"date": day.replace("-", ""),'),
    ("menu_row_ids_are_recipe_ids", '"id": row["recipe"]', '"id": row["meal"]'),
    ("menu_locations_are_listed", LIST, f"{LIST}[1:]"),
    ("menu_categories_are_listed", LIST, f"{LIST}[1:]"),
    ("menu_recipes_are_listed", LIST, f"{LIST}[1:]"),
    ("date_defaults_to_today", "[str(today)]", "[OPENED]"),
    ("filters_apply_to_the_default_date", IF_REQUESTED, 'if field in query and "date" in query}'),
]
FILTERS = [
    ("date_filters_by_date", DAYS, "[str(today)]"),
    ("meal_filters_by_meal", IF_REQUESTED, 'if field in query and field != "meal"}'),
    ("location_filters_by_location", IF_REQUESTED, 'if field in query and field != "location"}'),
    ("category_filters_by_category", IF_REQUESTED, 'if field in query and field != "category"}'),
    ("recipe_filters_by_recipe", IF_REQUESTED, 'if field in query and field != "recipe"}'),
    ("different_parameters_combine_with_and", *ANY_FILTER),
    ("parameters_without_a_common_row_match_nothing", *ANY_FILTER),
    ("repeated_dates_combine_with_or", DAYS, f"{DAYS}[:1]"),
    ("repeated_meals_combine_with_or", *FIRST_VALUE),
    ("repeated_locations_combine_with_or", *FIRST_VALUE),
    ("repeated_categories_combine_with_or", *FIRST_VALUE),
    ("repeated_recipes_combine_with_or", *FIRST_VALUE),
    ("duplicate_values_are_ignored", "sorted(days)", 'sorted(query.get("date", days))'),
    (
        "thirty_seven_parameters_are_accepted",
        "if query.keys()",
        "if sum(map(len, query.values())) > 36 or query.keys()",
    ),
]
VALIDATION = [
    ("malformed_dates_are_rejected", DAYS, f'{DAYS} if day != "today"'),
    ("nonexistent_dates_are_rejected", DAYS, f'{DAYS} if day != "2026-02-29"'),
    ("non_integer_meals_are_rejected", *ONLY_INTEGERS),
    ("non_integer_locations_are_rejected", *ONLY_INTEGERS),
    ("non_integer_categories_are_rejected", *ONLY_INTEGERS),
    ("non_integer_recipes_are_rejected", *ONLY_INTEGERS),
    ("unknown_parameters_are_rejected", 'raise ValueError("unknown parameter")', "pass"),
    ("valid_values_do_not_hide_invalid_ones", *ONLY_INTEGERS),
]
CLIENTS = [
    ("data_allows_any_origin", ', ("Access-Control-Allow-Origin", "*")', ""),
    ("repeated_requests_have_the_same_body", LIST, f"{LIST}.reverse() or LISTS[path]"),
]

BROKEN_RULES = [*BUILDINGS, *SEARCH, *NAMED_ENTITIES, *MENUS, *FILTERS, *VALIDATION, *CLIENTS]


def broken_server(old, new):
    """Return the minimal server with a text of its source replaced."""
    assert SOURCE.count(old) == 1
    namespace = {}
    exec(SOURCE.replace(old, new), namespace)
    return namespace["app"]
