"""Records and exports that are too large: only data of their size show it."""

import json
import math

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.readers import buildings
from tests.factories import feature

TOO_LARGE = "positions; MongoDB can store 400,000 of a building"


def circle(id_, longitude, corners, **properties):
    """Return a feature whose footprint is a circle with this number of corners."""
    angles = [number / corners * math.tau for number in range(corners)]
    ring = [[longitude + 0.001 * math.cos(angle), 42 + 0.001 * math.sin(angle)] for angle in [*angles, 0]]
    return feature(id_, {"type": "Polygon", "coordinates": [ring]}, **properties)


def test_a_building_larger_than_a_document_is_rejected(tmp_path):
    large = tmp_path / "large.geojson"
    (tmp_path / "merge.toml").write_text('format = "geojson"\nmerge = true\n[fields]\nname = "name"\n')
    profile = profiles.load_building_profile(str(tmp_path / "merge.toml"))
    merged = [circle(1, longitude, 260_000, name="Widener") for longitude in (-71, -72)]
    for parts in ([circle(1, -71, 500_000)], merged):
        large.write_text(json.dumps({"type": "FeatureCollection", "features": [*parts, feature(2)]}))

        result = buildings.read([(profile, [large])])

        assert [record.id for record in result.records] == [2], parts
        assert [error.location.record for error in result.errors] == [*range(1, len(parts) + 1)], parts
        assert all(error.reason.endswith(TOO_LARGE) for error in result.errors), parts


def test_a_response_that_does_not_fit_into_memory_is_an_error(tmp_path):
    (tmp_path / "large.json").write_text('{"elements": [' + "{}," * 500_000 + "{}]}")

    with pytest.raises(UnreadableFileError, match="has over 500,000 elements: request fewer"):
        buildings.read([(profiles.load_building_profile("overpass"), [tmp_path / "large.json"])])
