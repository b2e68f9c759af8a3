import json
import tomllib

import pytest

from loaders import profiles
from loaders.inference import propose
from loaders.readers import buildings
from tests.factories import feature

METRES = {"type": "Point", "coordinates": [-7916000.5, 5200000.1]}
SQUARE = [[759750, 2959897], [759725, 2959825], [759682, 2959840], [759707, 2959912], [759750, 2959897]]


@pytest.fixture
def save_esri(save):
    """Write Esri JSON with these attributes, each on the same square, and return its path."""

    def save_esri(*attributes, geometry=None, **head):
        geometry = geometry or {"rings": [SQUARE]}
        features = [{"attributes": given, "geometry": geometry} for given in attributes]
        return save(json.dumps({"geometryType": "esriGeometryPolygon", **head, "features": features}), "esri.json")

    return save_esri


def fields(text):
    return tomllib.loads(text)["fields"]


def test_a_map_is_described_with_what_speaks_for_each_field(save_features):
    path = save_features(
        feature(70, NAME="Widener", ADDRESS="7 Elm Street", note=None),
        feature(12, NAME="Houghton", ADDRESS="9 Elm Street", geometry={"type": "Point", "coordinates": [-71.1, 42.4]}),
    )

    assert propose.profile(path).splitlines() == [
        "# buildings.geojson: GeoJSON, 2 features, 1 polygon, 1 point, no spatial reference named (degrees)",
        "# field    filled  distinct  type                      examples",
        "# id            2         2  integers, all different   70, 12",
        "# NAME          2         2  text, all different       Widener, Houghton",
        "# ADDRESS       2         2  addresses, all different  7 Elm Street, 9 Elm Street",
        "# note          0         0  empty",
        'format = "geojson"',
        "",
        "[fields]",
        'id = "id" # 2 of 2, all different',
        'name = "NAME" # 2 of 2, all different',
        'address = "ADDRESS" # 2 of 2, all different',
        "# No field for: city, image.",
        "",
        "[defaults]",
        '# city = "Cambridge"  # of buildings without one',
        "",
        "[limits]",
        "# The bounding box of the buildings, expanded by half a degree.",
        "area = [41.87, -71.62, 42.9, -70.6]",
    ]


def test_a_proposal_reads_what_it_was_made_of_whatever_the_fields_are_called(save_profile, save_features):
    odd = 'the "name" \x7f\n\\ 😀 name'
    path = save_features(feature(1, **{odd: "Widener"}), feature(2, **{odd: "Houghton"}))

    reading = buildings.read([path], profiles.load_building_profile(save_profile(path)))

    assert [building.name for building in reading.records] == ["Widener", "Houghton"]


def test_what_cannot_be_written_is_left_out(save_features):
    path = save_features(feature(1, **{"name\ud800": "Widener", "a\nb": "c\nd"}))

    assert fields(propose.profile(path)) == {"id": "id"}


def test_features_that_cannot_be_used_are_counted(save_features):
    path = save_features(feature(1), 7, feature(3, geometry={"type": "Point", "coordinates": []}), 8)

    assert propose.profile(path).splitlines()[1:4] == [
        "# 3 features cannot be used:",
        "#     line 1 (record 2): feature is not a JSON object (2 times)",
        "#     line 1 (record 3): geometry is not a list of coordinates",
    ]


def test_at_most_forty_fields_are_shown(save_features):
    path = save_features(feature(1, **{f"F{number}": "x" * 60 for number in range(45)}))

    lines = propose.profile(path).splitlines()

    assert len([line for line in lines if line.startswith("# F")]) == 39
    assert "# and 6 fields that fewer features have" in lines


def test_a_field_with_a_long_name_is_shown_cut_off_and_proposed_whole(save_features):
    long = "the official " * 5 + "name"

    text = propose.profile(save_features(feature(1, **{long: "Widener"})))

    assert (fields(text)["name"], f"# {long[:32]}…" in text) == (long, True)


def test_a_map_without_any_sign_has_a_profile_all_the_same(save_features):
    text = propose.profile(save_features({"type": "Feature", "geometry": None, "properties": {"x": True}}))

    assert (fields(text), "# No field for: id, name, address, city, image." in text) == ({}, True)


def test_positions_in_metres_need_a_spatial_reference(save, save_features):
    path = save_features(feature(1, geometry=METRES))
    text = propose.profile(path)
    own = save(text.replace("# wkid = 3857", "wkid = 3857"), "own.toml")

    reading = buildings.read([path], profiles.load_building_profile(str(own)))

    assert "no spatial reference named\n" in text
    assert [round(degrees) for building in reading.records for degrees in building.point] == [42, -71]


def test_the_spatial_reference_of_geojson_is_told(save):
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}
    export = {"type": "FeatureCollection", "crs": crs, "features": [feature(1, geometry=METRES)]}

    text = propose.profile(save(json.dumps(export)))

    assert ("spatial reference urn:ogc:def:crs:EPSG::3857" in text, "wkid = " in text) == (True, False)


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ({"wkid": 2249}, "wkid 2249 (NAD83 / Massachusetts Mainland (ftUS))"),
        ({"latestWkid": 3857}, "wkid 3857 (WGS 84 / Pseudo-Mercator)"),
        ({"wkid": 1}, "wkid 1, which is not a known coordinate reference system"),
        ({"wkt": "PROJCS"}, "without a number"),
        ([7], "[7]"),
    ],
)
def test_the_spatial_reference_of_esri_geometries_is_told(save_esri, reference, said):
    text = propose.profile(save_esri({"Root": "1"}, geometry={"rings": [SQUARE], "spatialReference": reference}))

    assert f"spatial reference {said}" in " ".join(text.replace("#", "").split())


def test_the_spatial_reference_of_an_esri_export_is_told(save_esri):
    text = propose.profile(save_esri({"Root": "1"}, spatialReference={"wkid": 2249}))

    assert "spatial reference wkid 2249" in text


def test_esri_json_without_a_spatial_reference_needs_one(save_esri):
    text = propose.profile(save_esri({"Root": "1"}))

    assert ("no spatial reference named\n" in text, "\n# wkid = 3857" in text) == (True, True)


def test_aliases_and_names_of_tables_are_seen_through(save_esri):
    path = save_esri(
        {"F1": "04425", "Building_HU.City": "Cambridge", "F3": "Null"},
        fieldAliases={"F1": "Building Number"},
        spatialReference={"wkid": 2249},
    )

    text = propose.profile(path)

    assert fields(text) == {"id": "F1", "city": "Building_HU.City"}
    assert "# F1 (Building Number)" in text
    assert "# F3                         0         0  empty" in text


def test_photos_without_an_address_of_the_web_need_a_base(save_features):
    assert "# image_base = " in propose.profile(save_features(feature(1, PHOTO="a b.jpg", city="Cambridge")))


def test_buildings_far_from_each_other_propose_no_area(save_features):
    path = save_features(feature(1), feature(2, geometry={"type": "Point", "coordinates": [0, 0]}))

    text = propose.profile(path)

    assert ("limits" in tomllib.loads(text), "is one of them misplaced?" in text) == (False, True)
