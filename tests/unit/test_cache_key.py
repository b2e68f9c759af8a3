from datetime import UTC, datetime

from campus_api.catalog import DATA
from campus_api.domain.clock import Clock
from campus_api.http.cache_key import DataRequest
from tests.factories import TODAY


def parse(path, query="", now=f"{TODAY}T12:00Z", **headers):
    clock = Clock(UTC, datetime.fromisoformat(now))
    return DataRequest.from_environ({"PATH_INFO": path, "QUERY_STRING": query, **headers}, clock)


def key(path, query=""):
    return parse(path, query).key


def negotiate(accept):
    return parse("/map/buildings", HTTP_ACCEPT=accept).key.media_type


def test_a_path_is_normalized_as_in_traversal():
    for path in ("/dining/recipes/", "//dining///recipes", "/map/../dining/./recipes"):
        assert key(path) == key("/dining/recipes"), path


def test_the_parameters_are_those_of_the_key_in_the_order_of_the_query_if_errors_name_them():
    assert parse("/dining/menus", "meal=1&date=2026-11-20&meal=1&_=5").pairs == (("meal", "1"), ("date", TODAY))
    assert parse("/map/buildings", "name=b&near=&x=1&name=a").pairs == (("name", "a"), ("name", "b"))


def test_queries_with_the_same_response_have_the_same_key():
    for path, query, other in (
        ("/dining/recipes", "name=x&_=123", ""),
        ("/dining/recipes/7", "name=x&_=123", ""),
        ("/map/buildings/7", "name=x&_=123", ""),
        ("/dining/menus", "_=1795194000&_cache=%FF", ""),
        ("/dining/menus", "meal=1&date=2026-11-21&meal=0", "meal=0&meal=1&date=2026-11-21"),
        ("/changes", "since=1&dataset=dining&limit=2", "dataset=dining&limit=2&since=1"),
        ("/map/buildings", "name=b&address=c&name=a", "name=a&name=b&address=c"),
        ("/map/buildings", "name=a&name=a", "name=a"),
        ("/map/buildings", "name=&address=&city=x", ""),
    ):
        assert key(path, query) == key(path, other), (path, query)


def test_queries_with_different_responses_have_different_keys():
    searches = ["name=a", "address=a", "name=a&name=b", "name=a&address=b", "name=a%26name%3Db", "name=%FF", "name=%FE"]
    menus = ["", "meal=lunch", "meal=", "x=1", "date="]

    assert len({key("/map/buildings", query) for query in searches}) == len(searches)
    assert len({key("/dining/menus", query) for query in menus}) == len(menus)


def test_a_query_without_a_date_or_one_end_of_a_range_has_the_key_of_today():
    ranges = {
        "from=2026-11-01": f"from=2026-11-01&to={TODAY}",
        "from=2999-01-01": "from=2999-01-01&to=2999-01-01",
        "to=2999-01-01": f"from={TODAY}&to=2999-01-01",
    }
    for path, queries in (
        ("/dining/menus", {"meal=0": f"meal=0&date={TODAY}"}),
        *((path, ranges) for path in ("/dining/dishes", "/dining/dishes.csv", "/dining/hours")),
    ):
        for query, complete in queries.items():
            request = parse(path, query)
            assert (request.key, request.today) == (key(path, complete), TODAY), (path, query)
    for now in ("2026-11-21T12:00Z", f"{TODAY}T12:01Z"):
        assert parse("/search", "q=x", now).key != key("/search", "q=x"), now


def test_geojson_is_negotiated_if_accept_names_it_and_prefers_nothing_else():
    for accept in (
        *("application/geo+json", "Application/GEO+JSON", "application/geo+json, application/json"),
        *("application/json, application/geo+json", "application/geo+json, */*"),
        *("text/html, application/geo+json;q=0.9, */*;q=0.1", "application/geo+json;q=0.1, text/html"),
    ):
        assert negotiate(accept) == "application/geo+json", accept


def test_json_is_negotiated_for_every_other_accept_header():
    for accept in (
        *("", "*/*", "application/*", "application/json, text/plain, */*", "geo+json", "application/geo+json; \xff"),
        *("application/geo+json;q=0.9, application/json", "application/geo+json;q=0.5, */*"),
        *("application/geo+json;q=0", "application/geo+json;q=0, */*", "application/geo+json-seq, */*"),
        *("application/vnd.geo+json, */*", "application/geo+json;charset=utf-8", "application/geo+json;" * 2000),
    ):
        assert negotiate(accept) == "application/json", accept
    assert key("/map/buildings").media_type == "application/json"


def test_every_query_parameter_is_part_of_the_key():
    for endpoint in DATA.values():
        for parameter in endpoint.parameters:
            assert key(endpoint.path, f"{parameter}=1") != key(endpoint.path), (endpoint.path, parameter)


def test_only_short_requests_are_memoized():
    for length, is_memoized in ((200, True), (201, False)):
        query = "x" * (length - len("/dining/recipes"))
        assert (parse("/dining/recipes", query) is parse("/dining/recipes", query)) == is_memoized, length
