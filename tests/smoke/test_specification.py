"""The specification against the running service with the sample data."""

import json
from urllib.parse import urlencode

import pytest

from tests.factories import TODAY
from tests.processes.commands import fetch

LISTS = ["/map/buildings", "/dining/categories", "/dining/locations", "/dining/recipes"]
ROW = {"date": str, "meal": int, "location": int, "category": int, "recipe": int, "id": int, "name": str}


@pytest.fixture
def get(samples):
    """Request a path with query parameters; return the status and the data."""

    def get(path, *parameters):
        response = fetch(f"{samples.url}{path}?{urlencode(parameters)}")
        return response.status, json.loads(response.body)

    return get


def types(item):
    return {field: type(value) for field, value in item.items()}


def test_a_building_has_id_name_address_city_image_and_geometry(get):
    _, buildings = get("/map/buildings")

    assert buildings
    for building in buildings:
        assert building.keys() >= {"id", "name", "address", "city", "image", "geometry"}
        assert types(building["geometry"]) == {"point": list, "polygons": list}
        latitude, longitude = building["geometry"]["point"]
        assert 42 < latitude < 43
        assert -72 < longitude < -71


def test_buildings_are_searched_by_part_of_name_and_address(get):
    _, buildings = get("/map/buildings")

    _, matches = get("/map/buildings", ("name", "LIBRARY"), ("address", "yard"))

    in_name = [building for building in buildings if "library" in (building["name"] or "").lower()]
    assert matches == [building for building in in_name if "yard" in building["address"].lower()]
    assert 0 < len(matches) < len(in_name)


def test_categories_locations_and_recipes_have_id_and_name(get):
    for path in LISTS[1:]:
        _, items = get(path)
        assert items, path
        assert [types(item) for item in items] == [{"id": int, "name": str}] * len(items), path


def test_an_item_is_what_the_list_has_and_an_unknown_id_is_a_404(get):
    for path in LISTS:
        _, items = get(path)
        assert get(f"{path}/{items[-1]['id']}") == (200, items[-1]), path
        assert get(f"{path}/{max(item['id'] for item in items) + 1}")[0] == 404, path


def test_menus_are_those_of_today_unless_a_date_is_requested(get):
    _, rows = get("/dining/menus")

    assert [types(row) for row in rows] == [ROW] * len(rows)
    assert {row["date"] for row in rows} == {TODAY}
    assert get("/dining/menus", ("date", TODAY)) == (200, rows)
    assert get("/dining/menus", ("date", "1900-01-01")) == (200, [])


def test_repeated_parameters_combine_with_or_and_different_ones_with_and(get):
    _, rows = get("/dining/menus")
    first, last = rows[0], rows[-1]

    for fields in [["meal"], ["location"], ["category"], ["recipe"], ["meal", "location"], ["category", "recipe"]]:
        parameters = [(field, row[field]) for field in fields for row in (first, last)]
        expected = [row for row in rows if all(row[field] in (first[field], last[field]) for field in fields)]
        assert get("/dining/menus", *parameters) == (200, expected), parameters


def test_an_improper_query_of_menus_is_a_400(get):
    for name, value in [("date", "11/20/2026"), ("date", "2026-02-29"), ("meal", "lunch"), ("hall", "7")]:
        assert get("/dining/menus", (name, value))[0] == 400, (name, value)
