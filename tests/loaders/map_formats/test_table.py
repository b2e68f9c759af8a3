import json
import tomllib
from dataclasses import replace

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.inference import propose
from loaders.profiles.positions import PositionSource
from loaders.readers import buildings, detect_format
from loaders.result import SourceLocation
from loaders.sources.files import read_head
from tests.factories import RING

PROFILE = profiles.load_building_profile("table")
POLYGON = "POLYGON ((-71.1171 42.3741, -71.1169 42.3741, -71.1169 42.3743, -71.1171 42.3741))"
GEOJSON = {"type": "Polygon", "coordinates": [[[longitude, latitude] for latitude, longitude in RING]]}


def read(path, profile=PROFILE):
    return buildings.read([path], profile)


def errors(result):
    return [f"{error.location}: {error.message}" for error in result.errors]


@pytest.mark.parametrize(
    "header",
    ["id,name,lat,lon", "id;name;Latitude;Longitude", "id\tname\tLAT\tLNG", "id|name|y|x", " id , name , lat , long "],
)
def test_csv_has_columns_of_a_latitude_and_a_longitude(save, header):
    delimiter = next(char for char in ",;\t|" if char in header)

    [record] = read(save(f"{header}\n7,Widener,42.37,-71.11\n".replace(",", delimiter), "list.csv")).records

    assert (record.id, record.name, record.point, record.polygons) == (7, "Widener", (42.37, -71.11), ())


@pytest.mark.parametrize("line", ["sep=;", '"sep=;"', "\ufeffsep=;\r"])
def test_a_table_is_detected_below_the_line_that_names_its_delimiter(save, line):
    path = save(f"{line}\nid;name;lat;lon\n7;Widener, B;42.37;-71.11\n")

    [record] = read(path).records

    assert (detect_format(read_head(path)), record.name) == ("table", "Widener, B")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "header", ['"Building\nID, unique";name;lat;lon', '"ID, old, new, former, first";name;lat;lon', "ID;name;lat;lon"]
)
def test_the_delimiter_is_that_with_which_the_header_has_most_columns(save, header, end):
    text = f"{header}\n7;Halls A, B, C, D, E;42,37;-71,11\n".replace("\n", end)
    path = save(text)
    name = header.partition(";")[0].strip('"').replace("\n", end)

    [record] = read(path, replace(PROFILE, id=replace(PROFILE.id, sources=(name,)))).records

    assert (detect_format(read_head(path)), record.id, record.name) == ("table", 7, "Halls A, B, C, D, E")
    assert record.point == (42.37, -71.11)


def test_an_error_of_excel_in_a_latitude_is_no_position(save):
    path = save("id,name,lat,lon,x,y\n7,#N/A,#VALUE!,#VALUE!,-71.11,42.37\n")

    [record] = read(path).records

    assert (record.name, record.point) == (None, (42.37, -71.11))


@pytest.mark.parametrize("column", ["wkt", "WKT", "the_geom", "geometry"])
def test_csv_has_a_column_of_wkt(save, column):
    [record] = read(save(f'id,name,{column}\n7,Widener,"{POLYGON}"\n')).records

    assert record.polygons == (RING,)


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_wkt_that_is_nested_deeply_is_an_error(save, depth):
    wkt = "GeometryCollection(" * depth + "POINT(0 0)" + ")" * depth

    result = read(save(json.dumps([{"id": 7, "wkt": wkt}])))

    assert [error.reason for error in result.errors] == ["has over 100 geometry collections"]


def test_curves_and_broken_wkt_are_errors(save):
    result = read(save('id,wkt\n7,"CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0, 1 -1, 0 0))"\n8,POINT (\n'))

    assert [error.reason.partition(":")[0] for error in result.errors] == ["cannot be read as WKT"] * 2


