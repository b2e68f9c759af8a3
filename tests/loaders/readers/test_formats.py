import gzip
import json
from codecs import BOM_UTF8

from loaders import profiles
from loaders.map_formats import BUILDING_FORMATS
from loaders.menu_formats import DINING_FORMATS
from loaders.readers import buildings, detect_profile, dining
from loaders.sources.files import read_head
from tests.factories import feature, foodpro_row, huds_line
from tests.loaders.errors import error_of

ESRI_FEATURE = {"attributes": {"id": 1}, "geometry": {"x": 1, "y": 2}}

EXPORTS = [
    ("campus-buildings", [{"id": 1, "name": None, "geometry": {"point": [42.3, -71.1], "polygons": []}}]),
    ("campus-dining", {"categories": [], "locations": [], "recipes": [], "menus": []}),
    ("geojson", {"type": "FeatureCollection", "features": [feature(1)]}),
    ("esri", {"displayFieldName": "NAME", "features": [ESRI_FEATURE]}),
    ("esri", {"results": [{"layerId": 4, "layerName": "Buildings", "attributes": {"Root": "1"}}]}),
    ("esri", {"geometryType": "esriGeometryPolygon", "features": []}),
    ("esri", {"spatialReference": {"wkid": 3857}, "features": [ESRI_FEATURE]}),
    ("foodpro", [foodpro_row()]),
    ("foodpro", [{"ID": "1", "serve_date": "11/20/2026", "recipe_name": "Soup"}]),
    ("foodpro", [{"ID": "1", "SERVE_DATE": "11/20/2026", "RECIPE_PRINT_AS_NAME": "Soup"}]),
]


def test_json_formats_are_detected_by_their_keys(save):
    for form, value in EXPORTS:
        text = json.dumps(value).encode()

        for content in (text, json.dumps(value, indent=4).encode(), gzip.compress(text), BOM_UTF8 + text):
            assert detect_profile(read_head(save(content))) == form, content


def test_csv_with_a_header_is_foodpro_and_without_one_huds_and_other_tables_are_no_menus():
    headers = ["Serve_Date,Recipe_Name", '"ID","Serve_Date","Recipe_Print_As_Name"', " serve_date , recipe_name"]
    headers += ["ID,SERVE_DATE,RECIPE_NAME\r", "\nRecipe Name,Serve Date"]
    lines = [huds_line(), huds_line(codes="A"), huds_line(meal=" DIN "), huds_line(name="Rice, Brown")]
    lines += [f"a line that is none\n{huds_line()}", huds_line(meal="BRUNCH") + huds_line()]
    others = ["", " \n", "{}", "[]", "{", "7", "id,name\n1,Widener\n", "BRK,BRK,BRK,BRK\n", "<html>"]
    others += ["2026-11-20,Lunch,Soup,,2026-11-21,Lunch,Pie,x\n", huds_line(meal="TEA")]
    others += [huds_line(date="soon"), huds_line(name=""), "date,dish\n", "date,title,x\n"]
    others += ['[{"date": 1, "dish": 2}]', '{"data": [{"name": 1, "category": 2}]}']
    with_header = [f"{header}\n1,2\n" for header in headers]
    for form, texts in {"foodpro": with_header, "huds": lines, None: others}.items():
        for text in texts:
            assert detect_profile(text) == form, text


def test_values_do_not_affect_detection_and_comments_before_the_root_of_xml_take_no_time():
    for form, value in [
        ("geojson", {"type": "FeatureCollection", "features": [feature(1, attributes={}, geometryType="x")]}),
        ("esri", {"displayFieldName": "NAME", "features": [{"attributes": {"KIND": "Feature"}}]}),
        ("foodpro", [foodpro_row(Menu_Category_Name="Feature")]),
    ]:
        assert detect_profile(json.dumps(value)) == form, form
    for root, form in [("<x>", None), ("<osm>", "overpass")]:
        assert detect_profile("<!--a-->" * 5000 + root) == form, root


def test_a_profile_of_the_other_data_set_is_an_error(save):
    for load, form, read, formats in [
        (profiles.load_building_profile, "menu-table", buildings.read, BUILDING_FORMATS),
        (profiles.load_dining_profile, "esri", dining.read, DINING_FORMATS),
    ]:
        path = save(f'format = "{form}"\n', "custom.toml")

        message = f"profile {path}: format '{form}' is not one of {', '.join(formats)}"
        assert str(error_of(read, [(load(str(path)), [])])) == message, load


def test_the_error_of_another_format_names_it(save):
    collection = '{"type": "FeatureCollection", "features": [{"type": "Feature"}]}'
    for text, profile, detected in [
        ('{"geometryType": "esriGeometryPoint", "features": [{"attributes": {}}]}', "geojson", "esri"),
        (collection, "esri", "geojson"),
        ("id,lat,lon\n1,42,-71\n", "geojson", "table"),
        ("Serve_Date,Recipe_Name\n", "table", "foodpro"),
    ]:
        error = error_of(buildings.read, [(profiles.load_building_profile(profile), [save(text)])])
        assert str(error).endswith(f"; it is in the format {detected}, not {profile}"), text
    path = save('{"type": "FeatureCollection", "features": []}')
    error = error_of(dining.read, [(profiles.load_dining_profile("foodpro"), [path])])
    assert str(error).endswith("; it is in the format geojson, not foodpro")
