from itertools import product

from loaders.profiles.thresholds import Thresholds
from loaders.publishing.checks import building_extents, outside_area
from loaders.publishing.plan import plan_buildings
from loaders.result import SourceLocation
from tests.factories import RING, building

CAMPUS = (42.3, -71.2, 42.4, -71.1)
DECOY = (9, 42.35, -71.15)


def violations_among(*locations, live=None, **limits):
    """Return the violations among buildings: an id, a latitude and a longitude, or two of opposite corners."""
    source_locations = {id_: (f"{id_}.geojson", SourceLocation(id_, 2)) for id_, *_ in locations}
    extents = [(id_, *corners, *corners)[:5] for id_, *corners in locations]
    return outside_area(extents, source_locations, live, Thresholds(**limits))


def ids(violations):
    return [int(violation.reason.split()[1]) for violation in violations]


def test_buildings_outside_of_the_area_of_the_profile_or_by_a_margin_of_the_live_one_are_violations():
    profile, live = {"area": CAMPUS, "live": (0, 0, 1, 1), "area_margin": 5}, {"live": CAMPUS}
    for limits, inside, outside in [
        (
            profile,
            [(42.3, -71.2), (42.4, -71.1), (42.35, -71.15)],
            [(42.2999, -71.15), (42.4001, -71.15), (42.35, -71.2001), (42.35, -71.0999)],
        ),
        (
            live,
            [(42.9, -71.15), (41.8, -71.15), (42.35, -70.6), (42.35, -71.7)],
            [(42.91, -71.15), (41.79, -71.15), (42.35, -70.59), (42.35, -71.71)],
        ),
        ({**live, "area_margin": 0.1}, [(42.49, -71.15)], [(42.51, -71.15)]),
        ({"live": (-77.86, 166.6, -77.84, 166.7)}, [(-77.85, 166.67)], []),
        # The only building of a first load.
        ({}, [(1.0, 1.0)], []),
    ]:
        for location in inside:
            assert violations_among((1, *location), **limits) == [], location
        for location in outside:
            assert ids(violations_among((1, *location), DECOY, **limits)) == [1], location


def test_a_violation_has_file_line_and_position():
    usual = "outside the usual area (42.30 to 42.40, -71.20 to -71.10)"
    swapped = "latitude and longitude are swapped"
    for location, reason in [
        ((41.0, -71.15), f"lies at 41.00000, -71.15000, {usual}"),
        ((-71.15, 42.35), f"lies at -71.15000, 42.35000, {usual}: {swapped}"),
    ]:
        [violation] = violations_among((7, *location), DECOY, area=CAMPUS)

        assert str(violation) == f"7.geojson, line 7 (record 2): building 7 {reason}", location


def test_the_area_of_a_first_load_is_ten_degrees_around_the_median_point_or_a_wider_margin():
    places = [*((id_, 42.37, -71.11) for id_ in range(2, 6)), (1, -71.11, 42.37), (7, 43.7, -72.3), (8, 0.0, 0.0)]
    for margin, outside in ((0.5, [1, 8]), (75, [1])):
        assert ids(violations_among(*places, area_margin=margin)) == outside, margin


def test_a_first_load_with_all_latitudes_and_longitudes_swapped_is_a_violation():
    for area in (None, (-72, 42, -70, 43)):
        swapped = [(id_, -71.11, 42.37) for id_ in range(1, 4)]

        violations = violations_among(*swapped, area=area)

        assert ids(violations) == [1, 2, 3], area
        reason = "lies at -71.11000, 42.37000, in Antarctica: are latitude and longitude swapped?"
        assert violations[0].reason == f"building 1 {reason}", area


def test_a_building_that_is_only_partly_in_the_area_is_a_violation():
    extents = (0.0, -71.15, 42.35, 0.0001), (-71.15, -71.15, 42.35, 42.35), (42.35, -179.999, 42.35, 179.999)
    for extent, live in product(extents, (None, CAMPUS)):
        area = CAMPUS if live is None else None

        [violation] = violations_among((7, *extent), DECOY, live=live, area=area)

        south, west, north, east = extent
        corners = f"from {south:.5f}, {west:.5f} to {north:.5f}, {east:.5f}"
        assert violation.reason.startswith(f"building 7 extends {corners}, outside the usual area (4"), (extent, live)


def test_the_extent_of_a_building_is_that_of_its_point_and_all_of_its_polygons():
    other = tuple((latitude + 1, longitude - 2) for latitude, longitude in RING)
    records = [building(7, point=(42.0, -71.0), polygons=(RING, other)), building(8, polygons=())]

    latitudes, longitudes = zip(*RING, strict=True)
    latitude, longitude = building(8).point
    south_west, north_east = (42.0, min(longitudes) - 2), (max(latitudes) + 1, -71.0)
    expected = [(7, *south_west, *north_east), (8, latitude, longitude, latitude, longitude)]
    assert list(building_extents(records)) == expected


def test_the_live_area_is_the_bounding_box_of_the_points_if_there_are_any(database, load_buildings):
    assert plan_buildings(database, [building()]).area is None

    points = [(42.35, -71.15), (42.30, -71.12), (42.40, -71.20), (42.38, -71.10)]
    load_buildings(*(building(id_, point=point) for id_, point in enumerate(points)))
    assert plan_buildings(database, [building()]).area == (42.30, -71.20, 42.40, -71.10)

    database.buildings_1.delete_many({})
    assert plan_buildings(database, [building()]).area is None