@pytest.mark.parametrize(
    "members",
    [
        {"lat": 42.37, "lon": -71.11},
        {"latitude": "42.37", "longitude": "-71.11"},
        {"the_geom": {"type": "Point", "coordinates": [-71.11, 42.37]}},
        {"wkt": "POINT (-71.11 42.37)", "x": None, "y": None},
    ],
)
@pytest.mark.parametrize("dump", [lambda rows: json.dumps(rows), lambda rows: "\n".join(map(json.dumps, rows))])
def test_json_objects_have_a_position(save, members, dump):
    rows = [{"id": id_, "name": "Widener", **members} for id_ in (7, 8)]

    result = read(save(dump(rows)))

    assert [(record.id, record.point) for record in result.records] == [(7, (42.37, -71.11)), (8, (42.37, -71.11))]


def test_a_polygon_takes_precedence_over_a_position(save):
    [record] = read(save(json.dumps([{"id": 7, "lat": 0, "lon": 0, "geometry": GEOJSON}]))).records

    assert record.polygons == (RING,)


def test_a_geometry_in_any_record_is_its_position(save):
    position = {"lat": 42.37, "lon": -71.11}
    empty = {"id": 1, "lat": None, "lon": None, "shape": None, "outline": None}
    rows = [empty | position, empty | {"id": 2, "shape": POLYGON}, empty | {"id": 3, "outline": POLYGON}]
    text = "\n".join(";".join(str(each or "") for each in line) for line in (empty, *(row.values() for row in rows)))

    for content in (json.dumps(rows), text):
        result = read(save(content))

        assert [(record.id, record.polygons) for record in result.records] == [(1, ()), (2, (RING,)), (3, (RING,))], (
            content
        )
        assert (result.errors, result.unread) == ([], {}), content


def test_the_names_of_a_position_may_differ_between_records(save):
    rows = [
        {"id": 1, "LAT": 42.37, "LON": -71.11, "lat": None},
        {"id": 2, "LAT": None, "LON": None, "lat": 1, "lon": 2},
    ]

    result = read(save(json.dumps(rows)))

    assert [record.point for record in result.records] == [(42.37, -71.11), (1, 2)]
    assert (result.errors, result.unread) == ([], {})


def test_positions_are_in_the_crs_of_the_profile(campus_load, mongod_database, save):
    campus_load("buildings", save("id,x,y\n7,-7916000,5217000\n"), "--wkid", 3857)

    live = mongod_database.datasets.find_one()["revision"]
    [building] = mongod_database[f"buildings_{live}"].find()
    assert building["_id"] == 7


@pytest.mark.parametrize("fields", [{}, {"latitude": "Latitude", "longitude": "Longitude"}])
def test_a_latitude_and_a_longitude_are_in_degrees_whatever_the_crs_of_the_profile(save, fields):
    position = PositionSource(**fields) if fields else None
    path = save("id,X,Y,Latitude,Longitude\n7,,,42.3694,-71.1168\n8,759716.617,2959868.783,42.3694,-71.1168\n")

    records = read(path, replace(PROFILE, position=position, wkid=2249)).records

    assert [(record.id, record.point) for record in records] == [(id_, (42.3694, -71.1168)) for id_ in (7, 8)]


def test_a_record_without_its_latitude_is_read_from_its_x_and_y(save):
    path = save("id,X,Y,Latitude,Longitude\n7,759716.617,2959868.783,,\n8,759716.617,2959868.783,42.37,-71.12\n")

    points = {record.id: record.point for record in read(path, replace(PROFILE, wkid=2249)).records}

    assert points == {7: pytest.approx((42.369393, -71.116812), abs=0.000001), 8: (42.37, -71.12)}


def test_metres_in_columns_named_like_degrees_are_in_the_crs_of_the_profile(save):
    [record] = read(save("id,lat,lon\n7,2959868.783,759716.617\n"), replace(PROFILE, wkid=2249)).records

    assert record.point == pytest.approx((42.369393, -71.116812), abs=0.000001)


