from dataclasses import replace

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.geo.geojson import geojson_footprint
from loaders.profiles.building_ids import IdSource
from loaders.readers import buildings
from loaders.result import RecordError, SourceLocation
from tests.factories import RING, building, feature

PROFILE = profiles.load_building_profile("geojson")
POINT = {"type": "Point", "coordinates": [-71.11, 42.37]}


def read(*paths, id_fields=("id",), **defaults):
    return buildings.read(paths, replace(PROFILE, id=IdSource(id_fields), **defaults))


def test_a_feature_becomes_a_building(save_features):
    source = feature(7, name="Widener Library", address="Harvard Yard", city="Cambridge", image="https://a.edu/w.jpg")

    result = read(save_features(source))

    point = geojson_footprint(source["geometry"]).point
    assert list(result.records) == [building(7, image="https://a.edu/w.jpg", point=point, polygons=(RING,))]


def test_buildings_are_in_the_order_of_the_export(save_features):
    result = read(save_features(feature(9), feature(3), feature(5)))

    assert [record.id for record in result.records] == [9, 3, 5]


@pytest.mark.parametrize("id_", [7, 7.0, "7", "007", " 7 "])
def test_an_id_is_written_as_digits_or_a_number(save_features, id_):
    [record] = read(save_features(feature(id_))).records

    assert record.id == 7


def test_the_id_is_the_feature_id_by_default(save_features):
    [record] = read(save_features({**feature(7), "properties": {"id": 8, "ref": 9}})).records

    assert record.id == 7


@pytest.mark.parametrize("feature_id", [{}, {"id": None}], ids=["absent", "null"])
def test_a_property_named_id_is_used_without_a_feature_id(save_features, feature_id):
    bare = {key: value for key, value in feature().items() if key != "id"}

    result = read(save_features({**bare, **feature_id, "properties": {"id": 8}}))

    assert [record.id for record in result.records] == [8]


def test_the_id_may_be_in_another_field(save_features):
    [record] = read(save_features(feature(7, ref=8)), id_fields=("ref",)).records

    assert record.id == 8


@pytest.mark.parametrize("first", [{}, {"ref": None}, {"ref": ""}, {"ref": "  "}])
def test_the_first_field_that_is_not_empty_holds_the_id(save_features, first):
    result = read(save_features(feature(7, number=8, code=9, **first)), id_fields=("ref", "number", "code"))

    assert [record.id for record in result.records] == [8]


@pytest.mark.parametrize("id_", ["940C", "way/4", -1, 1.5, True, "1.0", "٣", [7]])
def test_an_id_must_be_an_integer(save_features, id_):
    result = read(save_features(feature(1, ref=id_)), id_fields=("ref",))

    expected = RecordError("buildings.geojson", SourceLocation(1, 1), "ref", id_, "is not an integer of zero or more")
    assert (list(result.records), result.errors) == ([], [expected])


def test_an_id_of_over_64_bits_is_rejected(save_features):
    [error] = read(save_features(feature(2**63))).errors

    assert (error.field, error.reason) == ("id", "is an integer of over 64 bits")


@pytest.mark.parametrize("properties", [None, {}, {"name": "Widener Library"}])
def test_a_building_without_an_id_is_rejected(save_features, properties):
    [error] = read(save_features({**feature(), "properties": properties}), id_fields=("ref", "number")).errors

    assert (error.field, error.reason) == ("ref or number", "is missing: a building needs an integer id")


def test_features_may_have_no_properties_member(save_features):
    [record] = read(save_features({"type": "Feature", "id": 7, "geometry": POINT})).records

    assert record == building(7, name=None, address="", city="", point=(42.37, -71.11), polygons=())


@pytest.mark.parametrize("properties", [{}, {"name": None}, {"name": ""}, {"name": "  "}])
def test_an_absent_or_blank_name_is_null(save_features, properties):
    [record] = read(save_features(feature(**properties))).records

    assert record.name is None


@pytest.mark.parametrize("properties", [{}, {"image": None}, {"image": ""}, {"image": "  "}])
def test_an_absent_or_blank_image_is_null_even_with_a_base_url(save_features, properties):
    [record] = read(save_features(feature(**properties)), image_base="https://example.edu/photos/").records

    assert record.image is None


@pytest.mark.parametrize("field", ["address", "city"])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_an_absent_or_blank_address_or_city_is_empty(save_features, field, value):
    [record] = read(save_features(feature(**{field: value}))).records

    assert getattr(record, field) == ""


def test_an_address_may_be_in_openstreetmap_tags(save_features):
    [record] = read(save_features(feature(**{"addr:housenumber": 12, "addr:street": "Oak Street"}))).records

    assert record.address == "12 Oak Street"


