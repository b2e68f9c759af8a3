"""The root: an index for programs, a start page for browsers; the licence of the data."""

import re
from datetime import UTC, datetime

import pytest

from campus_api.domain.allergens.spellings import all_words
from campus_api.domain.models import Spelling
from tests.factories import TODAY, building, serving
from tests.publishing import publish_buildings

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
LICENCE_URL = "https://opendatacommons.org/licenses/odbl/1-0/"
PAGES = ["/", "/docs", "/explore", "/nowhere"]


@pytest.fixture
def loaded(service):
    service.serve_buildings(building(1), building(2))
    service.serve_dining(serving(1), serving(2, date="2026-11-22"), serving(3, date="2026-11-22"))
    return service


def page(service, path="/"):
    return service.app.get(path, headers={"Accept": BROWSER}, status="*").text


def test_the_index_describes_the_live_data(loaded):
    index = loaded.app.get("/").json

    buildings, dining = index["datasets"]["buildings"], index["datasets"]["dining"]
    assert (index["name"], index["today"], index["database"]) == ("campus-api", TODAY, "up")
    assert (index["now"], index["time_zone"]) == (f"{TODAY}T12:00-05:00", "America/New_York")
    assert (buildings["state"], buildings["counts"]) == ("loaded", {"buildings": 2})
    assert buildings["revision"] == loaded.revisions.latest.datasets["buildings"]["revision"]
    assert buildings["loaded_at"].endswith("+00:00")
    assert dining["counts"] == {"categories": 1, "locations": 1, "recipes": 3, "menus": 3}
    assert (dining["first_date"], dining["last_date"]) == (TODAY, "2026-11-22")


def test_the_index_and_the_start_page_say_what_are_samples(loaded):
    publish_buildings(loaded.database, [building(3)], [{"file": "samples/b.json", "sha256": ""}])
    loaded.revisions.poll()

    datasets = loaded.app.get("/").json["datasets"]

    assert {name: each["samples"] for name, each in datasets.items()} == {"buildings": True, "dining": False}
    assert page(loaded).count("These are samples, not real data.") == 1


def test_every_link_of_the_index_resolves(loaded):
    index = loaded.app.get("/").json

    links = [*index["documents"].values(), *index["service"].values()]
    links += [resource["href"] for resource in index["resources"].values()]
    items = [resource["item"] for resource in index["resources"].values() if resource["item"]]
    ids = {"/map/buildings/{id}": 1, "/dining/categories/{id}": 23, "/dining/locations/{id}": 30}
    links += [item.replace("{id}", str(ids.get(item, 1))) for item in items]
    assert len(links) > 10
    assert {loaded.app.get(link).status_int for link in links} == {200}


def test_a_client_gets_the_representation_that_it_prefers(service):
    json_preferred = ("*/*", "application/json", "application/json, text/html;q=0.9", "text/html;q=0")
    for content_type, accepts in {
        "application/json": (None, "", "image/png", "nonsense", *json_preferred),
        "text/html": (BROWSER, "text/html", "application/json;q=0.5, text/*"),
    }.items():
        for accept in accepts:
            response = service.app.get("/", headers={} if accept is None else {"Accept": accept})
            assert response.content_type == content_type, accept
            assert "Accept" in response.headers["Vary"].split(", "), accept


def test_the_index_is_not_modified_until_a_load(loaded):
    tag = {"If-None-Match": loaded.app.get("/").headers["ETag"]}
    loaded.app.get("/", headers=tag, status=304)

    loaded.serve_buildings(building(3))

    assert loaded.app.get("/", headers=tag, status=200).json["datasets"]["buildings"]["counts"] == {"buildings": 1}


def test_the_index_lists_data_sets_that_were_never_loaded(service):
    service.serve_buildings(building(1))

    datasets = service.app.get("/").json["datasets"]

    assert [datasets[name]["state"] for name in ("buildings", "dining")] == ["loaded", "never-loaded"]
    assert datasets["dining"]["counts"] is datasets["dining"]["first_date"] is None


def test_the_index_is_available_without_the_database(without_database):
    index, html = without_database.app.get("/").json, page(without_database)

    assert (index["database"], index["datasets"]["dining"]["state"]) == ("down", "unknown")
    assert "The database is unavailable." in html
    assert html.count("Unknown: the database has not responded yet.") == 2


