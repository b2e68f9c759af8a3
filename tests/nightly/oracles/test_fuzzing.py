"""Any request gets a documented response, never a 500."""

from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webtest import TestApp, TestRequest

from tests.factories import building, serving
from tests.functional.service import Service

PARAMETERS = ["date", "meal", "location", "category", "recipe", "name", "address", "_", "other"]
LISTS = ["/map/buildings", "/dining/categories", "/dining/locations", "/dining/recipes"]

raw_bytes = st.binary(max_size=30)
texts = st.text(max_size=30).map(lambda text: text.encode("utf-8", errors="surrogatepass"))
numbers = st.integers().map(lambda number: str(number).encode())
queries = st.lists(st.tuples(st.sampled_from(PARAMETERS), raw_bytes | texts | numbers), max_size=5).map(urlencode)
media_types = st.sampled_from(["application/geo+json", "application/json", "application/*", "text/html", "*/*"])
weights = st.sampled_from(["", ";q=0", ";q=0.5", ";q=1.000", ";q=2", "; charset=utf-8"])
media_ranges = st.lists(st.tuples(media_types, weights).map("".join), max_size=4).map(", ".join)
raw_queries = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=30)


@pytest.fixture(scope="module")
def app():
    service = Service("mongomock://")
    service.serve_buildings(building(1), building(2, name=None))
    service.serve_dining(serving())
    yield service.app
    service.close()


def get_raw(app, path, query):
    """Send the query unchanged; WebTest would encode it."""
    request = TestRequest.blank(path)
    request.environ["QUERY_STRING"] = query
    return app.do_request(request, expect_errors=True)


@given(query=queries | raw_queries)
@pytest.mark.parametrize("path", LISTS)
def test_any_query_of_a_list_returns_200(app, path, query):
    response = get_raw(app, path, query)

    assert response.status_int == 200


@given(query=queries | raw_queries)
def test_any_menu_query_returns_200_or_a_400_with_errors(app, query):
    response = get_raw(app, "/dining/menus", query)

    assert response.status_int == 200 or (response.status_int == 400 and response.json["errors"])


@given(segments=st.lists(raw_bytes | texts | numbers, min_size=1, max_size=4))
@pytest.mark.parametrize("prefix", ["", "/map/buildings/", "/dining/recipes/", "/dining/"])
def test_any_path_returns_200_or_404(app, prefix, segments):
    path = prefix + "/".join(quote(segment, safe="") for segment in segments)

    response = app.get(f"/{path.lstrip('/')}", expect_errors=True)

    assert response.status_int in (200, 404)


@pytest.mark.parametrize("parameter", PARAMETERS)
@pytest.mark.parametrize("path", [*LISTS, "/dining/menus"])
def test_a_url_of_200_kb_returns_200_or_400(app, path, parameter):
    one = app.get(f"{path}?{parameter}={'9' * 200_000}", expect_errors=True)
    many = app.get(f"{path}?" + "&".join(f"{parameter}={number}" for number in range(15_000)), expect_errors=True)

    assert one.status_int in (200, 400)
    assert many.status_int in (200, 400)


@given(accept=media_ranges | st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=30))
@pytest.mark.parametrize("path", ["/map/buildings", "/map/buildings/1"])
def test_any_accept_header_returns_json_or_geojson(app, path, accept):
    response = TestApp(app.app).get(path, headers={"Accept": accept}, status=200)

    assert response.content_type == ("application/geo+json" if "type" in response.json else "application/json")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "header", ["Accept", "If-None-Match", "Range", "Content-Type", "Cookie", "X-HTTP-Method-Override"]
)
def test_malformed_headers_are_ignored(app, method, header):
    response = TestApp(app.app).request("/map/buildings/1", method=method, headers={header: "nonsense; \xff=/"})

    assert response.status_int == 200
