"""Broken vector files: one line and exit status 2, never a traceback or output of GDAL."""

import json
import zipfile

import numpy as np
import pyogrio.raw
import pytest
import shapely


def write(path, driver, number=500):
    x = np.arange(number) * 0.0001 - 71.2
    geometries = shapely.to_wkb(shapely.box(x, 42.3, x + 0.00005, 42.30005))
    pyogrio.raw.write(
        path, geometries, [np.arange(number)], ["id"], crs="EPSG:4326", geometry_type="Polygon", driver=driver
    )
    return path


def truncate(path, share):
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    return path


def zip_file(path):
    with zipfile.ZipFile(path.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as file:
        file.write(path, path.name)
    return path.with_suffix(".zip")


def zip_folder(path):
    with zipfile.ZipFile(path.with_suffix(".zip"), "w") as file:
        for each in path.parent.glob("*.[sdp]*"):
            file.write(each, each.name)
    return path.with_suffix(".zip")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
@pytest.mark.parametrize(("suffix", "driver"), [("gpkg", "GPKG"), ("kml", "LIBKML")])
def test_a_truncated_file_is_an_error(campus_load, capfd, tmp_path, suffix, driver, share):
    path = truncate(write(tmp_path / f"campus.{suffix}", driver), share)

    result = campus_load("buildings", path, "--max-errors", 1000)

    assert result.exit_code == 2
    [message] = result.stderr.splitlines()
    assert message.startswith(f"campus-load: {path}: ")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK\x03\x04 and no more", "is a ZIP archive that cannot be read: File is not a zip file"),
        ('<kml xmlns="http://www.opengis.net/kml/2.2"><Document>', "cannot be read by GDAL: "),
        (b"SQLite format 3\0 and no more", "cannot be read by SQLite: "),
        (b"\0\0'\n", "is only one file of a Shapefile: use its folder or a .zip"),
    ],
)
def test_a_broken_file_is_an_error(campus_load, capfd, save, content, reason):
    path = save(content)

    result = campus_load("buildings", path)

    [message] = result.stderr.splitlines()
    assert (result.exit_code, message[: len(reason) + len(f"campus-load: {path}: ")]) == (
        2,
        f"campus-load: {path}: {reason}",
    )
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("content", ["{}", "[]", "<svg>", "<OGRVRTDataSource>", ""])
def test_a_file_without_a_known_signature_is_not_passed_to_gdal(campus_load, save, content):
    path = save(content)

    result = campus_load("buildings", path, "--profile", "gdal")

    reason = "is not a Shapefile, a GeoPackage, KML, KMZ or TopoJSON"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        ([], "none"),
        (["a.txt"], "none"),
        (["a.kml", "b.gpkg"], "a.kml, b.gpkg"),
        (["b.csv", "a.JSON"], "a.JSON, b.csv"),
    ],
)
def test_an_archive_must_have_one_readable_file(campus_load, tmp_path, names, listed):
    path = tmp_path / "campus.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name in ["readme", *names]:
            file.writestr(name, b"")

    result = campus_load("buildings", path)

    reason = f"is a ZIP archive without exactly one readable file: {listed}"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


@pytest.mark.parametrize("content", ["", "<OGRVRTDataSource>"])
def test_the_file_in_an_archive_must_have_a_known_signature(campus_load, tmp_path, content):
    path = tmp_path / "campus.kmz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("doc.kml", content)

    result = campus_load("buildings", path)

    reason = "has a member doc.kml that is not a Shapefile, a GeoPackage, KML, KMZ or TopoJSON"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


def test_a_shapefile_on_standard_input_is_an_error(campus_load, tmp_path):
    content = write(tmp_path / "campus.shp", "ESRI Shapefile").read_bytes()

    result = campus_load("buildings", "-", "--profile", "gdal", input=content)

    message = "campus-load: -: is only one file of a Shapefile: use its folder or a .zip\n"
    assert (result.exit_code, result.stderr) == (2, message)


