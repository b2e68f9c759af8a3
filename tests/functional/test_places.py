"""The locations on a map."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories import building, hall, serving
from tests.loaders.live import live_collection

PATH = "/dining/locations.geojson"


@pytest.fixture
def loaded(service):
    """A hall in a building, one in a building that is not loaded, and one without a building."""
    service.serve_buildings(building(203, point=(42.3759, -71.1149)), building(161))
    halls = {30: hall(203), 7: hall(999)}
    service.serve_dining(serving(location=30), serving(2, location=7), serving(3, location=8), halls=halls)
    return service


def test_a_location_is_at_the_point_of_its_building(loaded):
    response = loaded.app.get(PATH)

    assert response.headers["Content-Type"] == "application/geo+json"
    assert response.json["features"][2] == {
        "type": "Feature",
        "id": 30,
        "geometry": {"type": "Point", "coordinates": [-71.1149, 42.3759]},
        "properties": {"name": "Hall 30", "building": 203},
    }


def test_a_location_without_a_loaded_building_has_no_geometry(loaded):
    features = loaded.app.get(PATH).json["features"]

    places = [(each["id"], each["geometry"], each["properties"]["building"]) for each in features[:2]]
    assert places == [(7, None, 999), (8, None, None)]


def test_places_are_sorted_in_whatever_order_they_are_stored(loaded):
    stored = live_collection(loaded.database, "locations")

    stored.insert_one(stored.find_one_and_delete({"_id": 7}))

    assert [each["id"] for each in loaded.app.get(PATH).json["features"]] == [7, 8, 30]


def test_a_location_remains_an_id_and_a_name(loaded):
    assert loaded.app.get("/dining/locations/30").json == {"id": 30, "name": "Hall 30"}


def test_there_are_no_features_before_the_first_load(service):
    assert service.app.get(PATH).json == {"type": "FeatureCollection", "features": []}


def test_a_load_of_either_data_set_replaces_the_features(loaded):
    tags = [loaded.app.get(PATH).headers["ETag"]]

    loaded.serve_buildings(building(203, point=(42.0, -71.0)))
    moved = loaded.app.get(PATH)
    loaded.serve_dining(serving(location=30), halls={30: hall(161)})
    tags += [moved.headers["ETag"], loaded.app.get(PATH).headers["ETag"]]

    assert moved.json["features"][2]["geometry"]["coordinates"] == [-71.0, 42.0]
    assert len(set(tags)) == 3


def test_the_time_of_modification_is_that_of_the_later_load(loaded):
    before = loaded.app.get(PATH).last_modified

    loaded.serve_buildings(building(203, name="Another"))

    record = loaded.database.datasets.find_one({"_id": "buildings"})
    assert before <= loaded.app.get(PATH).last_modified == record["loaded_at"].replace(microsecond=0)


def test_the_age_of_stale_features_counts_from_the_first_load_that_replaced_a_part(loaded):
    stale = loaded.revisions.latest.version("dining", "buildings")
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    loaded.database.datasets.update_one({"_id": "buildings"}, {"$set": {"revision": 2, "loaded_at": hour_ago}})

    loaded.revisions.poll()

    assert loaded.revisions.age(stale) == pytest.approx(3600, abs=60)
