"""Any request gets a documented response, never a 500."""

from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from webtest import TestApp, TestRequest

from tests.factories import building, serving
from tests.functional.service import Service

PARAMETERS = ["date", "meal", "location", "category", "recipe", "name", "address", "_", "other"]
LISTS = ["/map/buildings", "/dining/categories", "/dining/locations", "/dining/recipes"]
HEADERS = ["Accept", "If-None-Match", "Range", "Content-Type", "Cookie", "X-HTTP-Method-Override"]

raw_bytes = st.binary(max_size=30)
texts = st.text(max_size=30).map(lambda text: text.encode("utf-8", errors="surrogatepass"))
numbers = st.integers().map(lambda number: str(number).encode())
parsed = st.lists(st.tuples(st.sampled_from(PARAMETERS), raw_bytes | texts | numbers), max_size=5).map(urlencode)
queries = parsed | st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=30)
media_types = st.sampled_from(["application/geo+json", "application/json", "application/*", "text/html", "*/*"])
weights = st.sampled_from(["", ";q=0", ";q=0.5", ";q=1.000", ";q=2", "; charset=utf-8"])
media_ranges = st.lists(st.tuples(media_types, weights).map("".join), max_size=4).map(", ".join)
any_text = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=30)

often = settings(max_examples=500)


@pytest.fixture(scope="module")
def app():
    service = Service("mongomock://")
    service.serve_buildings(building(1), building(2, name=None))
    service.serve_dining(serving())
    yield service.app
    service.close()


def get(app, path, query="", **headers):
    """Send the query unchanged; WebTest would encode it."""
    request = TestRequest.blank(path, headers=headers)
    request.environ["QUERY_STRING"] = query
    return app.do_request(request, expect_errors=True)


@often
@given(path=st.sampled_from(LISTS), query=queries)
def test_any_query_of_a_list_returns_200(app, path, query):
    assert get(app, path, query).status_int == 200


@often
@given(query=queries)
def test_any_menu_query_returns_200_or_a_400_with_errors(app, query):
    response = get(app, "/dining/menus", query)

    assert response.status_int == 200 or (response.status_int == 400 and response.json["errors"])


@often
@given(
    prefix=st.sampled_from(["", "/map/buildings/", "/dining/recipes/", "/dining/"]),
    segments=st.lists(raw_bytes | texts | numbers, min_size=1, max_size=4),
)
def test_any_path_returns_200_or_404(app, prefix, segments):
    path = prefix + "/".join(quote(segment, safe="") for segment in segments)

    assert app.get(f"/{path.lstrip('/')}", expect_errors=True).status_int in (200, 404)


def test_a_url_of_200_kb_returns_200_or_400(app):
    for path in [*LISTS, "/dining/menus"]:
        for parameter in PARAMETERS:
            one = f"{parameter}={'9' * 200_000}"
            many = "&".join(f"{parameter}={number}" for number in range(15_000))
            assert {get(app, path, query).status_int for query in (one, many)} <= {200, 400}, (path, parameter)


@often
@given(path=st.sampled_from(["/map/buildings", "/map/buildings/1"]), accept=media_ranges | any_text)
def test_any_accept_header_returns_json_or_geojson(app, path, accept):
    response = get(TestApp(app.app), path, Accept=accept)

    assert response.content_type == ("application/geo+json" if "type" in response.json else "application/json")


def test_malformed_headers_are_ignored(app):
    for method in ("GET", "HEAD"):
        for header in HEADERS:
            TestApp(app.app).request("/map/buildings/1", method=method, headers={header: "a; \xff=/"}, status=200)
