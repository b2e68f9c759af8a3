import json
import tomllib

import pytest
import shapely

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.inference import propose
from loaders.readers import buildings
from loaders.result import SourceLocation

PROFILE = profiles.load_building_profile("overpass")
TAGS = {"building": "university", "name": "Widener Library", "addr:housenumber": "1", "addr:street": "Harvard Yard"}
SQUARE = [(42.0, -71.0), (42.0, -70.0), (43.0, -70.0), (43.0, -71.0)]
COURT = [(42.4, -70.6), (42.4, -70.4), (42.6, -70.4), (42.6, -70.6)]


def read(path):
    return buildings.read([path], PROFILE)


def node(id_, position, **members):
    return {"type": "node", "id": id_, "lat": position[0], "lon": position[1], **members}


def nodes(corners, first):
    return [node(first + index, corner) for index, corner in enumerate(corners)]


def way(id_, node_ids, **members):
    return {"type": "way", "id": id_, "nodes": node_ids, **members}


def geometry(corners):
    return [{"lat": latitude, "lon": longitude} for latitude, longitude in corners]


@pytest.fixture
def save_elements(save):
    """Write a response of the Overpass API and return its path."""

    def save_elements(*elements, **members):
        return save(json.dumps({"version": 0.6, "generator": "Overpass API", "elements": elements, **members}))

    return save_elements


@pytest.mark.parametrize("nodes_first", [True, False])
def test_a_way_has_the_positions_of_its_nodes(save_elements, nodes_first):
    corners, building = nodes(SQUARE, 1), way(7, [1, 2, 3, 4, 1], tags=TAGS)

    [record] = read(save_elements(*([*corners, building] if nodes_first else [building, *corners]))).records

    assert (record.id, record.name, record.address) == (1, "Widener Library", "1 Harvard Yard")
    assert record.polygons == ((*SQUARE, SQUARE[0]),)


def test_a_way_may_have_its_own_geometry(save_elements):
    element = {"type": "way", "id": 7, "geometry": geometry([*SQUARE, SQUARE[0]]), "tags": TAGS}

    [record] = read(save_elements(element)).records

    assert record.polygons == ((*SQUARE, SQUARE[0]),)


def test_a_center_is_a_point(save_elements):
    [record] = read(save_elements(way(7, [1, 2], center={"lat": 42.5, "lon": -71.5}, tags=TAGS))).records

    assert (record.point, record.polygons) == ((42.5, -71.5), ())


def test_a_node_with_tags_is_a_point(save_elements):
    [record] = read(save_elements(node(7, (42.5, -71.5), tags=TAGS), node(8, (42, -71)))).records

    assert (record.id, record.point) == (1, (42.5, -71.5))


@pytest.fixture(params=["geometry", "references"])
def relation(request):
    """The elements of a relation with an outer ring of two ways and an inner ring, in one of two ways."""
    lines = {101: [*SQUARE[:3]], 102: [SQUARE[0], SQUARE[3], SQUARE[2]], 103: [*COURT, COURT[0]]}
    members = [{"type": "way", "ref": id_, "role": "inner" if id_ == 103 else "outer"} for id_ in lines]
    element = {"type": "relation", "id": 7, "members": members, "tags": {**TAGS, "type": "multipolygon"}}
    if request.param == "geometry":
        for member in members:
            member["geometry"] = geometry(lines[member["ref"]])
        return [element]
    numbers = {corner: index for index, corner in enumerate([*SQUARE, *COURT], start=1)}
    ways = [way(id_, [numbers[corner] for corner in line]) for id_, line in lines.items()]
    return [element, *ways, *(node(number, corner) for corner, number in numbers.items())]


def test_ways_of_a_relation_form_rings(save_elements, relation):
    [record] = read(save_elements(*relation)).records

    [ring] = record.polygons
    assert shapely.Polygon(ring).equals(shapely.Polygon(SQUARE))
    assert not shapely.Polygon(COURT).contains(shapely.Point(record.point))


def test_a_relation_may_have_several_outer_rings(save_elements):
    members = [
        {"type": "way", "ref": 1, "role": "outline", "geometry": geometry([*SQUARE, SQUARE[0]])},
        {"type": "way", "ref": 2, "role": "outer", "geometry": geometry([(0, 0), (0, 1), (1, 1), (0, 0)])},
        {"type": "way", "ref": 3, "role": "part", "geometry": geometry([(5, 5), (5, 6)])},
        {"type": "node", "ref": 4, "role": "label", "lat": 42.1, "lon": -70.5},
    ]

    [record] = read(save_elements({"type": "relation", "id": 7, "members": members, "tags": TAGS})).records

    assert len(record.polygons) == 2


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (way(7, [1, 2, 3, 4, 1]), "geometry 'node/1' is not in the export: request it with `out geom`"),
        ({"type": "way", "id": 7, "geometry": geometry(SQUARE)}, "geometry is a line, not a closed way"),
        ({"type": "way", "id": 7, "geometry": [None, *geometry(SQUARE)]}, "geometry is not a node with lat and lon"),
        (way(7, []), "geometry [] is not a list of nodes"),
        (way(7, [[1]]), "geometry 'node/[1]' is not in the export: request it with `out geom`"),
        ({"type": "way", "id": 7, "geometry": 1}, "geometry 1 is not a list of positions"),
        ({"type": "node", "id": 7, "lat": "42", "lon": -71}, "geometry [-71, '42'] is not a longitude and a latitude"),
        ({"type": "relation", "id": 7}, "geometry is not a list of members"),
        ({"type": "relation", "id": 7, "members": [7, {"type": "node"}]}, "geometry has no outer way"),
        (
            {"type": "relation", "id": 7, "members": [{"type": "way", "ref": 1, "geometry": geometry(SQUARE)}]},
            "geometry has ways that do not form closed rings",
        ),
        ({"type": "area", "id": 7}, "type 'area' is not one of node, way, relation"),
    ],
)
def test_an_invalid_element_is_rejected(save_elements, element, message):
    [error] = read(save_elements({**element, "tags": TAGS})).errors

    assert error.message == message


