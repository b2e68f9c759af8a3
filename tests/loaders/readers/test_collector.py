"""Features with one id: duplicates, parts of one building, or errors."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from shapely import union_all
from shapely.geometry import Point, Polygon, box, mapping

from campus_api.domain.building_fields import SERVED_FIELDS
from loaders import profiles
from loaders.readers import buildings
from loaders.readers.collector import BuildingCollector, merge_parts
from loaders.readers.sources import Origin
from loaders.result import BuildingRead, SourceLocation
from tests.factories import building, feature
from tests.loaders.errors import error_of

PROFILE = replace(profiles.load_building_profile("geojson"), merge=True)
LARGE, SMALL = mapping(box(-71.12, 42.37, -71.11, 42.38)), mapping(box(-71.10, 42.37, -71.099, 42.371))
DIFFERENT = "id 1 is the id of 2 different buildings"


def part(id_, geometry, **properties):
    """Return a feature with a name, without which it is no part of a building."""
    return feature(id_, geometry, **{"name": "Widener", **properties})


def read(*paths, **changes):
    return buildings.read([(replace(PROFILE, **changes), paths)])


def ids(result):
    return [record.id for record in result.records]


def test_too_many_buildings_are_an_error():
    collector = BuildingCollector(BuildingRead(), max_buildings=2)
    for id_ in (1, 1, 2):
        collector.add(building(id_), Origin("geojson", "a.geojson", SourceLocation(id_)), id_, mergeable=False)

    error = error_of(collector.add, building(3), Origin("geojson", "a.geojson", SourceLocation(7)), 3, mergeable=False)

    assert str(error) == "a.geojson: line 7 and those before have over 2 buildings"


def test_features_with_one_id_name_and_address_are_one_building(save_features):
    small, large = (feature(1, shape, name="Widener", address="Yard") for shape in (SMALL, LARGE))
    paths = save_features(small, feature(2), small, name="1.json"), save_features(large, name="2.json")

    result = read(*paths)

    merged = {record.id: record for record in result.records}
    assert (list(merged), result.merged, result.duplicates, result.errors) == ([1, 2], 1, 1, [])
    expected = [(42.37, -71.10, 42.371, -71.099), (42.37, -71.12, 42.38, -71.11)]
    assert [Polygon(ring).bounds for ring in merged[1].polygons] == expected
    assert merged[1].point == (42.375, -71.115)


def test_features_with_another_name_or_address_are_errors(save_features):
    for other, merge in [
        ({"name": "Lamont"}, True),
        ({"name": "Widener", "address": "Quincy Street"}, True),
        ({"name": "Widener"}, False),
    ]:
        path = save_features(feature(1, SMALL, name="Widener"), feature(2), feature(1, LARGE, **other))

        result = read(path, merge=merge)

        errors = [(error.location.record, error.message) for error in result.errors]
        assert (errors, ids(result), result.merged) == ([(1, DIFFERENT), (3, DIFFERENT)], [2], 0), other
    # One part with another name makes all of them errors.
    result = read(save_features(part(1, LARGE), part(1, SMALL), part(1, None, name="Lamont")))
    assert (ids(result), len(result.errors)) == ([], 3)


def test_features_without_a_name_and_an_address_are_different_buildings(save_features):
    for texts in ({}, {"name": "", "address": ""}, {"city": "Cambridge"}):
        parts = [feature(1, SMALL, **texts), feature(1, LARGE, **texts)]

        result = read(save_features(*parts, feature(0, SMALL, address="Yard"), feature(0, LARGE, address="Yard")))

        assert ([error.message for error in result.errors], ids(result)) == ([DIFFERENT] * 2, [0]), texts


def test_missing_fields_are_counted_once_for_all_parts_and_not_of_duplicates_and_errors(save_features):
    small, large = part(1, SMALL), part(1, LARGE, city="Boston")

    result = read(save_features(small, large, small, feature(2), feature(2, name="Another"), feature("x")))

    assert result.missing_counts == dict.fromkeys(SERVED_FIELDS.keys() - {"name", "city"}, 1)


def test_a_point_is_a_part_if_it_is_at_a_footprint(save_features):
    result = read(save_features(part(1, mapping(Point(-71.0985, 42.3705)), city="Boston"), part(1, SMALL)))

    [record] = result.records
    assert (record.city, len(record.polygons), result.errors) == ("Boston", 1, [])
    for other in (SMALL, mapping(Point(-71.2, 42.3))):
        result = read(save_features(part(1, other), part(1, mapping(Point(-71.1, 42.3)))))
        assert [error.message for error in result.errors] == [DIFFERENT] * 2, other


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 9), st.integers(1, 9)), min_size=1))
def test_the_point_is_inside_the_union_of_the_parts(corners):
    shapes = [box(x, y, x + width, y + height) for x, y, width, height in corners]
    parts = [
        building(point=shape.representative_point().coords[0], polygons=(tuple(shape.exterior.coords),))
        for shape in shapes
    ]

    merged = merge_parts(parts)

    assert union_all(shapes).contains(Point(merged.point))
    assert union_all([Polygon(ring) for ring in merged.polygons]).equals(union_all(shapes))