def test_the_start_page_describes_the_live_data_and_dates_loads_in_campus_time(loaded):
    evening = datetime(2026, 11, 20, 4, 59, tzinfo=UTC)
    loaded.set_loaded_at("buildings", evening)
    html = page(loaded)

    assert "2 buildings, updated on November 19, 2026." in html
    assert "Menus from November 20, 2026 to November 22, 2026, updated on " in html
    assert "unavailable" not in html


def test_the_start_page_says_what_is_empty(service):
    assert page(service).count("No data yet.") == 2

    service.serve_dining()

    assert "No menus, updated on " in page(service)


def test_there_is_no_licence_by_default(service):
    index, info = service.app.get("/").json, service.app.get("/openapi.json").json["info"]

    assert (index["license"], index["attribution"], "license" in info) == (None, None, False)
    assert [path for path in PAGES if "site-footer" in page(service, path)] == []


def test_every_page_has_the_licence_as_text_or_as_a_link_and_the_attribution(start):
    link = f'<a href="{LICENCE_URL}" rel="license">Licence of the data</a>'
    for licence, described, footer in (
        ("ODbL-1.0", {"name": "ODbL-1.0"}, "<span>Licence of the data: ODbL-1.0</span>"),
        (LICENCE_URL, {"name": LICENCE_URL, "url": LICENCE_URL}, link),
    ):
        service = start(**{"data.license": licence, "data.attribution": "© OpenStreetMap <b>"})
        index, info = service.app.get("/").json, service.app.get("/openapi.json").json["info"]
        assert (index["license"], index["attribution"]) == (licence, "© OpenStreetMap <b>"), licence
        assert (info["license"], "© OpenStreetMap <b>" in info["description"]) == (described, True), licence
        for path in PAGES:
            html = page(service, path)
            assert (footer in html, "<span>© OpenStreetMap &lt;b&gt;</span>" in html) == (True, True), path


def test_every_page_says_where_to_report_a_mistake(start):
    for contact, url, described in (
        ("", None, {}),
        ("dining@example.edu", "mailto:dining@example.edu", {"email": "dining@example.edu"}),
        ("https://example.edu/help", "https://example.edu/help", {"url": "https://example.edu/help"}),
    ):
        service = start(**{"data.contact": contact})
        service.serve_dining(serving())
        index, info = service.app.get("/").json, service.app.get("/openapi.json").json["info"]
        assert (index["contact"], info["contact"].items() >= described.items()) == (url, True), contact
        for path in PAGES:
            [*links] = re.findall(r'href="([^"]+)">Report a mistake</a>', page(service, path))
            assert links == [url] * (url is not None), (contact, path)


def test_every_page_links_the_feed(service):
    link = '<link rel="alternate" href="/changes.atom" type="application/atom+xml" title="Changes">'

    assert [path for path in PAGES if link not in page(service, path)] == []


def index_allergens(service):
    return service.app.get("/").json["datasets"]["dining"]["allergens"]


def test_the_index_lists_the_allergens_that_are_stated(service):
    cake = {"allergens": ("Milk",), "contains": ("celery", "milk"), "without": ("eggs",)}
    roast = {"allergens": ("Pork",), "contains": ("milk", "pork"), "without": ("eggs",)}

    assert index_allergens(service)["stated"] is None
    service.serve_dining(serving())
    assert index_allergens(service)["stated"] == []
    service.serve_dishes(Cake=cake)
    assert index_allergens(service)["stated"] == ["celery", "eggs", "milk"]
    service.serve_dishes(Cake=cake, Roast=roast, Mystery={"allergens": None})
    assert index_allergens(service)["stated"] == ["eggs", "milk"]


def test_the_index_lists_the_vocabulary_and_the_words_of_the_provider(service):
    before = index_allergens(service)
    spelling = Spelling("Schwein", ("pork",))
    service.serve_dishes(
        Cake={"allergens": ("Milk", "Shellfish", "TBD"), "contains": None},
        Roast={"allergens": ("Schwein",), "contains": ("pork",), "spellings": (spelling, Spelling("MSG", ()))},
    )

    assert sorted([*before["words"], *before["others"]]) == sorted(all_words())
    assert (before["words"][:2], before["others"], before["stated"]) == (["milk", "eggs"], ["coconut"], None)
    after = index_allergens(service)
    assert (after["words"], after["others"]) == (before["words"], ["coconut", "pork"])
