"""What readers do not read is counted: elements, columns and members by name."""

from dataclasses import replace

import orjson
import pytest

from loaders import profiles
from loaders.profiles.building_settings import parse_filter
from loaders.readers import buildings, dining
from tests.factories import feature, foodpro_row, row

PROFILE = profiles.load_building_profile("geojson")
OVERPASS = """{"elements": [{"type": "node", "id": 1, "lat": 42, "lon": -71, "timestamp": "x",
    "tags": {"name": "A", "building": "yes", "height": "3"}}]}"""


@pytest.fixture
def unread(save):
    """Return what is not read of buildings."""

    def unread(content, profile=PROFILE, name="export.json"):
        text = content if isinstance(content, str) else orjson.dumps(content)
        return dict(buildings.read([(profile, [save(text, name)])]).unread)

    return unread


def collection(*features):
    return {"type": "FeatureCollection", "features": features}


def test_fields_that_no_source_names_are_counted(unread):
    esri = {
        "fieldAliases": {"db.NM": "Name", "db.FLR": "Floors"},
        "spatialReference": {"wkid": 4326},
        "features": [{"attributes": {"ID": 1, "db.NM": "A", "db.FLR": 3}, "geometry": {"x": -71, "y": 42}}],
    }
    campus = {"id": 1, "name": "A", "geometry": {"point": [42, -71], "polygons": []}, "floors": 3}
    features = [feature(1, floors=3, owner=""), feature(2, floors=4, owner="Null")]
    for profile, content, expected in [
        ("geojson", collection(*features), {"floors": 2}),
        ("geojson", collection({**feature(1), "bbox": [0, 0, 1, 1], "floors": 3}), {"floors": 1}),
        ("esri", esri, {"db.FLR": 1}),
        ("overpass", OVERPASS, {"height": 1}),
        ("table", "id,name,Lat,LON,floors\n1,A,42,-71,3\n2,B,42,-72,\n", {"floors": 1}),
        ("campus-buildings", [campus], {"floors": 1}),
    ]:
        assert unread(content, profiles.load_building_profile(profile)) == expected, profile
    filtered = replace(PROFILE, filter=parse_filter({"kind": "building"}))
    assert unread(collection(feature(1, kind="tree", height=9)), filtered) == {}


def test_fields_of_templates_filters_and_assigned_ids_are_read(unread, save):
    fields = 'id = {assign = "{campus}-{code}"}\naddress = ["{number} {street}", "street"]\n'
    path = save(f'format = "geojson"\n[fields]\n{fields}[filter]\nkind = "building"\n', "profile.toml")
    profile = profiles.load_building_profile(str(path))
    record = feature(1, campus="A", code="7", number=1, street="Quad", kind="building", floors=3)

    assert unread(collection(record), profile) == {"id": 1, "floors": 1}


def test_other_positions_of_a_row_are_counted(unread, save):
    for named, expected in [
        ("", {"old_lat": 1, "old_lon": 1, "outline": 1}),
        ('[fields]\nlatitude = "old_lat"\nlongitude = "old_lon"', {"lat": 1, "lon": 1, "outline": 1}),
        ('[fields]\ngeometry = "outline"', {"lat": 1, "lon": 1, "old_lat": 1, "old_lon": 1}),
    ]:
        profile = profiles.load_building_profile(str(save(f'format = "table"\n{named}', "profile.toml")))
        outline = "POLYGON((-71 42, -71.1 42, -71.1 42.1, -71 42))"

        record = {"id": 1, "lat": 42, "lon": -71, "old_lat": 1, "old_lon": 1, "outline": outline}

        assert unread([record], profile) == expected, named


def test_columns_and_members_of_menus_are_counted_without_a_header_by_what_they_are(save):
    foodpro = [{key.upper(): value for key, value in foodpro_row(Price="4.20").items()}]
    foodpro.append(foodpro_row(CALORIES="90", Price=" "))
    huds = '"08/01/2010","031001","Soup","LUN","ANNENBERG","00","1","CUP"'
    entity = {"id": 1, "name": "A"}
    others = {"locations": [{**entity, "capacity": 400}], "facts": [{**entity, "calories": 90, "co2": 7}]}
    menus = [{**row(1, "A", location=1, category=1), "price": 4}]
    dump = {"categories": [entity], "recipes": [entity], **others, "menus": menus, "license": "x"}
    for form, content, expected in [
        ("foodpro", orjson.dumps(foodpro), {"PRICE": 1, "ID": 2}),
        ("huds", f'{huds},"VGT"\n{huds}\n', {"portion": 2, "unit": 2, "column 9": 1}),
        ("campus-dining", orjson.dumps(dump), {"capacity": 1, "co2": 1, "price": 1, "license": 1}),
    ]:
        assert dining.read([(profiles.load_dining_profile(form), [save(content)])]).unread == expected, form


def test_a_field_of_a_custom_profile_that_no_record_has_is_a_warning(save, save_features):
    text = 'id = "id"\nname = "NOPE"\naddress = "{no} {street}"\ncity = ["town", "city"]\n'
    profile = profiles.load_building_profile(str(save(f'format = "geojson"\n[fields]\n{text}', "custom.toml")))
    path = save_features(feature(1, street="Elm Street"), feature(2, name="Gym"))

    assert [*buildings.read([(profile, [path])]).warnings] == [
        "fields.name 'NOPE' has no value in any record",
        "fields.city 'town or city' has no value in any record",
        "buildings have no name: a profile can name them",
    ]
    # The common names of a built-in profile, which one without fields has, may be absent.
    for own in (PROFILE, profiles.load_building_profile(str(save('format = "geojson"\n', "custom.toml")))):
        result = buildings.read([(own, [path])])
        assert ([each.name for each in result.records], result.warnings) == ([None, "Gym"], {}), own.name
