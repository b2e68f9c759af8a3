"""The licence and the attribution of the data."""

import pytest

NAME, URL = "ODbL-1.0", "https://opendatacommons.org/licenses/odbl/1-0/"
ATTRIBUTION = "© OpenStreetMap contributors <b>"
PAGES = ["/", "/docs", "/explore", "/nowhere"]


@pytest.fixture
def with_terms(start):
    return lambda license: start(**{"data.license": license, "data.attribution": ATTRIBUTION}).app


def page(app, path):
    return app.get(path, headers={"Accept": "text/html"}, expect_errors=True).text


def test_there_are_none_by_default(service):
    index, info = service.app.get("/").json, service.app.get("/openapi.json").json["info"]

    assert (index["license"], index["attribution"], "license" in info) == (None, None, False)
    assert ["site-footer" in page(service.app, path) for path in PAGES] == [False] * len(PAGES)


def test_the_index_and_the_openapi_document_have_them(with_terms):
    app = with_terms(NAME)

    index, info = app.get("/").json, app.get("/openapi.json").json["info"]

    assert (index["license"], index["attribution"]) == (NAME, ATTRIBUTION)
    assert (info["license"], ATTRIBUTION in info["description"]) == ({"name": NAME}, True)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_them_as_text(with_terms, path):
    html = page(with_terms(NAME), path)

    assert "<span>© OpenStreetMap contributors &lt;b&gt;</span><span>Licence of the data: ODbL-1.0</span>" in html


def test_a_url_is_a_link(with_terms):
    app = with_terms(URL)

    assert f'<a href="{URL}" rel="license">Licence of the data</a>' in page(app, "/docs")
    assert app.get("/openapi.json").json["info"]["license"] == {"name": URL, "url": URL}
