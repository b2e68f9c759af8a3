"""Categories, locations and recipes, and the places of locations."""

from datetime import UTC, datetime

import pytest

from tests.factories import building, hall, serving
from tests.loaders.live import live_collection, reverse

PLACES = "/dining/locations.geojson"
NOWHERE = {"building": None, "point": None, "address": None}


@pytest.fixture
def dining(service):
    service.serve_dining(
        serving(48006, "Rice", location=30, category=17), serving(31001, "Kashi Pilaf", location=7, category=2)
    )
    return service.app


def test_a_list_has_ids_and_names_sorted_by_id_in_whatever_order_they_are_stored(service, dining):
    for kind, rows in (
        ("categories", [{"id": 2, "name": "Category 2"}, {"id": 17, "name": "Category 17"}]),
        ("locations", [{"id": 7, "name": "Hall 7", **NOWHERE}, {"id": 30, "name": "Hall 30", **NOWHERE}]),
        ("recipes", [{"id": 31001, "name": "Kashi Pilaf"}, {"id": 48006, "name": "Rice"}]),
    ):
        reverse(live_collection(service.database, kind))

        assert dining.get(f"/dining/{kind}").json == rows, kind
        assert [dining.get(f"/dining/{kind}/{row['id']}").json for row in rows] == rows, kind


def test_leading_zeros_of_an_id_are_ignored(dining):
    assert dining.get("/dining/recipes/048006").json == {"id": 48006, "name": "Rice"}


def test_invalid_and_unknown_ids_return_404(service, dining):
    service.serve_buildings(building(1))
    ids = ["999", "110x", "-1", "%EF%BC%91", "%201", "1%0A", "1%C3", "%00", "%7Bid%7D", "7/name", 2**63, 1 + 2**64]

    for path in ("/map/buildings", "/dining/categories", "/dining/locations", "/dining/recipes"):
        for id_ in ids:
            assert dining.get(f"{path}/{id_}", status="*").status_int == 404, (path, id_)


def test_a_reused_number_has_its_latest_name(service):
    service.serve_dining(serving(1, "New", date="2026-11-20"), serving(1, "Old", date="2010-08-25"))

    assert service.app.get("/dining/recipes/1").json == {"id": 1, "name": "New"}


@pytest.fixture
def places(service):
    """A hall in a building, one in a building that is not loaded, and one without a building."""
    service.serve_buildings(building(203, point=(42.3759, -71.1149)), building(161))
    halls = {30: hall(203), 7: hall(999)}
    service.serve_dining(serving(location=30), serving(2, location=7), serving(3, location=8), halls=halls)
    return service


def test_a_location_is_at_the_point_of_its_building(places):
    response = places.app.get(PLACES)

    assert response.headers["Content-Type"] == "application/geo+json"
    point = {"type": "Point", "coordinates": [-71.1149, 42.3759]}
    assert [each["geometry"] for each in response.json["features"] if each["id"] == 30] == [point]
    where = {"building": 203, "point": [42.3759, -71.1149], "address": "Harvard Yard"}
    assert places.app.get("/dining/locations/30").json == {"id": 30, "name": "Hall 30", **where}
    places.serve_buildings(building(203, address=""))
    assert places.app.get("/dining/locations/30").json["address"] is None


def test_a_location_without_a_loaded_building_has_no_geometry(places):
    # They are sorted in whatever order they are stored.
    reverse(live_collection(places.database, "locations"))

    features = places.app.get(PLACES).json["features"]

    halls = [(each["id"], each["geometry"] is None, each["properties"]["building"]) for each in features]
    assert halls == [(7, True, 999), (8, True, None), (30, False, 203)]


def test_the_time_of_modification_is_that_of_the_later_load(places):
    places.set_loaded_at("dining", datetime(2020, 1, 1, tzinfo=UTC))

    dataset = places.database.datasets.find_one({"_id": "buildings"})
    assert places.app.get(PLACES).last_modified == dataset["loaded_at"].replace(microsecond=0)
