import json

import pytest

from loaders import profiles
from loaders.readers import buildings
from tests.factories import RING, building
from tests.loaders.errors import error_of

PROFILE = profiles.load_building_profile("campus-buildings")
GEOMETRY = {"point": [42.3742, -71.117], "polygons": [RING]}
TEXTS = {"name": "Widener Library", "address": "Harvard Yard", "city": "Cambridge", "image": None}
ROW = {"id": 1, **TEXTS, "geometry": GEOMETRY}


@pytest.fixture
def read(save):
    """Read a JSON document."""
    return lambda value: buildings.read([(PROFILE, [save(json.dumps(value), "buildings.json")])])


def test_an_assigned_id_that_cannot_be_restored_is_an_error(read):
    for pairs, reason in [
        ([("a", 1), ("b", 1)], "b 1 has the text or the integer of another record"),
        ([("a", 1), ("a", 2)], "a 2 has the text or the integer of another record"),
        ([("", 1)], "text is invalid: Expected `str` of length >= 1"),
        ([("a", 2**63 - 1)], f"id is invalid: Expected `int` <= {2 * 10**15}"),
    ]:
        ids = [{"text": text, "id": id_} for text, id_ in pairs]
        message = str(error_of(read, {"buildings": [ROW], "building_ids": ids}))
        assert message.endswith(f"line 1 has an invalid record in building_ids: {reason}"), ids


def test_a_row_becomes_a_building_whose_position_is_not_rounded(read):
    point = [42.123456789012345, -71.98765432109876]

    [first, second] = read([ROW, {**ROW, "id": 2, "geometry": {"point": point, "polygons": []}}]).records

    assert (first, list(second.point)) == (building(1, name="Widener Library", point=(42.3742, -71.117)), point)
    [error] = read([ROW, 7]).errors
    assert error.message == "building 7 is not a JSON object"
    assert str(error_of(read, ROW)).endswith("is not a JSON array of buildings")


def test_an_invalid_geometry_is_an_error(read):
    for geometry in (
        None,
        {"point": [42.3, -71.1]},
        {"polygons": []},
        {"point": [142.3, -71.1], "polygons": []},
        {"point": [42.3, "west"], "polygons": []},
        {"point": [42.3, -71.1], "polygons": [[[42.3, -71.1]]]},
        {"point": [42.3, -71.1], "polygons": [[[42.3, -271.1]] * 4]},
    ):
        errors = read([ROW, {**ROW, "id": 2, "geometry": geometry}]).errors

        assert [(error.location.record, error.field) for error in errors] == [(2, "geometry")], geometry
