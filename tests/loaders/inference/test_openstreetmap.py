"""Proposed profiles of extracts of OpenStreetMap, as GeoJSON of several tools."""

import json
import tomllib

import pytest

from loaders import profiles
from loaders.inference import propose
from loaders.readers import buildings
from tests.factories import feature

FILTER = {"building": {"pattern": "^(?!no$)."}}


def osm_feature(number, **tags):
    return {**feature(None), "properties": tags | {"number": number}}


@pytest.fixture
def proposed(save_features):
    return lambda *features: tomllib.loads(propose.profile(save_features(*features)))


def test_ids_of_openstreetmap_are_assigned_and_only_buildings_are_loaded(save_features, save_profile):
    for ids, source in [
        ({"@id": "way/{}"}, "@id"),
        ({"full_id": "w{}", "osm_id": "{}", "osm_type": "way"}, "full_id"),
        ({"osm_id": "{}", "osm_type": "way"}, "{osm_type}/{osm_id}"),
        ({"osm_id": None, "osm_way_id": "{}"}, ["way/{osm_way_id}", "relation/{osm_id}"]),
        ({"osm_id": "-{}"}, "osm_id"),
    ]:
        tags = [{name: id_ and id_.format(number) for name, id_ in ids.items()} for number in range(6)]
        gym = osm_feature(0, building="yes", name="Gym", **tags[0])
        doors = (osm_feature(number, entrance="yes", maxspeed="30 mph", **tags[number]) for number in range(1, 6))
        path = save_features(gym, *doors)

        proposal = tomllib.loads(propose.profile(path))
        result = buildings.read([path], profiles.load_building_profile(save_profile(path)))
        assert (proposal["fields"]["id"], proposal["filter"]) == ({"assign": source}, FILTER), ids
        assert ([record.name for record in result.records], result.filtered) == (["Gym"], 5), ids


def test_most_features_with_a_tag_are_an_extract(proposed):
    features = [osm_feature(number, building="yes", ref=f"B{number}") for number in range(3)]

    assert proposed(*features, osm_feature(7, highway="path"))["filter"] == FILTER
    for value in ("Smith Hall", "LIB", "7"):
        assert "filter" not in proposed(osm_feature(1, building=value, ref="B1")), value


def test_the_speed_of_a_road_is_no_address(proposed):
    assert "address" not in proposed(osm_feature(1, maxspeed="30 mph"), osm_feature(2, maxspeed="20 mph"))["fields"]


def test_records_that_cannot_be_read_are_counted(save):
    text = json.dumps({"type": "FeatureCollection", "features": [7, osm_feature(1, building="yes", osm_id="-1")]})

    assert "# 1 feature cannot be used" not in propose.profile(save(text))
