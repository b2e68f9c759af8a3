import json
import tomllib
from dataclasses import replace
from itertools import product

import pytest

from loaders import profiles
from loaders.errors import ROWS
from loaders.inference import propose
from loaders.profiles.building_settings import PositionFields
from loaders.readers import buildings, detect_profile
from loaders.result import SourceLocation
from loaders.sources.files import read_head
from tests.factories import RING
from tests.loaders.errors import error_of

PROFILE = profiles.load_building_profile("table")
PAIR = ("latitude", "longitude")
POLYGON = "POLYGON ((-71.1171 42.3741, -71.1169 42.3741, -71.1169 42.3743, -71.1171 42.3741))"


def read(path, profile=PROFILE, **changes):
    return buildings.read([(replace(profile, **changes), [path])])


def points(path, **changes):
    return {record.id: record.point for record in read(path, **changes).records}


def read_as_proposed(path, save_profile):
    return read(path, profiles.load_building_profile(save_profile(path)))


def test_csv_has_columns_of_a_latitude_and_a_longitude(save):
    for header, delimiter in [
        ("id,name,lat,lon", ","),
        ("id;name;Latitude;Longitude", ";"),
        ("id\tname\tLAT\tLNG", "\t"),
        ("id|name|y|x", "|"),
        (" id , name , lat , long ", ","),
        *((f"{line}\nid;name;lat;lon", ";") for line in ("sep=;", '"SEP=;"', "\ufeffsep=;\r")),
    ]:
        path = save(f"{header}\n7,Widener,42.37,-71.11\n8,Nowhere,0.0,0\n".replace(",", delimiter), "list.csv")

        result = read(path)

        [record] = result.records
        assert (record.id, record.name, record.point, record.polygons) == (7, "Widener", (42.37, -71.11), ()), header
        assert (detect_profile(read_head(path)), len(result.errors)) == ("table", 1), header


def test_the_delimiter_is_that_with_which_the_header_has_most_columns(save):
    for end, header in product(
        ("\n", "\r\n", "\r"),
        ('"Building\nID, unique";name;lat;lon', '"ID, old, new, former, first";name;lat;lon', "ID;name;lat;lon"),
    ):
        text = f"{header}\n7;Halls A, B, C, D, E;42,37;-71,11\n".replace("\n", end)
        path = save(text)
        name = header.partition(";")[0].strip('"').replace("\n", end)

        [record] = read(path, id=replace(PROFILE.id, expressions=(name,))).records

        assert (detect_profile(read_head(path)), record.name) == ("table", "Halls A, B, C, D, E"), text
        assert (record.id, record.point) == (7, (42.37, -71.11)), text


def test_json_objects_have_a_position(save):
    for members in (
        {"lat": 42.37, "lon": -71.11},
        {"latitude": "42.37", "longitude": "-71.11"},
        {"the_geom": {"type": "Point", "coordinates": [-71.11, 42.37]}},
        {"wkt": "POINT (-71.11 42.37)", "x": None, "y": None},
        {"latLng": {"lat": 42.37, "lng": -71.11}},
        # A geometry and degrees take precedence.
        {"lat": 0, "lon": 0, "geometry": "POINT (-71.11 42.37)"},
        {"lat": "#N/A", "lon": "#VALUE!", "x": -71.11, "y": 42.37},
    ):
        rows = [{"id": id_, "name": "Widener", **members} for id_ in (7, 8)]
        containers = [rows, {"status": "ok", "data": rows}, {"result": {"rows": rows}}]

        for text in (*map(json.dumps, containers), "\n".join(map(json.dumps, rows))):
            assert points(save(text)) == {7: (42.37, -71.11), 8: (42.37, -71.11)}, text


def test_a_geometry_in_any_record_is_its_position(save):
    position = {"lat": 42.37, "lon": -71.11}
    empty = {"id": 1, "lat": None, "lon": None, "shape": None, "outline": None}
    rows = [empty | position, empty | {"id": 2, "shape": POLYGON}, empty | {"id": 3, "outline": POLYGON}]
    text = "\n".join(";".join(str(each or "") for each in line) for line in (empty, *(row.values() for row in rows)))

    for content in (json.dumps(rows), text):
        result = read(save(content))

        polygons = {record.id: record.polygons for record in result.records}
        assert (polygons, result.errors, result.unread) == ({1: (), 2: (RING,), 3: (RING,)}, [], {}), content


