import gzip
import json
from pathlib import Path

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.map_formats import BUILDING_FORMATS
from loaders.menu_formats import DINING_FORMATS
from loaders.profiles import ProfileError
from loaders.readers import buildings, dataset_of, detect_format, dining
from loaders.sources.files import read_head
from tests.factories import feature, foodpro_row, huds_line

ESRI_FEATURE = {"attributes": {"id": 1}, "geometry": {"x": 1, "y": 2}}

EXPORTS = {
    "campus-buildings": [{"id": 1, "name": None, "geometry": {"point": [42.3, -71.1], "polygons": []}}],
    "campus-dining": {"categories": [], "locations": [], "recipes": [], "menus": []},
    "geojson": {"type": "FeatureCollection", "features": [feature(1)]},
    "esri": {"displayFieldName": "NAME", "features": [ESRI_FEATURE]},
    "foodpro": [foodpro_row()],
}


@pytest.mark.parametrize(("form", "value"), EXPORTS.items())
@pytest.mark.parametrize("indent", [None, 4])
def test_json_formats_are_detected_by_their_keys(form, value, indent):
    assert detect_format(json.dumps(value, indent=indent)) == form


@pytest.mark.parametrize(
    "value",
    [
        {"results": [{"layerId": 4, "layerName": "Buildings", "attributes": {"Root": "1"}}]},
        {"geometryType": "esriGeometryPolygon", "features": []},
        {"spatialReference": {"wkid": 3857}, "features": [ESRI_FEATURE]},
    ],
    ids=["find", "empty query", "no more than features"],
)
def test_arcgis_responses_are_esri(value):
    assert detect_format(json.dumps(value)) == "esri"


def test_geojson_with_a_property_named_attributes_is_geojson():
    text = json.dumps({"type": "FeatureCollection", "features": [feature(1, attributes={}, geometryType="x")]})

    assert detect_format(text) == "geojson"


@pytest.mark.parametrize("key", ["serve_date", "SERVE_DATE", "Serve_Date"])
def test_foodpro_json_is_detected_by_a_key_in_any_case(key):
    assert detect_format(json.dumps([{"ID": "1", key: "11/20/2026"}])) == "foodpro"


@pytest.mark.parametrize(
    "header", ["Serve_Date,Meal_Number", '"ID","Serve_Date"', " serve_date , x", "ID,SERVE_DATE\r", "\nID,Serve_Date"]
)
def test_csv_with_a_header_is_foodpro(header):
    assert detect_format(f"{header}\n1,2\n") == "foodpro"


@pytest.mark.parametrize(
    "text",
    [
        huds_line(),
        huds_line(codes="A"),
        huds_line(meal="LUN"),
        huds_line(meal=" DIN "),
        huds_line(name="Rice, Brown"),
        "a line that is none\n" + huds_line(),
        huds_line(meal="BRUNCH") + huds_line(),
    ],
)
def test_csv_without_a_header_is_huds(text):
    assert detect_format(text) == "huds"


@pytest.mark.parametrize(
    "text",
    ["", " \n", "{}", "[]", "{", "7", "id,name\n1,Widener\n", huds_line(meal="TEA"), "BRK,BRK,BRK,BRK\n", "<html>"],
)
def test_other_text_has_no_format(text):
    assert detect_format(text) is None


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("esri", {"displayFieldName": "NAME", "features": [{"attributes": {"KIND": "Feature"}}]}),
        ("foodpro", [foodpro_row(Menu_Category_Name="Feature")]),
    ],
)
def test_values_do_not_affect_detection(form, value):
    assert detect_format(json.dumps(value)) == form


@pytest.mark.parametrize(("form", "value"), EXPORTS.items())
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda text: b"\xef\xbb\xbf" + text], ids=["", "gzip", "bom"])
def test_a_file_is_detected_by_its_head(save, form, value, pack):
    path = save(pack(json.dumps(value).encode()))

    assert detect_format(read_head(path)) == form


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(UnreadableFileError, match="nowhere"):
        read_head(tmp_path / "nowhere.json")


def test_the_samples_are_detected():
    folder = Path(__file__).parents[3] / "loaders" / "samples"

    assert [detect_format(read_head(path)) for path in sorted(folder.glob("*.[cg]*"))] == ["geojson", "foodpro"]


@pytest.mark.parametrize(("formats", "dataset"), [(BUILDING_FORMATS, "buildings"), (DINING_FORMATS, "dining")])
def test_every_format_has_a_default_profile(formats, dataset):
    assert {dataset_of(name) for name in formats} == {dataset}


def test_buildings_are_not_read_in_a_format_of_menus(save):
    path = save('format = "foodpro"\n', "custom.toml")
    profile = profiles.load_building_profile(str(path))

    with pytest.raises(ProfileError) as error:
        buildings.read([], profile)

    assert str(error.value) == f"profile {path}: format 'foodpro' is not one of {', '.join(BUILDING_FORMATS)}"


def test_menus_are_not_read_in_a_format_of_buildings(save):
    path = save('format = "esri"\n', "custom.toml")
    profile = profiles.load_dining_profile(str(path))

    with pytest.raises(ProfileError) as error:
        dining.read([], profile)

    assert str(error.value) == f"profile {path}: format 'esri' is not one of {', '.join(DINING_FORMATS)}"


@pytest.mark.parametrize(
    ("text", "profile", "detected"),
    [
        ('{"geometryType": "esriGeometryPoint", "features": [{"attributes": {}}]}', "geojson", "esri"),
        ('{"type": "FeatureCollection", "features": [{"type": "Feature"}]}', "esri", "geojson"),
        ("id,lat,lon\n1,42,-71\n", "geojson", "table"),
        ("Serve_Date,Meal_Number\n", "table", "foodpro"),
    ],
)
def test_the_error_of_another_format_names_it(save, text, profile, detected):
    with pytest.raises(UnreadableFileError, match=f"; it is in the format {detected}, not {profile}$"):
        buildings.read([save(text)], profiles.load_building_profile(profile))


def test_the_error_of_a_map_that_is_loaded_as_menus_names_its_format(save):
    path = save('{"type": "FeatureCollection", "features": []}')

    with pytest.raises(UnreadableFileError, match="; it is in the format geojson, not foodpro$"):
        dining.read([path], profiles.load_dining_profile("foodpro"))


def test_many_comments_before_the_root_of_xml_take_no_time():
    assert detect_format("<!--a-->" * 5000 + "<x>") is None
    assert detect_format("<!--a-->" * 5000 + "<osm>") == "overpass"
