import json

import pytest
import shapely

from loaders import profiles
from loaders.inference import propose
from loaders.readers import buildings
from tests.loaders.errors import error_of

PROFILE = profiles.load_building_profile("overpass")
TAGS = {"building": "university", "name": "Widener Library", "addr:housenumber": "1", "addr:street": "Harvard Yard"}
SQUARE = [(42.0, -71.0), (42.0, -70.0), (43.0, -70.0), (43.0, -71.0)]
COURT = [(42.4, -70.6), (42.4, -70.4), (42.6, -70.4), (42.6, -70.6)]
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
    return buildings.read([(PROFILE, [path])])


def node(id_, position, **members):
    return {"type": "node", "id": id_, "lat": position[0], "lon": position[1], **members}


def way(id_, node_ids, **members):
    return {"type": "way", "id": id_, "nodes": node_ids, **members}


def relation(*members):
    return {"type": "relation", "id": 7, "members": list(members), "tags": {**TAGS, "type": "multipolygon"}}


def geometry(corners):
    return [{"lat": latitude, "lon": longitude} for latitude, longitude in corners]


@pytest.fixture
def save_elements(save):
    """Write a response of the Overpass API and return its path."""

    def save_elements(*elements, **members):
        return save(json.dumps({"version": 0.6, "generator": "Overpass API", "elements": elements, **members}))

    return save_elements


def test_a_way_has_the_positions_of_its_nodes_or_its_own_geometry(save_elements):
    corners, building = [*map(node, range(1, 5), SQUARE)], way(7, [1, 2, 3, 4, 1], tags=TAGS)
    own = {"type": "way", "id": 7, "geometry": geometry([*SQUARE, SQUARE[0]]), "tags": TAGS}
    for elements in ([*corners, building], [building, *corners], [own]):
        [record] = read(save_elements(*elements)).records

        assert (record.id, record.name, record.address) == (1, "Widener Library", "1 Harvard Yard"), elements
        assert record.polygons == ((*SQUARE, SQUARE[0]),), elements


def test_other_names_and_the_kind_of_a_building_are_read(save_elements):
    tags = {**TAGS, "alt_name": "Harry Elkins Widener", "short_name": "WID", "amenity": "library", "roof:shape": "flat"}

    [record] = read(save_elements(node(7, (42.5, -71.5), tags=tags))).records

    assert (record.aliases, record.tags) == ("Harry Elkins Widener;WID", "university;library")


def test_a_center_and_a_node_with_tags_are_points(save_elements):
    center = way(7, [1, 2], center={"lat": 42.5, "lon": -71.5}, tags=TAGS)

    for elements in ([center], [node(7, (42.5, -71.5), tags=TAGS), node(8, (42, -71))]):
        [record] = read(save_elements(*elements)).records
        assert (record.id, record.point, record.polygons) == (1, (42.5, -71.5), ()), elements


def test_ways_of_a_relation_form_one_or_several_rings(save_elements):
    lines = {101: [*SQUARE[:3]], 102: [SQUARE[0], SQUARE[3], SQUARE[2]], 103: [*COURT, COURT[0]]}
    members = [{"type": "way", "ref": id_, "role": "inner" if id_ == 103 else "outer"} for id_ in lines]
    with_geometry = [{**member, "geometry": geometry(lines[member["ref"]])} for member in members]
    numbers = {corner: index for index, corner in enumerate([*SQUARE, *COURT], start=1)}
    ways = [way(id_, [numbers[corner] for corner in line]) for id_, line in lines.items()]
    others = [*ways, *(node(number, corner) for corner, number in numbers.items())]

    for elements in ([relation(*with_geometry)], [relation(*members), *others]):
        [record] = read(save_elements(*elements)).records
        [ring] = record.polygons
        assert shapely.Polygon(ring).equals(shapely.Polygon(SQUARE)), elements
        assert not shapely.Polygon(COURT).contains(shapely.Point(record.point)), elements

    roles = {"outline": [*SQUARE, SQUARE[0]], "outer": [(0, 0), (0, 1), (1, 1), (0, 0)], "part": [(5, 5), (5, 6)]}
    members = [{"type": "way", "ref": 1, "role": role, "geometry": geometry(line)} for role, line in roles.items()]
    label = {"type": "node", "ref": 4, "role": "label", "lat": 42.1, "lon": -70.5}
    [record] = read(save_elements(relation(*members, label))).records
    assert len(record.polygons) == 2