def test_a_truncated_shapefile_is_an_error(campus_load, tmp_path):
    path = truncate(write(tmp_path / "campus.shp", "ESRI Shapefile"), 0.5)

    result = campus_load("buildings", path)

    message = f"campus-load: {path}: cannot be read by GDAL: Error in fread() reading object of size 136 at offset "
    assert (result.exit_code, result.stderr.startswith(message)) == (2, True)


@pytest.mark.parametrize(
    "pack", [lambda path: path, lambda path: path.parent, zip_folder], ids=["file", "folder", "zip"]
)
@pytest.mark.parametrize(("stale", "shapes", "rows"), [("shx", 3, 5), ("dbf", 5, 3)])
def test_parts_of_a_shapefile_with_different_numbers_are_an_error(campus_load, tmp_path, pack, stale, shapes, rows):
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old = write(tmp_path / "old" / "campus.shp", "ESRI Shapefile", 3).with_suffix(f".{stale}")
    path = write(tmp_path / "new" / "campus.shp", "ESRI Shapefile", 5)
    old.replace(path.with_suffix(old.suffix))

    result = campus_load("buildings", pack(path))

    reason = f"has {shapes} shapes in campus.shx, but {rows} rows in campus.dbf: are they of one export?"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {pack(path)}: {reason}\n")


def test_an_error_in_a_record_has_no_line_in_json(campus_load, tmp_path):
    path = tmp_path / "campus.gpkg"
    geometries = shapely.to_wkb(np.array([shapely.Point(-71.1, 42.3), None]))
    pyogrio.raw.write(path, geometries, [np.arange(2)], ["id"], crs="EPSG:4326", geometry_type="Point", driver="GPKG")

    result = campus_load("check", path, "--json")

    reason = "record 2: geometry is missing"
    problem = {"file": "campus.gpkg", "line": None, "reason": reason, "guard": None, "times": 1}
    assert (result.exit_code, json.loads(result.stdout)["problems"]) == (2, [problem])


@pytest.mark.parametrize("pack", [lambda path: path, lambda path: zip_file(path)], ids=["", "zip"])
def test_a_file_that_gdal_cannot_hold_in_memory_is_an_error(campus_load, save, pack):
    path = pack(save('{"type": "Topology"' + " " * 15_000_000 + "}", "campus.topojson"))

    result = campus_load("buildings", path)

    reason = "has over 15,000,000 bytes of topojson: convert it to a GeoPackage with ogr2ogr"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


TOPOLOGY = {"type": "Topology", "arcs": [[[-71.2, 42.3], [-71.1, 42.3], [-71.2, 42.4], [-71.2, 42.3]]]}
AREA = {"type": "Polygon", "arcs": [[0]], "properties": {"id": 7}}


@pytest.mark.parametrize(
    ("geometries", "others"),
    [
        ([AREA, {"type": None, "properties": {"id": 8}}], {}),
        ([AREA, {"type": "GeometryCollection", "geometries": [AREA], "properties": {"id": 8}}], {}),
        ([AREA], {"other": {"type": None, "properties": {"id": 8}}}),
    ],
)
def test_geometries_of_topojson_that_gdal_leaves_out_are_an_error(campus_load, save, geometries, others):
    objects = {"halls": {"type": "GeometryCollection", "geometries": geometries}, **others}
    path = save(json.dumps({**TOPOLOGY, "objects": objects}))

    result = campus_load("buildings", path, "--layer", "halls")

    reason = "has 2 features, of which GDAL reads only 1: "
    assert (result.exit_code, result.stderr.startswith(f"campus-load: {path}: {reason}")) == (2, True)


PLACEMARK = """<Placemark><ExtendedData><Data name="BLDG_ID"><value>{}</value></Data></ExtendedData>
<Point><coordinates>-71.1165,42.3735</coordinates></Point></Placemark>"""


def kml(content):
    return f'<kml xmlns="http://www.opengis.net/kml/2.2">{content}</kml>'