def test_a_latitude_and_a_longitude_of_another_datum_are_transformed(save):
    [record] = read(save("id,lat,lon\n7,50.0,15.0\n"), replace(PROFILE, wkid=4156)).records

    assert record.point != (50.0, 15.0)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x,42,-71", "id 'x' is not an integer of zero or more"),
        ("7,,", "geometry is missing"),
        ("7,north,-71", "lat 'north' is not a number"),
        ("7,42,", "lon is not a number"),
        ("7,nan,-71", "lat 'nan' is not a number"),
        ("7,4_2,-71", "lat '4_2' is not a number"),
        ("7,1e999,-71", "geometry [-71.0, inf] is not a longitude within 180 and a latitude within 90 degrees"),
        ("7,142,-71", "geometry [-71.0, 142.0] has longitude and latitude swapped"),
        ("7,42", "row '7,42' has 2 columns, unlike the header"),
    ],
)
def test_an_invalid_row_is_rejected_with_its_line(save, row, message):
    result = read(save(f"id,lat,lon\n1,42,-71\n{row}\n"))

    assert [error.startswith(f"line 3: {message}") for error in errors(result)] == [True]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (7, "row 7 is not a JSON object"),
        (None, "row is not a JSON object"),
        ({"id": 7, "lat": True, "lon": 1}, "lat True is not a number"),
        ({"id": 7, "lat": [1], "lon": 1}, "lat [1] is not a number"),
        ({"id": 7, "lat": 10**400, "lon": 1}, "lat 1"),
        ({"id": 7, "geometry": 7}, "geometry 7 is not a GeoJSON geometry"),
    ],
)
def test_an_invalid_object_is_rejected(save, record, message):
    [error] = read(save(json.dumps([record]))).errors

    assert (error.location, error.message.startswith(message)) == (SourceLocation(1, 1), True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "id,name\n1,Widener\n",
            "line 1 has no columns named lat and lon, or wkt: name them in [fields] of the profile",
        ),
        ("", "line 1 has no columns named lat and lon, or wkt: name them in [fields] of the profile"),
        ("id,lat,lon,id\n", "line 1 has a duplicate column id"),
        ('{"buildings": []}', "is not a JSON array of objects"),
        ('{"lat": 1, "lon": 2}', "is not a JSON array of objects"),
    ],
)
def test_another_file_is_an_error(save, text, reason):
    path = save(text)

    with pytest.raises(UnreadableFileError) as error:
        read(path)

    assert str(error.value) == f"{path}: {reason}"


def test_an_unknown_wkid_is_an_error(campus_load, save):
    path = save("id,lat,lon\n7,42.37,-71.11\n")

    result = campus_load("buildings", path, "--wkid", 999999)

    message = f"campus-load: {path}: wkid 999999 is not a known coordinate reference system\n"
    assert (result.exit_code, result.stderr) == (2, message)


@pytest.mark.parametrize("text", ["id,lat,lon\n7,42.37,-71.11\n", '[{"id": 7, "lat": 42.37, "lng": -71.11}]'])
def test_a_table_is_published_by_the_command(campus_load, save, text):
    result = campus_load("buildings", save(text))

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "buildings: published as revision 1")


def test_a_profile_is_proposed(save):
    text = propose.profile(save("id,Hall,lat,lon\n7,Widener Library,42.37,-71.11\n", "halls.csv"))

    title = "# halls.csv: CSV, 1 feature, 0 polygons, 1 point, no spatial reference named (degrees)"
    assert text.splitlines()[0] == title
    assert 'format = "table"' in text


@pytest.mark.parametrize(
    "header",
    [
        "id,bldg_lat,bldg_lon",
        "id,geo_lat,geo_lng",
        "id,LatWGS84,LongWGS84",
        "id,GPSLatitude,GPSLongitude",
        "id,coord_y,coord_x",
        "id,Y_COORD,X_COORD",
        "id,POINT_Y,POINT_X",
        "id,ycoord,xcoord",
        "id,northing,easting",
        "id,Latitude (degrees),Longitude (degrees)",
    ],
)
def test_a_pair_of_columns_that_differ_in_their_axis_is_a_position(save, header):
    path = save(f"{header}\n7,42.37,-71.11\n")

    [record] = read(path).records

    _, latitude, longitude = header.split(",")
    proposed = tomllib.loads(propose.profile(path))["fields"]
    assert record.point == (42.37, -71.11)
    assert (proposed["latitude"], proposed["longitude"]) == (latitude, longitude)