@pytest.mark.parametrize("element", [7, {"type": "node", "tags": ["building"]}])
def test_an_element_must_be_an_object_with_tags(save_elements, element):
    [error] = read(save_elements(element)).errors

    assert (error.field, error.reason) == ("element", "is not a JSON object with tags")


def test_an_error_has_its_line(save):
    elements = [node(1, (42, -71)), way(7, [1], tags=TAGS)]
    path = save('{"elements": [\n' + ",\n".join(map(json.dumps, elements)) + "]}")

    [error] = read(path).errors

    assert error.location == SourceLocation(3, 2)


def test_an_incomplete_response_is_an_error(save_elements):
    path = save_elements(remark="runtime error: Query timed out")

    with pytest.raises(UnreadableFileError) as error:
        read(path)

    assert str(error.value) == f"{path}: is incomplete, as it has the remark 'runtime error: Query timed out'"


def test_another_document_is_an_error(save):
    with pytest.raises(UnreadableFileError, match="is not Overpass JSON with a list of elements"):
        read(save('{"features": []}'))


def test_a_response_is_published_by_the_command(campus_load, save_elements):
    result = campus_load("buildings", save_elements(*nodes(SQUARE, 1), way(7, [1, 2, 3, 4, 1], tags=TAGS)))

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "buildings: published as revision 1")


def test_a_profile_is_proposed(save_elements):
    text = propose.profile(save_elements(*nodes(SQUARE, 1), way(7, [1, 2, 3, 4, 1], tags=TAGS)))

    title = "# export.txt: Overpass JSON, 1 feature, 1 polygon, 0 points, no spatial reference named (degrees)"
    assert text.splitlines()[0] == title
    assert 'format = "overpass"' in text


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


def test_the_buildings_of_openstreetmap_xml_are_read(save):
    result = read(save(OSM_XML, "map.osm"))

    assert [(record.name, record.address, len(record.polygons)) for record in result.records] == [
        ("Widener Library", "1 Harvard Yard", 1),
        (None, "", 1),
    ]
    assert (result.assigned_ids, result.filtered) == ({"way/7": 1, "relation/7": 2}, 3)


def test_the_proposed_profile_of_openstreetmap_xml_reads_its_buildings(save, save_profile):
    path = save(OSM_XML, "map.osm")

    text = propose.profile(path)

    proposed = tomllib.loads(text)
    assert text.startswith("# map.osm: OpenStreetMap XML, 5 features, 2 polygons, ")
    assert (proposed["fields"]["id"], proposed["filter"]) == (
        {"assign": "@id"},
        {"building": {"pattern": "^(?!no$)."}},
    )
    assert len(buildings.read([path], profiles.load_building_profile(save_profile(path))).records) == 2


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("</osm>", "", "line 18 is not XML: no element found"),
        ("<osm version", "<!DOCTYPE osm><osm version", "line 1 is not JSON: Expecting value"),
        (
            "<way id",
            "<remark>timed out</remark><way id",
            "line 6 is incomplete, as it has a remark of the Overpass API",
        ),
    ],
)
def test_broken_xml_is_an_error(save, old, new, reason):
    path = save(OSM_XML.replace(old, new, 1))

    with pytest.raises(UnreadableFileError) as error:
        read(path)

    assert str(error.value) == f"{path}: {reason}"


@pytest.mark.parametrize("position", ['lat="north" lon="-71"', 'lon="-71"'])
def test_a_position_of_xml_that_is_no_number_is_invalid(save, position):
    xml = f'<osm><node id="1" {position}><tag k="building" v="yes"/></node></osm>'

    [error] = read(save(xml)).errors

    assert error.reason == "is not a longitude and a latitude"


def test_ways_of_xml_may_have_their_own_geometry(save):
    corners = "".join(f'<nd ref="1" lat="{lat}" lon="{lon}"/>' for lat, lon in [*SQUARE, SQUARE[0]])
    xml = f'<osm><way id="1">{corners}<tag k="building" v="yes"/></way>'
    xml += '<way id="2"><center lat="42.5" lon="-71.5"/><tag k="building" v="yes"/></way></osm>'

    first, second = read(save(xml)).records

    assert (first.polygons, second.point) == (((*SQUARE, SQUARE[0]),), (42.5, -71.5))