def test_the_default_city_applies_to_buildings_without_one(save_features):
    result = read(save_features(feature(1, city="Boston"), feature(2), feature(3, city=" ")), city="Cambridge")

    assert [record.city for record in result.records] == ["Boston", "Cambridge", "Cambridge"]


def test_missing_optional_fields_are_counted(save_features):
    result = read(save_features(feature(1, name="Widener", city="Cambridge"), feature(2, address="Harvard Yard")))

    assert result.missing_counts == {"name": 1, "address": 1, "city": 1, "image": 2}


def test_missing_fields_of_rejected_and_duplicate_buildings_are_not_counted(save_features):
    complete = feature(1, name="Widener", address="Yard", city="Cambridge", image="https://example.edu/w.jpg")

    result = read(save_features(complete, feature(2), feature(2, name="Another"), feature("x"), complete))

    assert result.missing_counts == {}


@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("widener.jpg", "widener.jpg"),
        ("Widener Library.jpg", "Widener%20Library.jpg"),
        ("café#1?.jpg", "caf%C3%A9%231%3F.jpg"),
        ("100%.jpg", "100%25.jpg"),
        ("north/widener.jpg", "north/widener.jpg"),
    ],
)
def test_a_file_name_is_percent_encoded_and_appended_to_the_base_url(save_features, name, encoded):
    [record] = read(save_features(feature(image=name)), image_base="https://example.edu/photos/").records

    assert record.image == f"https://example.edu/photos/{encoded}"


@pytest.mark.parametrize(
    ("url", "image"),
    [
        ("http://example.org/w.jpg", "http://example.org/w.jpg"),
        ("https://example.org/a%20b.jpg?size=1&x=(2)", "https://example.org/a%20b.jpg?size=1&x=(2)"),
        ("https://example.org/a b é.jpg", "https://example.org/a%20b%20%C3%A9.jpg"),
    ],
)
@pytest.mark.parametrize("base", ["", "https://example.edu/photos/"])
def test_an_absolute_url_is_unchanged_but_percent_encoded(save_features, url, image, base):
    [record] = read(save_features(feature(image=url)), image_base=base).records

    assert record.image == image


@pytest.mark.parametrize("base", ["", "photos/"])
def test_a_file_name_without_a_base_url_is_null_and_a_warning(save_features, base):
    result = read(save_features(feature(7, image="Widener Library.jpg")), image_base=base)

    warning = "building 7 image 'Widener Library.jpg' is not the http, https or data URL of an image and is left out"
    assert ([record.image for record in result.records], [*result.warnings]) == ([None], [warning])


@pytest.mark.parametrize("nothing", ["Null", "NULL", " ", "", "<Null>", " null ", None])
def test_nulls_in_words_are_absent_in_geojson(save_features, nothing):
    fields = dict.fromkeys(["name", "address", "city", "image"], nothing)

    result = read(save_features(feature(**fields)), city="Cambridge", image_base="https://example.edu/")

    [record] = result.records
    assert (record.name, record.address, record.city, record.image) == (None, "", "Cambridge", None)
    assert result.warnings == {}


def test_a_null_in_words_is_no_id(save_features):
    [error] = read(save_features(feature("Null"))).errors

    assert error.reason == "is missing: a building needs an integer id"


@pytest.mark.parametrize("text", ["Arts &amp; Sciences", "Chef&#39;s", "<b>Widener</b>", "Widener<br/>Library"])
def test_html_in_a_text_is_a_warning(save_features, text):
    result = read(save_features(feature(7, name=text), feature(8, name="AT&T, A < B > C & D")))

    assert [*result.warnings] == [f"building 7 name {text!r} has HTML, which is published as text"]


@pytest.mark.parametrize("field", ["name", "address", "city"])
def test_a_text_in_a_wrong_encoding_is_a_warning(save_features, field):
    result = read(save_features(feature(7, **{field: "CafÃ© Gato"}), feature(8, **{field: "Café Gato"})))

    assert [*result.warnings] == [f"building 7 {field} 'CafÃ© Gato' looks like 'Café Gato' in a wrong encoding"]


@pytest.mark.parametrize("content", ['{"type": "FeatureCollection"}', '{"features": {}}', "[]", "7", "null"])
def test_a_file_must_be_a_feature_collection(save, content):
    path = save(content)

    with pytest.raises(UnreadableFileError) as error:
        read(path)

    assert str(error.value) == f"{path}: is not a GeoJSON FeatureCollection with a list of features"


def test_a_file_that_is_not_json_is_reported_with_the_line(save):
    path = save('{"type": "FeatureCollection",\n"features": [}')

    with pytest.raises(UnreadableFileError, match="line 2 is not JSON"):
        read(path)


def test_a_building_at_zero_is_rejected(save_features):
    [error] = read(save_features(feature(geometry={"type": "Point", "coordinates": [0, 0.0]}))).errors

    assert error.message == "geometry [0.0, 0.0] is at 0, 0, which stands for no position"