def test_words_with_the_letters_of_an_axis_are_no_position(save):
    with pytest.raises(UnreadableFileError, match="is not in a known format"):
        propose.profile(save("plate,place,population,x\n1,2,3,4\n"))


def test_a_decimal_comma_is_a_decimal_point(save):
    [record] = read(save("id;lat;lon\n7;42,373;-71,11\n")).records

    assert record.point == (42.373, -71.11)


@pytest.mark.parametrize("number", ["236,412", "2,959,868", "2,959,868.5"])
def test_commas_that_may_separate_thousands_of_metres_are_an_error(save, number):
    path = save(f"id;x;y\n7;{number};902123\n")

    [error] = buildings.read([path], replace(PROFILE, wkid=26986)).errors

    assert error.message == f"x '{number}' may have commas between thousands: write the number without them"


def test_a_decimal_comma_of_metres_is_a_decimal_point(save):
    with_comma, with_point = (
        buildings.read([save(f"id;x;y\n7;{x};902123\n")], replace(PROFILE, wkid=26986)).records
        for x in ("236412,5", "236412.5")
    )

    assert list(with_comma) == list(with_point)


@pytest.mark.parametrize(
    "position",
    [
        {"location": {"lat": 42.37, "lng": -71.11}},
        {"address": {"city": "Boston", "geo": {"latitude": "42.37", "longitude": "-71.11"}}},
        {"where": {"type": "Point", "coordinates": [-71.11, 42.37]}},
        {"where": "POINT (-71.11 42.37)"},
        {"shape": '{"type": "Point", "coordinates": [-71.11, 42.37]}'},
    ],
)
def test_nested_positions_and_geometries_are_read_as_proposed(save, position):
    path = save(json.dumps([{"id": id_, "name": "Hall", **position} for id_ in (7, 8)]))
    profile_path = save(propose.profile(path), "custom.toml")

    result = read(path, profiles.load_building_profile(str(profile_path)))

    assert [(record.id, record.name, record.point) for record in result.records] == [
        (7, "Hall", (42.37, -71.11)),
        (8, "Hall", (42.37, -71.11)),
    ]


@pytest.mark.parametrize("wrap", [lambda rows: {"status": "ok", "data": rows}, lambda rows: {"result": {"rows": rows}}])
def test_objects_may_be_a_list_in_an_object(save, wrap):
    path = save(json.dumps(wrap([{"id": 7, "lat": 42.37, "lon": -71.11, "tags": [{"a": 1}]}, {"id": 8}])))

    assert [record.id for record in read(path).records] == [7]


def test_nested_members_are_fields_by_their_path(save):
    path = save(json.dumps([{"id": 7, "lat": 1, "lon": 2, "address": {"street": "7 Elm Street", "city": "Boston"}}]))
    profile_path = save(propose.profile(path), "custom.toml")

    [record] = read(path, profiles.load_building_profile(str(profile_path))).records

    assert (record.address, record.city) == ("7 Elm Street", "Boston")


def test_the_profile_names_the_columns_of_the_position(save):
    fields = '[fields]\nid = "id"\nlatitude = "breite"\nlongitude = "länge"\n'
    profile_path = save(f'format = "table"\n{fields}', "custom.toml")

    result = read(save("id;breite;länge\n7;42.37;-71.11\n"), profiles.load_building_profile(str(profile_path)))

    assert [record.point for record in result.records] == [(42.37, -71.11)]
    assert result.unread == {}


def test_broken_geojson_in_a_column_is_an_error(save):
    [error] = read(save('id,geometry\n7,"{""type"": 1,"\n')).errors

    assert error.message.startswith("geometry '{\"type\": 1,' is not GeoJSON")


@pytest.mark.parametrize("row", ["7,0,0", "7,0.0,0", "7,,"])
def test_a_record_without_a_position_is_invalid(save, row):
    result = read(save(f"id,lat,lon\n{row}\n8,42.37,-71.11\n"))

    assert (len(result.errors), [record.id for record in result.records]) == (1, [8])
