from itertools import product

from loaders import profiles
from loaders.documents.spool import spool_buildings
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.checks import outside_area
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.readers import buildings
from loaders.result import SourceLocation
from tests.factories import RING, building, feature

CAMPUS = (42.3, -71.2, 42.4, -71.1)
DECOY = (9, 42.35, -71.15)


def violations_among(*locations, live=None, **limits):
    """Return the violations among buildings: an id, a latitude and a longitude, or two of opposite corners."""
    source_locations = {id_: (f"{id_}.geojson", SourceLocation(id_, 2)) for id_, *_ in locations}
    extents = [(id_, *corners, *corners)[:5] for id_, *corners in locations]
    return outside_area(extents, source_locations, live, Thresholds(**limits))


def ids(violations):
    return [int(violation.reason.split()[1]) for violation in violations]


def test_buildings_outside_of_the_area_of_the_profile_are_violations():
    for location in ((42.3, -71.2), (42.4, -71.1), (42.35, -71.15)):
        assert violations_among((1, *location), area=CAMPUS) == [], location
    for location in ((42.2999, -71.15), (42.4001, -71.15), (42.35, -71.2001), (42.35, -71.0999)):
        assert ids(violations_among((1, *location), DECOY, area=CAMPUS)) == [1], location


def test_a_violation_has_file_and_line():
    [violation] = violations_among((7, 41.0, -71.15), DECOY, area=CAMPUS)

    reason = "building 7 lies at 41.00000, -71.15000, outside the usual area (42.30 to 42.40, -71.20 to -71.10)"
    assert str(violation) == f"7.geojson, line 7 (record 2): {reason}"


def test_swapped_latitude_and_longitude_are_reported():
    [violation] = violations_among((7, -71.15, 42.35), DECOY, area=CAMPUS)

    assert violation.reason.endswith(": latitude and longitude are swapped")
    assert (violation.file, violation.location.line) == ("7.geojson", 7)


def test_a_building_may_be_half_a_degree_outside_of_the_live_area():
    for location in ((42.9, -71.15), (41.8, -71.15), (42.35, -70.6), (42.35, -71.7)):
        assert violations_among((1, *location), live=CAMPUS) == [], location
    for location in ((42.91, -71.15), (41.79, -71.15), (42.35, -70.59), (42.35, -71.71)):
        assert ids(violations_among((1, *location), live=CAMPUS)) == [1], location


def test_the_margin_is_configurable():
    assert ids(violations_among((1, 42.51, -71.15), (2, 42.49, -71.15), live=CAMPUS, area_margin=0.1)) == [1]


def test_the_area_of_the_profile_overrides_the_live_area():
    boston, santa_barbara = (1, 42.35, -71.15), (2, 34.41, -119.85)

    assert ids(violations_among(boston, santa_barbara, live=CAMPUS, area=(34.4, -119.9, 34.5, -119.8))) == [1]


def test_the_area_of_the_profile_has_no_margin():
    assert ids(violations_among((1, 42.41, -71.15), area=CAMPUS, area_margin=5)) == [1]


def test_the_area_of_a_first_load_is_around_the_median_point():
    yard = [(id_, 42.37, -71.11) for id_ in range(2, 6)]

    assert ids(violations_among((1, -71.11, 42.37), *yard, (7, 43.7, -72.3), (8, 0.0, 0.0))) == [1, 8]


def test_a_first_load_with_all_latitudes_and_longitudes_swapped_is_a_violation():
    for area in (None, (-72, 42, -70, 43)):
        swapped = [(id_, -71.11, 42.37) for id_ in range(1, 4)]

        violations = violations_among(*swapped, area=area)

        assert ids(violations) == [1, 2, 3], area
        assert (
            "lies at -71.11000, 42.37000, in Antarctica: are latitude and longitude swapped?" in violations[0].reason
        ), area