def test_positions_are_in_the_crs_of_the_profile_but_latitudes_and_longitudes_in_degrees(save):
    in_feet, in_degrees = (42.369393, -71.116812), (42.3694, -71.1168)
    for text, wkid, point in [
        ("id,x,y\n7,759716.617,2959868.783\n", 2249, in_feet),
        ("id,lat,lon\n7,2959868.783,759716.617\n", 2249, in_feet),
        ("id,X,Y,Latitude,Longitude\n7,759716.617,2959868.783,,\n", 2249, in_feet),
        ("id;x;y\n7;759716,617;2959868,783\n", 2249, in_feet),
        ("id,X,Y,Latitude,Longitude\n7,,,42.3694,-71.1168\n", 2249, in_degrees),
        ("id,X,Y,Latitude,Longitude\n7,759716.617,2959868.783,42.3694,-71.1168\n", 2249, in_degrees),
        # Of PostGIS, and of another datum.
        ("id,shape\n7,SRID=2249;POINT(759716.617 2959868.783)\n", None, in_feet),
        ("id,geom\n7,0101000020E61000000F0BB5A679C751C03A92CB7F482F4540\n", None, in_degrees),
        ("id,lat,lon\n7,50.0,15.0\n", 4156, (49.999247, 14.998832)),
    ]:
        assert points(save(text), wkid=wkid) == {7: pytest.approx(point, abs=0.000001)}, text
    position = PositionFields(latitude="Latitude", longitude="Länge")
    path = save("id,X,Y,Latitude,Länge\n7,759716.617,2959868.783,42.3694,-71.1168\n")
    assert points(path, position=position, wkid=2249) == {7: in_degrees}


def test_an_invalid_row_is_rejected_with_its_line(save):
    degrees = "is not a longitude within 180 and a latitude within 90 degrees"
    thousands = "may have commas between thousands: write the number without them"
    for wkid, row, message in [
        (None, "x;42;-71", "id 'x' is not an integer of zero or more"),
        (None, "7;;", "geometry is missing"),
        (None, "7;42;", "lon is not a number"),
        *((None, f"7;{text};-71", f"lat '{text}' is not a number") for text in ("north", "inf", "4_2")),
        (None, "7;1e999;-71", f"geometry [-71.0, inf] {degrees}"),
        (None, "7;142;-71", "geometry [-71.0, 142.0] has longitude and latitude swapped"),
        (None, "7;42", "row '7,42' has 2 columns instead of 3"),
        *((26986, f"7;{text};9", f"lat '{text}' {thousands}") for text in ("236,412", "2,959,868", "2,959,868.5")),
    ]:
        [error] = read(save(f"id;lat;lon\n1;42;-71\n{row}\n"), wkid=wkid).errors

        assert f"{error.location}: {error.message}".startswith(f"line 3: {message}"), row


def test_an_invalid_object_is_rejected(save):
    collections = [f"{'GeometryCollection(' * depth}POINT(0 0){')' * depth}" for depth in (1_000, 100_000)]
    curve = "CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0, 1 -1, 0 0))"
    for record, reason in [
        (7, "row 7 is not a JSON object"),
        ({"lat": True, "lon": 1}, "lat True is not a number"),
        ({"lat": 10**400, "lon": 1}, "is not a number"),
        ({"geometry": 7}, "geometry 7 is not a GeoJSON geometry"),
        *(({"geometry": text}, "has over 100 geometry collections") for text in (*collections, "0107000000" * 101)),
        *(({"geometry": text}, "cannot be read: ") for text in (curve, "POINT (", '{"type": 1,')),
    ]:
        [error] = read(save(json.dumps([record if record == 7 else {"id": 7, **record}]))).errors

        assert (error.location, reason in error.message) == (SourceLocation(1, 1), True), record


def test_another_file_is_an_error(save):
    no_columns = "line 1 has no columns named lat and lon, or wkt: name them in [fields] of the profile"
    for text, reason in [
        ("id,name\n1,Widener\n", no_columns),
        ("", no_columns),
        ("id,lat,lon,id\n", "line 1 has a duplicate column id"),
        ('{"buildings": []}', f"is not a JSON array of objects; {ROWS} can make one"),
        ('{"7": {"lat": 1, "lon": 2}}', f"is not a JSON array of objects; {ROWS} can make one"),
    ]:
        path = save(text)
        assert str(error_of(read, path)) == f"{path}: {reason}", text


def test_a_pair_of_columns_that_differ_in_their_axis_is_a_position(save):
    headers = ["bldg_lat,bldg_lon", "geo_lat,geo_lng", "LatWGS84,LongWGS84", "GPSLatitude,GPSLongitude"]
    headers += ["coord_y,coord_x", "Y_COORD,X_COORD", "POINT_Y,POINT_X", "ycoord,xcoord", "northing,easting"]
    headers += ["Latitud,Longitud", "Latitudine,Longitudine", "Breitengrad,Längengrad", "Широта,Долгота", "纬度,经度"]
    for header in (*headers, "Latitude (degrees),Longitude (degrees)"):
        path = save(f"id,{header}\n7,42.37,-71.11\n")

        proposed = tomllib.loads(propose.profile(path))["fields"]
        assert points(path) == {7: (42.37, -71.11)}, header
        assert f"{proposed['latitude']},{proposed['longitude']}" == header, header


