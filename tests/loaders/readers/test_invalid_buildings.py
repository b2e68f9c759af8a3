import json
from dataclasses import replace

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.profiles.building_ids import AssignedIdSource
from loaders.readers import buildings
from loaders.result import RecordError, SourceLocation
from tests.factories import building, feature

FILE = "buildings.geojson"
PROFILE = profiles.load_building_profile("geojson")


def read(*paths, profile=PROFILE):
    return buildings.read(paths, profile)


def ids(result):
    return [record.id for record in result.records]


def test_a_feature_must_be_an_object(save_features):
    result = read(save_features("Widener Library"))

    assert result.errors == [
        RecordError(FILE, SourceLocation(1, 1), "feature", "Widener Library", "is not a JSON object")
    ]


def test_properties_must_be_an_object(save_features):
    result = read(save_features({**feature(), "properties": ["Widener Library"]}))

    assert result.errors == [
        RecordError(FILE, SourceLocation(1, 1), "properties", ["Widener Library"], "is not a JSON object")
    ]


def test_a_building_without_a_geometry_is_rejected(save_features):
    result = read(save_features({**feature(), "geometry": None}))

    assert result.errors == [RecordError(FILE, SourceLocation(1, 1), "geometry", None, "is missing")]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:image/svg+xml,x",
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:text/html;base64,PHN2Zz4=",
        "data:image/png;base64,<b>",
        "ftp://a.edu/w.jpg",
        "file:///w.jpg",
        "http:w",
        "https:///w.jpg",
        "U:/public_html/w.jpg",
    ],
)
@pytest.mark.parametrize("base", ["", "https://example.edu/photos/"])
def test_what_is_not_the_url_of_an_image_is_null(save_features, url, base):
    result = buildings.read([save_features(feature(2, image=url))], replace(PROFILE, image_base=base))

    assert [record.image for record in result.records] == [None]
    assert [*result.warnings] == [
        f"building 2 image {url!r} is not the http, https or data URL of an image and is left out"
    ]


@pytest.mark.parametrize("type_", ["png", "jpeg", "gif", "webp"])
def test_a_data_url_of_an_image_is_an_image(save_features, type_):
    url = f"data:image/{type_};base64,iVBOR/w0KGgo+AAAA=="
    result = buildings.read([save_features(feature(2, image=url))], replace(PROFILE, image_base="https://example.edu/"))

    assert [record.image for record in result.records] == [url]


def test_a_name_must_be_text(save_features):
    result = read(save_features(feature(name={"en": "Widener"})))

    assert result.errors == [
        RecordError(FILE, SourceLocation(1, 1), "name", {"en": "Widener"}, "is neither text nor a number")
    ]


def test_invalid_features_are_reported_and_the_others_imported(save_features):
    result = read(save_features(feature("x"), feature(2), {**feature(3), "geometry": None}, feature(4), "decoy"))

    assert ids(result) == [2, 4]
    assert [error.location.record for error in result.errors] == [1, 3, 5]


def test_locations_are_relative_to_each_file(save_features):
    first = save_features(feature(1), feature("x"), name="north.geojson")
    second = save_features(feature("y"), feature(2), name="south.geojson")

    result = read(first, second)

    assert ids(result) == [1, 2]
    assert [(error.file, error.location.record) for error in result.errors] == [
        ("north.geojson", 2),
        ("south.geojson", 1),
    ]


def test_different_buildings_with_one_id_are_all_rejected(save_features):
    result = read(save_features(feature(1, name="Widener"), feature(2, name="Lamont"), feature(1, name="Houghton")))

    reason = "is the id of 2 different buildings"
    assert ids(result) == [2]
    assert result.errors == [
        RecordError(FILE, SourceLocation(1, 1), "id", 1, reason),
        RecordError(FILE, SourceLocation(1, 3), "id", 1, reason),
    ]


