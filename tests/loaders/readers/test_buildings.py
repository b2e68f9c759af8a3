from dataclasses import replace
from itertools import product

from loaders import profiles
from loaders.geo.geojson import geojson_footprint
from loaders.profiles.building_ids import AssignedId, IntegerId
from loaders.readers import buildings
from loaders.result import RecordError, SourceLocation
from tests.factories import RING, building, feature

FILE = "buildings.geojson"
PROFILE = profiles.load_building_profile("geojson")
POINT = {"type": "Point", "coordinates": [-71.117, 42.3742]}
PHOTOS = "https://example.edu/photos/"
NO_IMAGE = "is not the http, https or data URL of an image and is left out"


def read(*paths, id_fields=("id",), **changes):
    return buildings.read([(replace(PROFILE, id=IntegerId(id_fields), **changes), paths)])


def ids(result):
    return [record.id for record in result.records]


def test_a_feature_becomes_a_building(save_features):
    source = feature(7, name="Widener Library", address="Harvard Yard", city="Cambridge", image=" W  elev.png ")

    result = read(save_features(source), image_base=PHOTOS)

    point = geojson_footprint(source["geometry"]).point
    assert list(result.records) == [building(7, image=f"{PHOTOS}W%20%20elev.png", point=point, polygons=(RING,))]


def test_the_id_is_the_feature_id_or_else_the_first_property_of_the_names_that_is_not_empty(save_features):
    for written, expected in [({"id": " 007 "}, 7), ({"id": 7.0}, 7), ({}, 8), ({"id": None}, 8)]:
        source = {"type": "Feature", "geometry": POINT, **written, "properties": {"id": "8", "ref": 9}}
        assert ids(read(save_features(source))) == [expected], written
    source = {"type": "Feature", "id": 7, "geometry": POINT}
    assert [*read(save_features(source)).records] == [building(7, name=None, address="", city="", polygons=())]
    for first in ({}, {"ref": None}, {"ref": ""}, {"ref": "  "}):
        path = save_features(feature(7, number=8, code=9, **first))
        assert ids(read(path, id_fields=("ref", "number", "code"))) == [8], first


def test_an_id_must_be_an_integer(save_features):
    for id_ in ("940C", "way/4", -1, 1.5, True, "1.5", "٣", [7]):
        result = read(save_features(feature(1, ref=id_)), id_fields=("ref",))

        expected = RecordError(FILE, SourceLocation(1, 1), "ref", repr(id_), "is not an integer of zero or more")
        assert (list(result.records), result.errors) == ([], [expected]), id_
    for source, message in [
        (feature(1, ref=2**63), f"ref {2**63} is an integer of over 64 bits"),
        (feature(1, ref="Null"), "ref or number is missing: a building needs an integer id"),
        ({**feature(), "properties": None}, "ref or number is missing: a building needs an integer id"),
    ]:
        [error] = read(save_features(source), id_fields=("ref", "number")).errors
        assert error.message == message, source


def test_absent_and_blank_values_nulls_in_words_and_errors_of_excel_are_absent(save_features):
    errors = [r"\N", "#N/A", "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!", "nan", "None", "n/a", "N/A"]
    for nothing in ("Null", "NULL", "  ", "", "<Null>", "(null)", " null ", None, *errors):
        fields = dict.fromkeys(["name", "address", "city", "image"], nothing)

        result = read(save_features(feature(**fields)), city="Cambridge", image_base=PHOTOS)

        [record] = result.records
        assert (record.name, record.address, record.city, record.image) == (None, "", "Cambridge", None), nothing
        assert [*result.warnings] == ["buildings have no name: a profile can name them"], nothing
    names = ["Nullarbor Hall", "<Null> Hall", "0", "#1", "Nan"]
    result = read(save_features(*(feature(id_, name=name) for id_, name in enumerate(names))))
    assert [record.name for record in result.records] == names


def test_a_file_name_follows_the_base_url_unlike_an_absolute_url_and_both_are_percent_encoded():
    urls = [f"data:image/{kind};base64,iVBOR/w0KGgo+AAAA==" for kind in ("png", "jpeg", "gif", "webp")]
    urls += ["http://example.org/w.jpg", "https://example.org/a%20b.jpg?size=1&x=(2)"]
    for text, base, url in [
        ("café#1?.jpg", PHOTOS, f"{PHOTOS}caf%C3%A9%231%3F.jpg"),
        ("100%.jpg", PHOTOS, f"{PHOTOS}100%25.jpg"),
        ("north/a.png", PHOTOS, f"{PHOTOS}north/a.png"),
        *(("https://example.org/a b é.jpg", base, "https://example.org/a%20b%20%C3%A9.jpg") for base in ("", PHOTOS)),
        *((url, base, url) for url, base in product(urls, ("", PHOTOS))),
    ]:
        assert buildings.image_url(text, base) == url, (text, base)


