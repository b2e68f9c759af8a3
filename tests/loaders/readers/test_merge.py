"""Features that are parts of one building."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import union_all
from shapely.geometry import Point, Polygon, box, mapping

from loaders import profiles
from loaders.readers import buildings
from loaders.readers.collector import merge_parts
from tests.factories import building, feature

PROFILE = replace(profiles.load_building_profile("geojson"), merge=True)
LARGE, SMALL = mapping(box(-71.12, 42.37, -71.11, 42.38)), mapping(box(-71.10, 42.37, -71.099, 42.371))


def part(id_, geometry, **properties):
    """Return a feature with a name, without which it is no part of a building."""
    return feature(id_, geometry, **{"name": "Widener", **properties})


def read(*paths):
    return buildings.read(paths, PROFILE)


def test_features_with_one_id_name_and_address_are_one_building(save_features):
    path = save_features(
        feature(1, SMALL, name="Widener", address="Yard"),
        feature(2, name="Lamont"),
        feature(1, LARGE, name="Widener", address="Yard"),
    )

    result = read(path)

    merged = {record.id: record for record in result.records}
    assert (list(merged), result.merged, result.errors) == ([2, 1], 1, [])
    assert [Polygon(ring).bounds for ring in merged[1].polygons] == [
        (42.37, -71.10, 42.371, -71.099),
        (42.37, -71.12, 42.38, -71.11),
    ]
    assert merged[1].point == (42.375, -71.115)


@pytest.mark.parametrize("other", [{"name": "Lamont"}, {"name": "Widener", "address": "Quincy Street"}])
def test_features_with_another_name_or_address_are_errors(save_features, other):
    result = read(save_features(feature(1, SMALL, name="Widener"), feature(2), feature(1, LARGE, **other)))

    errors = [(error.location.record, error.message) for error in result.errors]
    assert errors == [(1, "id 1 is the id of 2 different buildings"), (3, "id 1 is the id of 2 different buildings")]
    assert ([record.id for record in result.records], result.merged) == ([2], 0)


def test_one_part_with_another_name_makes_all_of_them_errors(save_features):
    parts = [feature(1, LARGE, name="Widener"), feature(1, SMALL, name="Widener"), feature(1, name="Lamont")]

    result = read(save_features(*parts))

    assert (list(result.records), len(result.errors)) == ([], 3)


@pytest.mark.parametrize("texts", [{}, {"name": "", "address": ""}, {"city": "Cambridge"}])
def test_features_without_a_name_and_an_address_are_different_buildings(save_features, texts):
    parts = [feature(0, SMALL, **texts), feature(0, LARGE, **texts)]

    result = read(save_features(*parts, feature(1, SMALL, address="Yard"), feature(1, LARGE, address="Yard")))

    assert [error.message for error in result.errors] == ["id 0 is the id of 2 different buildings"] * 2
    assert [record.id for record in result.records] == [1]


def test_without_merge_parts_are_errors(save_features):
    path = save_features(feature(1, SMALL), feature(1, LARGE))

    result = buildings.read([path], replace(PROFILE, merge=False))

    assert (list(result.records), len(result.errors)) == ([], 2)


def test_identical_features_are_duplicates_and_not_parts(save_features):
    result = read(save_features(part(1, SMALL), part(1, LARGE), part(1, SMALL)))

    assert (result.merged, result.duplicates, len(list(result.records)[0].polygons)) == (1, 1, 2)


def test_parts_may_be_in_several_files(save_features):
    paths = [
        save_features(part(1, geometry), name=f"{number}.geojson") for number, geometry in enumerate([LARGE, SMALL])
    ]

    [record] = read(*paths).records

    assert len(record.polygons) == 2


def test_the_city_and_the_image_are_the_first_ones_that_are_not_empty():
    parts = [building(city="", image=None), building(city="Boston", image="a.jpg"), building(city="Cambridge")]

    merged = merge_parts(parts)

    assert (merged.city, merged.image) == ("Boston", "a.jpg")


def test_missing_fields_are_counted_once_for_all_parts(save_features):
    result = read(save_features(part(1, SMALL), part(1, LARGE, city="Boston")))

    assert result.missing_counts == {"address": 1, "image": 1}


@pytest.mark.parametrize("other", [SMALL, mapping(Point(-71.2, 42.3))], ids=["footprint", "point"])
def test_a_point_that_is_at_no_footprint_is_a_different_building(save_features, other):
    point = mapping(Point(-71.1, 42.3))

    result = read(save_features(feature(1, other, name="Parking Garage"), feature(1, point, name="Parking Garage")))

    assert [error.message for error in result.errors] == ["id 1 is the id of 2 different buildings"] * 2


def test_a_point_at_a_footprint_is_a_part(save_features):
    result = read(save_features(part(1, mapping(Point(-71.0985, 42.3705)), city="Boston"), part(1, SMALL)))

    [record] = result.records
    assert (record.city, len(record.polygons), result.errors) == ("Boston", 1, [])


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


def test_the_report_has_the_number_of_merged_features(campus_load, save, save_features):
    profile = save('format = "geojson"\nmerge = true\n[fields]\nname = "name"\n', "custom.toml")
    path = save_features(part(1, SMALL), part(1, LARGE))

    result = campus_load("buildings", path, "--profile", profile)
    report = campus_load("buildings", path, "--profile", profile, "--json")

    assert "  1 feature merged into others with the same id" in result.stdout.splitlines()
    assert '"merged":1' in report.stdout
