import math
from dataclasses import replace

import pytest

from loaders import profiles
from loaders.readers import buildings
from loaders.readers.result import RecordError, SourceLocation
from tests.factories import building, feature

FILE = "buildings.geojson"
PROFILE = profiles.load_building_profile("geojson")


def read(*paths):
    return buildings.read(paths, PROFILE)


def ids(reading):
    return [found.id for found in reading.records]


def test_a_feature_that_is_no_object_is_bad(save_features):
    reading = read(save_features("Widener Library"))

    assert reading.errors == [
        RecordError(FILE, SourceLocation(1, 1), "feature", "Widener Library", "is not a JSON object")
    ]


def test_properties_that_are_no_object_are_bad(save_features):
    reading = read(save_features({**feature(), "properties": ["Widener Library"]}))

    assert reading.errors == [
        RecordError(FILE, SourceLocation(1, 1), "properties", ["Widener Library"], "is not a JSON object")
    ]


def test_a_building_without_a_place_is_bad(save_features):
    reading = read(save_features({**feature(), "geometry": None}))

    assert reading.errors == [RecordError(FILE, SourceLocation(1, 1), "geometry", None, "is missing")]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:image/svg+xml,x",
        "ftp://a.edu/w.jpg",
        "file:///w.jpg",
        "http:w",
    ],
)
@pytest.mark.parametrize("base", ["", "https://example.edu/photos/"])
def test_an_image_of_another_scheme_than_http_and_https_is_bad(save_features, url, base):
    reading = buildings.read([save_features(feature(1), feature(2, image=url))], replace(PROFILE, image_base=base))

    reason = "is neither an http or https URL nor the name of a file"
    assert reading.problems == [Problem(FILE, Place(1, 2), "image", url, reason)]


def test_a_name_that_is_no_text_is_bad(save_features):
    reading = read(save_features(feature(name={"en": "Widener"})))

    assert reading.errors == [
        RecordError(FILE, SourceLocation(1, 1), "name", {"en": "Widener"}, "is neither text nor a number")
    ]


def test_all_bad_features_are_listed_by_their_place_and_the_rest_kept(save_features):
    reading = read(save_features(feature("x"), feature(2), {**feature(3), "geometry": None}, feature(4), "decoy"))

    assert ids(reading) == [2, 4]
    assert [problem.location.record for problem in reading.errors] == [1, 3, 5]


def test_places_are_counted_in_each_file(save_features):
    first = save_features(feature(1), feature("x"), name="north.geojson")
    second = save_features(feature("y"), feature(2), name="south.geojson")

    reading = read(first, second)

    assert ids(reading) == [1, 2]
    assert [(problem.file, problem.location.record) for problem in reading.errors] == [
        ("north.geojson", 2),
        ("south.geojson", 1),
    ]


def test_different_buildings_with_one_id_are_all_bad(save_features):
    reading = read(save_features(feature(1, name="Widener"), feature(2, name="Lamont"), feature(1, name="Houghton")))

    reason = "is the id of 2 different buildings"
    assert ids(reading) == [2]
    assert reading.errors == [
        RecordError(FILE, SourceLocation(1, 1), "id", 1, reason),
        RecordError(FILE, SourceLocation(1, 3), "id", 1, reason),
    ]


def test_different_buildings_with_one_id_are_found_across_files(save_features):
    first = save_features(feature(1, name="Widener"), name="north.geojson")
    second = save_features(feature("01", name="Houghton"), name="south.geojson")

    reading = read(first, second)

    assert ids(reading) == []
    assert [problem.file for problem in reading.errors] == ["north.geojson", "south.geojson"]


def test_exact_duplicates_are_counted_and_kept_once(save_features):
    widener = feature(1, name="Widener")

    reading = read(save_features(widener, widener, feature(2, name="Widener"), widener))

    assert (ids(reading), reading.errors, reading.duplicates) == ([1, 2], [], 2)


def test_the_same_file_twice_says_nothing_new(save_features):
    path = save_features(feature(1), feature(2))

    reading = read(path, path)

    assert (ids(reading), reading.duplicates) == ([1, 2], 2)


def test_every_file_is_a_source(save_features):
    reading = read(save_features(feature(1), name="north.geojson"), save_features(feature(2), name="south.geojson"))

    assert [source["file"] for source in reading.sources] == ["north.geojson", "south.geojson"]


def test_a_collection_without_features_has_no_buildings(save_features):
    reading = read(save_features())

    assert (list(reading.records), reading.errors) == ([], [])


def test_progress_is_told_of_every_feature(save_features):
    told = []

    def track(records):
        for record in records:
            told.append(record[1].record)
            yield record

    buildings.read([save_features(feature(1), feature("x"))], PROFILE, track)

    assert told == [feature(1), feature("x")]


def test_properties_with_integers_are_proposed_as_ids_most_frequent_first(save_features):
    first = save_features(feature("x", seldom="7", often=8, flag=True, area=1.5, name="Hall 3"), name="north.geojson")
    second = save_features(feature("y", often="009", depth=-1), feature(1, lucky=7), name="south.geojson")

    assert read(first, second).integer_fields.most_common() == [("often", 2), ("seldom", 1)]


def test_a_building_may_be_known_by_a_point_only(save_features):
    place = {"type": "Point", "coordinates": [-71.117, 42.3742]}

    reading = read(save_features(feature(1, place, name="Widener Library", address="Harvard Yard", city="Cambridge")))

    assert list(reading.records) == [building(1, polygons=())]


def test_a_value_that_is_too_deep_to_show_is_bad_all_the_same(save):
    deep = "[" * 900 + "]" * 900
    export = '{"type": "FeatureCollection", "features": [{"id": 1, "geometry": {"type": "Point", "coordinates": %s}}]}'

    reading = read(save(export % deep))

    [problem] = reading.errors
    assert problem.message.endswith(" is not a longitude and a latitude")
    assert len(problem.message) < 200


def test_a_building_that_no_document_can_hold_is_bad(save_features):
    angles = [number / 500_000 * math.tau for number in range(500_000)]
    circle = [[-71 + 0.001 * math.cos(angle), 42 + 0.001 * math.sin(angle)] for angle in angles]
    polygon = {"type": "Polygon", "coordinates": [[*circle, circle[0]]]}

    reading = read(save_features(feature(1, polygon), feature(2)))

    [problem] = reading.errors
    assert (ids(reading), problem.location) == ([2], SourceLocation(1, 1))
    assert problem.reason == "is larger than the 16,777,216 bytes that MongoDB can store"