def test_different_buildings_with_one_id_are_rejected_across_files(save_features):
    first = save_features(feature(1, name="Widener"), name="north.geojson")
    second = save_features(feature("01", name="Houghton"), name="south.geojson")

    result = read(first, second)

    assert ids(result) == []
    assert [error.file for error in result.errors] == ["north.geojson", "south.geojson"]


def test_exact_duplicates_are_counted_and_imported_once(save_features):
    widener = feature(1, name="Widener")

    result = read(save_features(widener, widener, feature(2, name="Widener"), widener))

    assert (ids(result), result.errors, result.duplicates) == ([1, 2], [], 2)


def test_a_repeated_file_has_only_duplicates(save_features):
    path = save_features(feature(1), feature(2))

    result = read(path, path)

    assert (ids(result), result.duplicates) == ([1, 2], 2)


def test_every_file_is_a_source(save_features):
    result = read(save_features(feature(1), name="north.geojson"), save_features(feature(2), name="south.geojson"))

    assert [source["file"] for source in result.sources] == ["north.geojson", "south.geojson"]


def test_a_collection_without_features_is_an_error(save_features):
    with pytest.raises(UnreadableFileError, match="has no records"):
        read(save_features())


def test_progress_is_reported_for_every_feature(save_features):
    seen = []

    def track(records):
        for record in records:
            seen.append(record[-1])
            yield record

    buildings.read([save_features(feature(1), feature("x"))], PROFILE, track)

    assert seen == [feature(1), feature("x")]


def test_fields_with_integers_are_counted_as_candidates_for_the_id(save_features):
    first = save_features(feature("x", seldom="7", often=8, flag=True, area=1.5, name="Hall 3"), name="north.geojson")
    second = save_features(feature("y", often="009", depth=-1), feature(1, lucky=7), name="south.geojson")

    assert read(first, second).integer_fields.most_common() == [("often", 2), ("seldom", 1)]


def test_a_building_may_be_known_by_a_point_only(save_features):
    point = {"type": "Point", "coordinates": [-71.117, 42.3742]}

    result = read(save_features(feature(1, point, name="Widener Library", address="Harvard Yard", city="Cambridge")))

    assert list(result.records) == [building(1, polygons=())]


def test_a_deeply_nested_value_is_rejected(save):
    deep = "[" * 900 + "]" * 900
    export = '{"type": "FeatureCollection", "features": [{"id": 1, "geometry": {"type": "Point", "coordinates": %s}}]}'

    result = read(save(export % deep))

    [error] = result.errors
    assert error.message.endswith(" is not a longitude and a latitude")
    assert len(error.message) < 200


def test_an_assigned_id_is_the_text_of_the_provider_in_errors_and_warnings(save_features):
    assigned = replace(PROFILE, id=AssignedIdSource(("code",)))
    path = save_features(feature(code="LIB"), feature(code="LIB", name="Annex"), feature(code="GYM", image="x"))

    result = read(path, profile=assigned)

    assert [error.message for error in result.errors] == ["id 'LIB' is the id of 2 different buildings"] * 2
    assert [record.value for record, _ in result.warnings.values()] == ["GYM"]


def test_without_an_id_the_hint_says_what_proposes_one(save_features):
    assert read(save_features(feature(None, name="Gym"))).hint() == (
        "campus-load profile proposes a text to which the database assigns integers, such as a name"
    )


def test_invalid_geometries_need_no_hint_about_ids(save_features):
    assert read(save_features(feature(1, geometry={"type": "Point"}))).hint() == ""


def test_a_duplicate_key_invalidates_its_record(save):
    first, second = json.dumps(feature(1)), json.dumps(feature(2, name="Gym")).replace('{"name"', '{"name": "", "name"')

    result = read(save(f'{{"type": "FeatureCollection", "features": [{first},\n{second}]}}'))

    assert [str(error) for error in result.errors] == ["export.txt, line 2 (record 2): name is a duplicate key"]
    assert ids(result) == [1]