def test_nested_positions_and_members_are_read_as_proposed(save, save_profile):
    for position in (
        {"location": {"lat": 42.37, "lng": -71.11}},
        {"address": {"city": "Boston", "geo": {"latitude": "42.37", "longitude": "-71.11"}}},
        {"where": {"type": "Point", "coordinates": [-71.11, 42.37]}},
        {"where": "POINT (-71.11 42.37)"},
        {"shape": '{"type": "Point", "coordinates": [-71.11, 42.37]}'},
    ):
        path = save(json.dumps([{"id": 7, "name": "Hall", **position}]))

        [record] = read_as_proposed(path, save_profile).records

        city = "Boston" if "address" in position else ""
        assert (record.id, record.name, record.city, record.point) == (7, "Hall", city, (42.37, -71.11)), position


def test_a_latitude_and_a_longitude_in_one_text_are_a_position(save, save_profile):
    texts = ["42.37, -71.11", "(42.37,-71.11)", "42.37 -71.11", "42.37;-71.11", "42,3700 -71,1100", "-71.11, 42.37"]
    for name, text in [*(("where", text) for text in texts), ("Lng/Lat", " ( -71.11 ; 42.37 ) ")]:
        rows = [{"id": id_, "name": "Hall", name: text} for id_ in (7, 8)]
        table = f"id\tname\t{name}\n7\tHall\t{text}\n8\tHall\t{text}\n"
        for content in (json.dumps(rows), table):
            path = save(content)

            result = read(path)
            assert (detect_profile(read_head(path)), result.unread) == ("table", {}), content
            for records in (result.records, read_as_proposed(path, save_profile).records):
                assert [each.point for each in records] == [(42.37, -71.11)] * 2, content

    # Two prices have two decimals, as this position has.
    for name, text, point in (
        ("coordinates", "48.1, 11.5", (48.1, 11.5)),
        ("geo.location", "1.5, 103.7", (1.5, 103.7)),
        ("coordinates", "122.5, 37.8", (37.8, 122.5)),
        ("lonlat", "11.5, 48.1", (48.1, 11.5)),
    ):
        path = save(f'id,name,{name}\n7,Hall,"{text}"\n')

        assert ([*points(path).values()], detect_profile(read_head(path))) == ([point], "table"), (name, text)
    assert detect_profile('dish\tprice\nSoup\t"2.80, 4.50"\n') is None


def test_a_list_of_two_numbers_is_a_position_in_the_order_that_they_allow_or_the_profile_says(save):
    profile = PositionFields(latitude="coordinates.0", longitude="coordinates.1")
    for name, numbers, position, point in [
        ("coordinates", [44.46, -93.18], None, (44.46, -93.18)),
        ("coordinates", [-93.18, 44.46, 270], None, (44.46, -93.18)),
        ("coordinates", [48.15, 11.57], None, None),
        ("coordinates", [48.15, 11.57], profile, (48.15, 11.57)),
        ("latlng", [48.15, 11.57], None, (48.15, 11.57)),
        ("lng_lat", [11.57, 48.15], None, (48.15, 11.57)),
        *((name, [48.15, 11.57], None, None) for name in ("pos", "center", "map_point", "xy")),
    ]:
        path = save(json.dumps({"buildings": [{"id": 7, name: numbers}]}))

        assert detect_profile(read_head(path)) == "table", name
        result = read(path, position=position)
        assert ([each.point for each in result.records], result.unread) == ([point] if point else [], {}), name
        reasons = [] if point else ["may have the latitude or the longitude first"]
        assert [error.reason.partition(":")[0] for error in result.errors] == reasons, name


def test_a_list_of_latitudes_and_longitudes_is_a_footprint(save, save_profile):
    lat, latitude = ([dict(zip(names, each, strict=True)) for each in RING] for names in (("Lat", "lng"), PAIR))
    for outline, polygons in ((lat, (RING,)), (latitude[:-1], (RING,)), ([lat], (RING,)), (lat[:1], ())):
        members = {"id": 7, "name": "Hall", "geo": {"lat": 0.5, "lng": 0.5}, "site": {"outline": outline}}
        path = save(json.dumps([members, members | {"id": 8}]))

        for result in (read(path), read_as_proposed(path, save_profile)):
            assert [each.polygons for each in result.records] == [polygons] * 2, outline

    for outline, reason in [
        (({"lat": 1, "lng": 2}, {"lat": 3, "lng": 4}), "is a ring of fewer than three corners"),
        (({"lat": 1, "lng": 2}, {"lat": 3, "lng": "x"}), "'x' is not a number"),
        (({"lat": 1, "lng": 2}, {}), "{} is not a latitude and a longitude"),
    ]:
        [error] = read(save(json.dumps([{"id": 7, "outline": outline}]))).errors
        assert reason in error.message, outline
    # Of other objects with a position.
    doors = [{"name": "North", "lat": 42.37, "lng": -71.11}] * 3
    assert points(save(json.dumps([{"id": 7, "doors": doors, "lat": 42.3, "lon": -71.1}]))) == {7: (42.3, -71.1)}