def test_what_is_not_the_url_of_an_image_is_null_and_a_warning(save_features):
    urls = ["javascript:alert(1)", "JavaScript:alert(1)", "ftp://a.edu/w.jpg", "file:///w.jpg", "http:w"]
    urls += ["https:///w.jpg", "U:/public_html/w.jpg", "data:image/svg+xml,x", "data:image/svg+xml;base64,PHN2Zz4="]
    urls += ["data:text/html;base64,PHN2Zz4=", "data:image/png;base64,<b>"]
    file_name = product(["Widener Library.jpg"], ["", "photos/"])
    for image, base in [*product(urls, ["", PHOTOS]), *file_name]:
        result = read(save_features(feature(7, name="Gym", image=image)), image_base=base)

        assert [record.image for record in result.records] == [None], (image, base)
        assert [*result.warnings] == [f"building 7 image {image!r} {NO_IMAGE}"], base


def test_html_or_a_wrong_encoding_in_a_text_is_a_warning(save_features):
    texts = ["Arts &amp; Sciences", "Chef&#39;s", "<b>Widener</b>", "Widener<br/>Library"]
    wrong = "'CafÃ© Gato' looks like 'Café Gato' in utf-8"
    for field, text, warning in [
        *(("name", text, f"{text!r} has HTML, which is published as text") for text in texts),
        *((field, "CafÃ© Gato", wrong) for field in ("name", "address", "city")),
    ]:
        valid = feature(8, name="AT&T, A < B > C & D", address="Café Gato")

        result = read(save_features(feature(7, **{field: text}), valid))

        assert [*result.warnings] == [f"building 7 {field} {warning}"], text


def test_a_member_of_another_type_is_an_error(save_features):
    for source, field, value, reason in [
        ("Widener", "feature", "Widener", "is not a JSON object"),
        ({**feature(), "properties": ["Widener"]}, "properties", ["Widener"], "is not a JSON object"),
        ({**feature(), "geometry": None}, "geometry", None, "is missing"),
        (feature(name={"main": "Widener"}), "name", {"main": "Widener"}, "is neither text nor a number"),
    ]:
        expected = RecordError(FILE, SourceLocation(1, 1), field, value and repr(value), reason)
        assert read(save_features(source)).errors == [expected], source


def test_a_deeply_nested_value_is_an_error(save):
    deep = "[" * 900 + "]" * 900
    export = '{"type": "FeatureCollection", "features": [{"id": 1, "geometry": {"type": "Point", "coordinates": %s}}]}'

    [error] = read(save(export % deep)).errors

    assert error.message.endswith(" is not a longitude and a latitude")
    assert len(error.message) < 200


def test_invalid_features_are_reported_by_file_and_the_others_imported(save_features):
    north = save_features(feature("x"), feature(2), {**feature(3), "geometry": None}, name="north.geojson")
    south = save_features(feature("y"), feature(5), name="south.geojson")

    result = read(north, south)

    places = [(error.file, error.location.record) for error in result.errors]
    assert (ids(result), places) == ([2, 5], [("north.geojson", 1), ("north.geojson", 3), ("south.geojson", 1)])
    assert [source["file"] for source in result.sources] == ["north.geojson", "south.geojson"]


def test_an_assigned_id_is_the_text_of_the_provider_in_errors_and_warnings(save_features):
    library, annex = feature(code="LIB"), feature(code="LIB", name="Annex")
    path = save_features(library, annex, feature(code="GYM", name="Gym", image="x"))

    result = buildings.read([(replace(PROFILE, id=AssignedId(("code",))), [path])])

    assert [error.message for error in result.errors] == ["id 'LIB' is the id of 2 different buildings"] * 2
    assert [record.value for record in result.warnings.values()] == ["'GYM'"]


def test_an_assigned_id_of_one_word_is_the_code_unless_a_field_has_it(save_features):
    features = feature(code="LIB"), feature(code="way/27", short="W27"), feature(code="1 Main St")
    path = save_features(*features)
    fields = {**PROFILE.fields, "code": ("short",)}

    result = buildings.read([(replace(PROFILE, id=AssignedId(("code",)), fields=fields), [path])])

    assert [each.code for each in result.records] == ["LIB", "W27", None]