def test_a_building_that_is_only_partly_in_the_area_is_a_violation():
    for extent, live in product(
        ((0.0, -71.15, 42.35, 0.0001), (-71.15, -71.15, 42.35, 42.35), (42.35, -179.999, 42.36, 179.999)),
        (None, CAMPUS),
    ):
        area = CAMPUS if live is None else None

        [violation] = violations_among((7, *extent), DECOY, live=live, area=area)

        south, west, north, east = extent
        corners = f"from {south:.5f}, {west:.5f} to {north:.5f}, {east:.5f}"
        assert violation.reason.startswith(f"building 7 extends {corners}, outside the usual area (4"), (extent, live)


def test_a_part_at_zero_is_a_violation_also_near_it():
    accra = [(id_, 5.65, -0.19) for id_ in range(2, 6)]

    [violation] = violations_among((1, 0.0, -0.19, 5.65, 0.0), *accra)

    assert (
        violation.reason == "building 1 extends from 0.00000, -0.19000 to 5.65000, 0.00000: 0, 0 stands for no position"
    )


def test_the_extent_of_a_building_is_that_of_its_point_and_all_of_its_polygons():
    other = tuple((latitude + 1, longitude - 2) for latitude, longitude in RING)
    spool = spool_buildings([building(7, point=(42.0, -71.0), polygons=(RING, other)), building(8, polygons=())])

    latitudes, longitudes = zip(*RING, strict=True)
    latitude, longitude = building(8).point
    assert list(spool.extents) == [
        (7, 42.0, min(longitudes) - 2, max(latitudes) + 1, -71.0),
        (8, latitude, longitude, latitude, longitude),
    ]


def test_a_live_campus_may_be_in_antarctica():
    assert violations_among((1, -77.85, 166.67), live=(-77.86, 166.6, -77.84, 166.7)) == []


def test_the_only_building_of_a_first_load_is_accepted():
    assert violations_among((1, 1.0, 1.0)) == []


def test_at_most_ten_violations_are_listed():
    for number, more in [(10, []), (12, ["and 2 more buildings outside the usual area"])]:
        violations = violations_among(*((id_, 0.0, 0.0) for id_ in range(number)), area=CAMPUS)

        assert [str(violation) for violation in violations[10:]] == more, number


def test_the_live_area_is_the_bounding_box_of_the_points(database, load_buildings):
    points = [(42.35, -71.15), (42.30, -71.12), (42.40, -71.20), (42.38, -71.10)]
    load_buildings(*(building(id_, point=point) for id_, point in enumerate(points)))

    assert plan_buildings(database, [building()]).area == (42.30, -71.20, 42.40, -71.10)


def test_swapped_coordinates_of_an_export_are_reported_with_their_line(save):
    point = '{"type": "Point", "coordinates": [%s]}'
    lines = [
        f'{{"type": "Feature", "id": {id_}, "geometry": {point % position}}}'
        for id_, position in enumerate(["-71.11, 42.37", "42.37, -71.11", "-71.12, 42.37"])
    ]
    path = save('{"type": "FeatureCollection", "features": [\n' + ",\n".join(lines) + "]}", "swapped.geojson")
    reading = buildings.read([path], profiles.load_building_profile("geojson"))

    [violation] = outside_area(reading.records.extents, reading.locations, None, Thresholds())

    assert str(violation).startswith("swapped.geojson, line 3 (record 2): building 1 lies at -71.11000, 42.37000, ")


def test_buildings_with_the_same_id_are_not_checked(save_features):
    far = {"type": "Point", "coordinates": [0, 0]}
    path = save_features(feature(1), feature(2), feature(3, far), feature(3, far, name="Another"))
    reading = buildings.read([path], profiles.load_building_profile("geojson"))

    assert outside_area(reading.records.extents, reading.locations, None, Thresholds()) == []


def test_before_the_first_load_and_without_live_buildings_there_is_no_area(database):
    assert plan_buildings(database, [building()]).area is None
    publish(database, plan_buildings(database, [building()]), [])
    database.buildings_1.delete_many({})

    assert plan_buildings(database, [building()]).area is None