def test_placemarks_that_gdal_leaves_out_are_an_error(campus_load, save):
    path = save(kml(PLACEMARK.format(7) + PLACEMARK.format(8)))

    result = campus_load("buildings", path)

    reason = "has 2 features, of which GDAL reads only 1: not several Placemarks directly below <kml>, "
    assert (result.exit_code, result.stderr.startswith(f"campus-load: {path}: {reason}")) == (2, True)


@pytest.mark.parametrize(
    "content",
    [
        PLACEMARK.format(7),
        f"<Document><Folder><name>Halls</name>{PLACEMARK.format(7)}</Folder><Placemark/></Document>",
        f"<Document><!-- {PLACEMARK} -->{PLACEMARK.format(7)}<Placemark ></Placemark></Document>",
        f"<Document><description><![CDATA[<Placemark>]]></description>{PLACEMARK.format(7)}</Document>",
    ],
)
def test_placemarks_are_counted_as_gdal_counts_them(campus_load, save, content):
    layer = ["--layer", "Halls"] if "Halls" in content else []

    result = campus_load("buildings", save(kml(content)), "--max-errors", 1, *layer)

    assert "published as revision 1" in result.stdout


def test_topojson_whose_geometries_share_large_arcs_is_an_error(campus_load, save):
    arc = [[0, 0], *([[0, 1], [1, 0], [0, -1], [-1, 0]] * 500)]
    geometries = [{"type": "Polygon", "arcs": [[~0]], "properties": {"id": number}} for number in range(2500)]
    objects = {"buildings": {"type": "GeometryCollection", "geometries": geometries}}
    path = save(json.dumps({"type": "Topology", "objects": objects, "arcs": [arc]}))

    result = campus_load("buildings", path)

    reason = "has 5,002,500 positions, as its geometries share arcs; at most 5,000,000 are read"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"type": "Topology", "objects": ', "unexpected end of data: line 1 column 33 (char 32)"),
        ('{"type": "Topology", "objects": {}}', "'arcs'"),
        ('{"type": "Topology", "objects": [], "arcs": []}', "'list' object has no attribute 'values'"),
        ('{"type": "Topology", "objects": {"a": {"arcs": [7]}}, "arcs": [[]]}', "list index out of range"),
    ],
)
def test_broken_topojson_is_an_error(campus_load, save, content, reason):
    path = save(content)

    result = campus_load("buildings", path)

    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: is not TopoJSON: {reason}\n")


def test_an_unknown_crs_is_an_error(campus_load, tmp_path):
    path = tmp_path / "campus.gpkg"
    crs = 'ENGCRS["Campus grid",EDATUM["Campus"],CS[Cartesian,2],AXIS["x",east],AXIS["y",north],LENGTHUNIT["metre",1]]'
    geometries = shapely.to_wkb(np.array([shapely.Point(7, 8)]))
    pyogrio.raw.write(path, geometries, [np.arange(1)], ["id"], crs=crs, geometry_type="Point", driver="GPKG")

    result = campus_load("buildings", path)

    [message] = result.stderr.splitlines()
    assert (result.exit_code, message.startswith(f"campus-load: {path}: crs ")) == (2, True)
    assert message.endswith(" is not a known coordinate reference system")


def test_a_crs_with_a_broken_definition_is_an_error(campus_load, tmp_path):
    path = write(tmp_path / "campus.shp", "ESRI Shapefile")
    definition = path.with_suffix(".prj").read_bytes()
    path.with_suffix(".prj").write_bytes(
        definition.replace(b"D_WGS_1984", b"D_WGS\xe11984").replace(b"UNIT", b"UN\xf7T")
    )

    result = campus_load("buildings", path)

    reason = "cannot be read by GDAL: its coordinate reference system is broken"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


def test_a_folder_without_a_shapefile_is_an_error(campus_load, tmp_path):
    folder = tmp_path / "export"
    folder.mkdir()

    result = campus_load("buildings", folder)

    assert (result.exit_code, result.stderr) == (2, f"campus-load: {folder}: cannot be read: Is a directory\n")