def test_an_invalid_element_is_rejected(save_elements):
    for element, message in [
        (way(7, [1, 2, 3, 4, 1]), "geometry 'node/1' is not in the export: request it with `out geom`"),
        ({"type": "way", "id": 7, "geometry": geometry(SQUARE)}, "geometry is a line, not a closed way"),
        ({"type": "way", "id": 7, "geometry": [None, *geometry(SQUARE)]}, "geometry is not a node with lat and lon"),
        (way(7, []), "geometry [] is not a list of nodes"),
        (way(7, [[1]]), "geometry 'node/[1]' is not in the export: request it with `out geom`"),
        ({"type": "way", "id": 7, "geometry": 1}, "geometry 1 is not a list of positions"),
        ({"type": "node", "id": 7, "lat": "42", "lon": -71}, "geometry [-71, '42'] is not a longitude and a latitude"),
        ({"type": "relation", "id": 7}, "geometry is not a list of members"),
        (relation(7, {"type": "node"}), "geometry has no outer way"),
        (relation({"type": "way", "geometry": geometry(SQUARE)}), "geometry has ways that do not form closed rings"),
        ({"type": "area", "id": 7}, "type 'area' is not one of node, way, relation"),
    ]:
        [error] = read(save_elements({**element, "tags": TAGS})).errors

        assert error.message == message, element
    for element in (7, {"type": "node", "tags": ["building"]}):
        [error] = read(save_elements(element)).errors
        assert (error.field, error.reason) == ("element", "is not a JSON object with tags"), element


def test_an_incomplete_response_or_another_document_is_an_error(save, save_elements):
    incomplete, other = save_elements(remark="runtime error: Query timed out"), save('{"features": []}', "other")

    remark = "is incomplete, as it has the remark 'runtime error: Query timed out'"
    assert str(error_of(read, incomplete)) == f"{incomplete}: {remark}"
    assert "is not Overpass JSON with a list of elements" in str(error_of(read, other))


def test_the_buildings_of_openstreetmap_xml_are_read_also_as_proposed(save, save_profile):
    path = save(OSM_XML, "map.osm")

    result = read(path)

    buildings_read = [(record.name, record.address, len(record.polygons)) for record in result.records]
    assert buildings_read == [("Widener Library", "1 Harvard Yard", 1), (None, "", 1)]
    assert (result.assigned_ids, result.filtered) == ({"way/7": 1, "relation/7": 2}, 3)
    assert propose.profile(path).startswith("# map.osm: OpenStreetMap XML, 5 features, 2 polygons, ")
    proposed = profiles.load_building_profile(save_profile(path))
    assert buildings.read([(proposed, [path])]).assigned_ids == result.assigned_ids


def test_broken_xml_is_an_error(save):
    remark = "<remark>timed out</remark><way id"
    for old, new, reason in [
        ("</osm>", "", "line 18 is not XML: no element found"),
        ("<osm version", "<!DOCTYPE osm><osm version", "line 1 is not JSON: Expecting value"),
        ("<way id", remark, "is incomplete, as it has a remark of the Overpass API"),
    ]:
        path = save(OSM_XML.replace(old, new, 1))

        assert str(error_of(read, path)) == f"{path}: {reason}", old


def test_ways_and_members_of_xml_may_have_their_own_geometry(save):
    corners = "".join(f'<nd ref="1" lat="{lat}" lon="{lon}"/>' for lat, lon in [*SQUARE, SQUARE[0]])
    tag = '<tag k="building" v="yes"/>'
    xml = f'<osm><way id="1">{corners}{tag}</way><way id="2"><center lat="42.5" lon="-71.5"/>{tag}</way>'
    xml += f'<relation id="3"><member type="way" ref="4" role="outer">{corners}</member>{tag}</relation></osm>'

    first, second, third = read(save(xml)).records

    assert (first.polygons, second.point) == (((*SQUARE, SQUARE[0]),), (42.5, -71.5))
    assert [set(ring) for ring in third.polygons] == [{*SQUARE}]
