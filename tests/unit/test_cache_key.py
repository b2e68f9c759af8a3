import tracemalloc

import colander
import pytest

from campus_api.catalog import DATA
from campus_api.http.cache_key import CacheKey, DataRequest
from campus_api.validation.schemas import BUILDINGS

TODAY = "2026-11-20"


def parse(path, query="", **headers):
    return DataRequest.from_environ({"PATH_INFO": path, "QUERY_STRING": query, **headers}, lambda: TODAY)


def key(path, query=""):
    return parse(path, query).key


def negotiate(environ):
    return parse("/map/buildings", **environ).key.media_type


@pytest.mark.parametrize(
    "path",
    [
        *("", "/", "//", "/map", "/dining", "/docs", "/dining/menus/1"),
        *("/dining/recipes/1/2", "/dining/recipes/1/facts/2", "/dining/locations/1/facts"),
    ],
)
def test_other_paths_are_not_data(path):
    assert parse(path) is None


@pytest.mark.parametrize(
    ("path", "dataset"),
    [
        ("/map/buildings", "buildings"),
        ("/map/buildings/7", "buildings"),
        ("/dining/recipes/7", "dining"),
        ("/dining/recipes/7/facts", "dining"),
    ],
)
def test_a_path_belongs_to_a_data_set(path, dataset):
    assert key(path).datasets == (dataset,)


@pytest.mark.parametrize("path", ["/dining/recipes/", "//dining///recipes", "/map/../dining/./recipes"])
def test_a_path_is_normalized_as_in_traversal(path):
    assert key(path) == key("/dining/recipes")


def test_a_path_with_invalid_utf_8_is_not_data():
    assert parse("/map/buildings/\xff") is None


def test_the_parameters_are_in_the_order_of_the_query():
    assert parse("/dining/menus", "meal=1&date=2026-11-20&meal=1&_=5").pairs == (("meal", "1"), ("date", TODAY))


@pytest.mark.parametrize("path", ["/dining/recipes", "/dining/recipes/7", "/map/buildings/7"])
def test_unknown_parameters_do_not_change_the_key(path):
    assert key(path, "name=x&_=123") == key(path)


def test_the_order_of_parameters_does_not_change_the_key():
    assert key("/dining/menus", "meal=1&date=2026-11-21&meal=0") == key(
        "/dining/menus", "meal=0&meal=1&date=2026-11-21"
    )


def test_the_order_of_texts_does_not_change_the_key():
    assert key("/map/buildings", "name=b&address=c&name=a") == key("/map/buildings", "name=a&name=b&address=c")


def test_a_repeated_value_does_not_change_the_key():
    assert key("/map/buildings", "name=a&name=a") == key("/map/buildings", "name=a")


def test_an_empty_search_has_the_key_of_all_buildings():
    assert key("/map/buildings", "name=&address=&city=x") == key("/map/buildings")


def test_different_searches_have_different_keys():
    searches = ["name=a", "address=a", "name=a&name=b", "name=a&address=b", "name=a%26name%3Db", "name=%FF", "name=%FE"]

    assert len({key("/map/buildings", query) for query in searches}) == len(searches)


def test_menus_without_a_date_have_the_key_of_today():
    request = parse("/dining/menus", "meal=0")

    assert (request.key, request.today) == (key("/dining/menus", f"meal=0&date={TODAY}"), TODAY)


def test_menus_with_a_date_do_not_depend_on_today():
    expected = CacheKey("/dining/menus", (("date", TODAY),))

    request = parse("/dining/menus", f"date={TODAY}")

    assert (request.key, request.today) == (expected, None)


def test_cache_busters_of_menus_do_not_change_the_key():
    assert parse("/dining/menus", "_=1&_x=2") == parse("/dining/menus")


def test_invalid_menu_queries_have_different_keys():
    queries = ["", "meal=lunch", "meal=", "x=1", "date="]

    assert len({key("/dining/menus", query) for query in queries}) == len(queries)


@pytest.mark.parametrize(
    "accept",
    [
        "application/geo+json",
        "Application/GEO+JSON",
        "application/geo+json, application/json",
        "application/json, application/geo+json",
        "application/geo+json, */*",
        "text/html, application/geo+json;q=0.9, application/json;q=0.8, */*;q=0.1",
        "application/geo+json;q=0.1, text/html",
    ],
)
def test_geojson_is_negotiated_if_accept_names_it_and_prefers_nothing_else(accept):
    assert negotiate({"HTTP_ACCEPT": accept}) == "application/geo+json"


@pytest.mark.parametrize(
    "accept",
    [
        "",
        "*/*",
        "application/*",
        "application/json, text/plain, */*",
        "application/geo+json;q=0.9, application/json",
        "application/geo+json;q=0.5, */*",
        "application/geo+json;q=0",
        "application/geo+json;q=0, */*",
        "application/geo+json-seq, */*",
        "application/vnd.geo+json, */*",
        "application/geo+json;charset=utf-8",
        "geo+json",
        "application/geo+json; \xff",
        "application/geo+json;" * 2000,
    ],
)
def test_json_is_negotiated_for_every_other_accept_header(accept):
    assert negotiate({"HTTP_ACCEPT": accept}) == "application/json"


def test_json_is_negotiated_without_an_accept_header():
    assert negotiate({}) == "application/json"


@pytest.mark.parametrize("path", ["/map/buildings", "/map/buildings/7"])
def test_buildings_have_two_representations(path):
    assert parse(path, HTTP_ACCEPT="application/geo+json").key == CacheKey(path, media_type="application/geo+json")


@pytest.mark.parametrize("path", ["/dining/recipes", "/dining/recipes/7", "/dining/menus"])
def test_dining_has_one_representation(path):
    assert parse(path, HTTP_ACCEPT="application/geo+json") == parse(path)


@pytest.mark.parametrize(
    ("path", "parameter"), [(each.path, name) for each in DATA.values() for name in each.parameters]
)
def test_every_query_parameter_is_part_of_the_key(path, parameter):
    assert key(path, f"{parameter}=1") != key(path)


def test_a_parameter_that_is_added_to_the_schema_is_part_of_the_key(monkeypatch):
    monkeypatch.setattr(
        BUILDINGS, "children", [*BUILDINGS.children, colander.SchemaNode(colander.String(), name="city")]
    )

    assert key("/map/buildings", "city=Boston") != key("/map/buildings")


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/map/buildings/7", "/map/buildings/{id}"),
        ("/map/buildings.geojson", "/map/buildings.geojson"),
        ("/map/buildings/7.geojson", "/map/buildings/{id}.geojson"),
    ],
)
def test_a_key_names_its_route(path, route):
    assert (key(path).route, key(path).datasets) == (route, ("buildings",))


@pytest.mark.parametrize("length", [200, 950])
def test_parsed_requests_take_a_few_megabytes(length):
    # Short names take the most: a pair of texts for every three or four bytes.
    short = "&".join(f"{number:x}=" for number in range(length // 3))
    queries = [f"n{number}=&{short}"[: length - len("/dining/menus")] for number in range(1500)]
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for query in queries:
            parse("/dining/menus", query)
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()

    assert taken < 10_000_000
