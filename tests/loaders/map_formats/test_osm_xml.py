from loaders import profiles
from loaders.inference import propose
from loaders.readers import buildings
from tests.loaders.errors import error_of

PROFILE = profiles.load_building_profile("overpass")
SQUARE = [(42.0, -71.0), (42.0, -70.0), (43.0, -70.0), (43.0, -71.0)]
OSM_XML = """<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6">
  <node id="1" lat="42.0" lon="-71.0"/>
  <node id="2" lat="42.0" lon="-70.0"/>
  <node id="3" lat="43.0" lon="-70.0"><tag k="entrance" v="yes"/></node>
  <way id="7">
    <nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="1"/>
    <tag k="building" v="university"/><tag k="name" v="Widener Library"/>
    <tag k="addr:housenumber" v="1"/><tag k="addr:street" v="Harvard Yard"/>
  </way>
  <way id="8"><nd ref="1"/><nd ref="2"/><tag k="highway" v="service"/><tag k="maxspeed" v="20 mph"/></way>
  <node id="9" lat="42.5" lon="-70.5"><tag k="building" v="no"/></node>
  <node id="10" lat="42.5" lon="-70.5" visible="false"><tag k="building" v="yes"/></node>
  <relation id="7">
    <member type="way" ref="7" role="outer"/><tag k="type" v="multipolygon"/><tag k="building" v="yes"/>
  </relation>
</osm>
"""


def read(path):
    return buildings.read([path], PROFILE)


def test_the_buildings_of_openstreetmap_xml_are_read_also_as_proposed(save, save_profile):
    path = save(OSM_XML, "map.osm")

    result = read(path)

    buildings_read = [(record.name, record.address, len(record.polygons)) for record in result.records]
    assert buildings_read == [("Widener Library", "1 Harvard Yard", 1), (None, "", 1)]
    assert (result.assigned_ids, result.filtered) == ({"way/7": 1, "relation/7": 2}, 3)
    assert propose.profile(path).startswith("# map.osm: OpenStreetMap XML, 5 features, 2 polygons, ")
    proposed = profiles.load_building_profile(save_profile(path))
    assert buildings.read([path], proposed).assigned_ids == result.assigned_ids


def test_broken_xml_is_an_error(save):
    remark = "<remark>timed out</remark><way id"
    for old, new, reason in [
        ("</osm>", "", "line 18 is not XML: no element found"),
        ("<osm version", "<!DOCTYPE osm><osm version", "line 1 is not JSON: Expecting value"),
        ("<way id", remark, "line 6 is incomplete, as it has a remark of the Overpass API"),
    ]:
        path = save(OSM_XML.replace(old, new, 1))

        assert str(error_of(read, path)) == f"{path}: {reason}", old


def test_a_position_of_xml_that_is_no_number_is_invalid(save):
    for position in ('lat="north" lon="-71"', 'lon="-71"'):
        xml = f'<osm><node id="1" {position}><tag k="building" v="yes"/></node></osm>'

        [error] = read(save(xml)).errors

        assert error.reason == "is not a longitude and a latitude", position


def test_ways_of_xml_may_have_their_own_geometry(save):
    corners = "".join(f'<nd ref="1" lat="{lat}" lon="{lon}"/>' for lat, lon in [*SQUARE, SQUARE[0]])
    xml = f'<osm><way id="1">{corners}<tag k="building" v="yes"/></way>'
    xml += '<way id="2"><center lat="42.5" lon="-71.5"/><tag k="building" v="yes"/></way></osm>'

    first, second = read(save(xml)).records

    assert (first.polygons, second.point) == (((*SQUARE, SQUARE[0]),), (42.5, -71.5))
