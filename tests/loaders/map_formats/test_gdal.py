"""Vector files that GDAL reads, written by GDAL's own writers."""

import gzip
import hashlib
import shutil
import zipfile
from dataclasses import replace

import numpy as np
import pyogrio.raw
import pyproj
import pytest
import shapely
from click.testing import CliRunner

from loaders import profiles
from loaders.cli.main import main
from loaders.inference import propose
from loaders.profiles.filters import parse_filter
from loaders.readers import buildings
from loaders.result import SourceLocation

PROFILE = profiles.load_building_profile("gdal")
WIDENER = shapely.box(-71.1171, 42.3741, -71.1169, 42.3743)
DRIVERS = {"campus.gpkg": "GPKG", "campus.shp": "ESRI Shapefile", "campus.kml": "LIBKML"}
STATE_PLANE = "EPSG:2249"
# A projection without an EPSG number.
CAMPUS_GRID = "+proj=tmerc +lat_0=42.3 +lon_0=-71.1 +x_0=1000 +y_0=2000 +datum=WGS84 +units=us-ft"


def read(path, **changes):
    return buildings.read([path], replace(PROFILE, **changes))


def write(path, *geometries, crs="EPSG:4326", layer=None, append=False, **columns):
    """Write a vector file with GDAL; the driver is that of the suffix."""
    geometries = geometries or (WIDENER,)
    columns = {"BLDG_ID": range(1, len(geometries) + 1), **columns}
    arrays = [np.array(list(values), dtype=None if name == "BLDG_ID" else object) for name, values in columns.items()]
    pyogrio.raw.write(
        path,
        shapely.to_wkb(np.array(geometries, dtype=object)),
        arrays,
        list(columns),
        crs=crs,
        driver=DRIVERS[f"campus{path.suffix}"],
        geometry_type="Unknown" if path.suffix != ".shp" else "Polygon",
        layer=layer,
        append=append,
    )
    return path


def project(crs, geometry):
    transform = pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform
    return shapely.transform(geometry, lambda positions: np.column_stack(transform(*positions.T)))


def corners(geometry):
    """Return the latitude and longitude of the corners of a polygon."""
    return {(y, x) for x, y in geometry.exterior.coords}


@pytest.mark.parametrize("name", DRIVERS)
def test_a_file_of_every_driver_is_read(tmp_path, name):
    path = write(tmp_path / name, WIDENER, shapely.box(-71.1, 42.1, -71.0, 42.2), name=["Widener Library", "Café"])

    result = read(path)

    assert result.errors == []
    widener, cafe = result.records
    assert [(widener.id, widener.name), (cafe.id, cafe.name)] == [(1, "Widener Library"), (2, "Café")]
    assert set(widener.polygons[0]) == corners(WIDENER)


@pytest.mark.parametrize("crs", [STATE_PLANE, CAMPUS_GRID, "EPSG:3857"])
@pytest.mark.parametrize("name", ["campus.gpkg", "campus.shp"])
def test_coordinates_are_transformed_from_the_crs_of_the_file(tmp_path, name, crs):
    path = write(tmp_path / name, project(crs, WIDENER), crs=crs)

    [record] = read(path).records

    for corner in record.polygons[0]:
        assert min(abs(np.subtract(corner, each)).max() for each in corners(WIDENER)) < 2e-8


def test_the_profile_overrides_the_crs_of_the_file(tmp_path):
    path = write(tmp_path / "campus.gpkg", project(STATE_PLANE, WIDENER.centroid), crs="EPSG:3857")

    [record] = read(path, wkid=2249).records

    assert record.point == pytest.approx((WIDENER.centroid.y, WIDENER.centroid.x), abs=2e-8)


def test_every_record_of_a_large_file_is_read_once(tmp_path):
    path = write(tmp_path / "campus.gpkg", *[WIDENER.centroid] * 20_002)

    assert [record.id for record in read(path).records] == [*range(1, 20_003)]


def test_coordinates_equal_those_of_pyproj(tmp_path):
    position = (761234.567890123, 2962345.678901234)
    path = write(tmp_path / "campus.gpkg", shapely.Point(position), crs=STATE_PLANE)

    [record] = read(path).records

    longitude, latitude = pyproj.Transformer.from_crs(STATE_PLANE, 4326, always_xy=True).transform(*position)
    assert record.point == (round(latitude, 8), round(longitude, 8))


def test_a_hole_is_respected(tmp_path):
    court = shapely.Polygon(shapely.box(0, 0, 9, 9).exterior.coords, [shapely.box(1, 1, 8, 8).exterior.coords])

    [record] = read(write(tmp_path / "campus.gpkg", court)).records

    assert (len(record.polygons), shapely.box(1, 1, 8, 8).contains(shapely.Point(record.point))) == (1, False)


def test_a_self_intersection_is_a_warning(tmp_path):
    bow_tie = shapely.Polygon([(-71.0, 42.0), (-71.1, 42.1), (-71.0, 42.1), (-71.1, 42.05)])

    result = read(write(tmp_path / "campus.gpkg", bow_tie))

    [(warning, _)] = result.warnings.values()
    assert str(warning) == "campus.gpkg, record 1: building 1 geometry crosses itself near 42.06667, -71.06667"


def test_an_invalid_record_has_its_number(tmp_path):
    path = write(tmp_path / "campus.gpkg", WIDENER, shapely.LineString([(0, 0), (1, 1)]), WIDENER)

    [error] = read(path).errors

    assert (error.location, str(error)) == (
        SourceLocation(None, 2),
        "campus.gpkg, record 2: geometry is not one point and has no polygon",
    )


def test_values_that_are_null_are_absent(tmp_path):
    path = tmp_path / "campus.gpkg"
    columns = [np.array([1, 2]), np.array([7, 0]), np.array(["x", None], dtype=object), np.array([0.5, np.nan])]
    dates = np.array(["2026-11-20", "NaT"], dtype="datetime64[D]")
    null = np.array([False, True])
    pyogrio.raw.write(
        path,
        shapely.to_wkb(np.array([WIDENER, WIDENER])),
        [*columns, dates],
        ["id", "floors", "code", "area", "built"],
        field_mask=[None, null, None, None, None],
        crs="EPSG:4326",
        geometry_type="Polygon",
        driver="GPKG",
    )
    fields = {**PROFILE.fields, "name": ("{floors}|{code}|{area}|{built}",)}

    records = read(path, fields=fields).records

    assert [record.name for record in records] == ["7|x|0.5|2026-11-20", None]


@pytest.mark.parametrize(("condition", "ids"), [(False, [2]), ("", [3]), ({"pattern": "^(?!true$)"}, [2, 3])])
def test_booleans_are_true_and_false_even_if_one_is_null(tmp_path, condition, ids):
    path = tmp_path / "campus.gpkg"
    pyogrio.raw.write(
        path,
        shapely.to_wkb(np.array([WIDENER] * 3)),
        [np.array([1, 2, 3]), np.array([True, False, False])],
        ["id", "demolished"],
        field_mask=[None, np.array([False, False, True])],
        crs="EPSG:4326",
        geometry_type="Polygon",
        driver="GPKG",
    )

    result = read(path, filter=parse_filter({"demolished": condition}))

    assert (result.errors, sorted(record.id for record in result.records)) == ([], ids)


def test_the_key_of_a_geopackage_is_a_field(tmp_path):
    path = write(tmp_path / "campus.gpkg", WIDENER, WIDENER, BLDG_ID=[7, 8])

    records = read(
        path, id=replace(PROFILE.id, sources=("fid",)), fields={**PROFILE.fields, "name": ("BLDG_ID",)}
    ).records

    assert [(record.id, record.name) for record in records] == [(1, "7"), (2, "8")]


@pytest.fixture
def layers(tmp_path):
    """A GeoPackage with two layers."""
    path = tmp_path / "campus.gpkg"
    write(path, layer="trees", BLDG_ID=[7])
    return write(path, layer="buildings", BLDG_ID=[8], append=True)


@pytest.mark.parametrize(("layer", "id_"), [("buildings", 8), ("trees", 7)])
def test_the_profile_names_one_of_several_layers(layers, layer, id_):
    [record] = read(layers, layer=layer).records

    assert record.id == id_


@pytest.mark.parametrize(
    ("layer", "reason"),
    [
        (None, "has several layers"),
        ("roads", "has no layer roads with geometries"),
    ],
)
def test_layers_must_be_named_if_there_are_several(campus_load, layers, layer, reason):
    options = [] if layer is None else ["--layer", layer]

    result = campus_load("buildings", layers, *options)

    message = f"campus-load: {layers}: {reason}: set --layer, or layer in the profile, to one of trees, buildings\n"
    assert (result.exit_code, result.stderr) == (2, message)


def test_the_profile_of_a_layer_names_it(save, layers):
    result = CliRunner().invoke(main, ["profile", str(layers), "--layer", "buildings"])

    profile = profiles.load_building_profile(str(save(result.stdout, "custom.toml")))
    assert (result.exit_code, profile.format, profile.layer) == (0, "gdal", "buildings")


@pytest.fixture
def shapefile(tmp_path):
    """A folder with a Shapefile and a file that is none of its parts."""
    folder = tmp_path / "export"
    folder.mkdir()
    write(folder / "campus.shp")
    (folder / "readme.txt").write_text("Campus buildings")
    return folder


def archive(path, folder, inside=""):
    with zipfile.ZipFile(path, "w") as file:
        for each in folder.iterdir():
            file.write(each, f"{inside}{each.name}")
            file.writestr(f"__MACOSX/{inside}._{each.name}", b"")
    return path


@pytest.mark.parametrize(
    "pack",
    [
        lambda folder: folder,
        lambda folder: folder / "campus.shp",
        lambda folder: archive(folder / "campus.zip", folder),
        lambda folder: archive(folder / "campus.zip", folder, inside="GIS export/"),
    ],
    ids=["folder", "file", "zip", "folder in a zip"],
)
def test_a_shapefile_is_published_by_the_command(campus_load, shapefile, pack):
    result = campus_load("buildings", pack(shapefile))

    assert (result.exit_code, result.stderr) == (0, "")
    assert "published as revision 1" in result.stdout


@pytest.mark.parametrize("name", [".", "campus.shp"])
def test_all_files_of_a_shapefile_are_sources(shapefile, name):
    result = read(shapefile / name)

    files = ["campus.cpg", "campus.dbf", "campus.prj", "campus.shp", "campus.shx"]
    digests = [hashlib.sha256((shapefile / file).read_bytes()).hexdigest() for file in files]
    assert sorted((source["file"], source["sha256"]) for source in result.sources) == [
        *zip(files, digests, strict=True)
    ]


def test_an_error_of_a_shapefile_in_utf_8_that_does_not_say_so_names_the_cpg_file(tmp_path):
    path = write(tmp_path / "campus.shp", name=["École"])
    (tmp_path / "campus.cpg").unlink()

    [error] = read(path).errors

    hint = "but is 'École' in UTF-8: a Shapefile needs a .cpg file with the word UTF-8"
    assert error.reason == f"has a control character, {hint}"


@pytest.mark.parametrize(("name", "table"), [("campus.shp", "campus.dbf"), ("Gebäude.gpkg", "Gebäude.gpkg")])
def test_a_record_with_text_that_is_not_utf_8_is_invalid(tmp_path, name, table):
    path = write(tmp_path / name, *[WIDENER] * 3, name=["École", "Haus zzz", "Café Ω"], étage=[1, 2, 3])
    content = (tmp_path / table).read_bytes()
    (tmp_path / table).write_bytes(content.replace(b"zzz", b"z\xe9z"))

    result = read(path)

    names = {record.id: record.name for record in result.records}
    assert (names, [error.message for error in result.errors]) == (
        {1: "École", 3: "Café Ω"},
        ["name 'Haus zéz' is not in UTF-8, the encoding of the file (of a Shapefile, in its .cpg)"],
    )


def test_a_deleted_record_of_a_shapefile_is_left_out(tmp_path):
    path = write(tmp_path / "campus.shp", WIDENER, WIDENER)
    table = bytearray(path.with_suffix(".dbf").read_bytes())
    table[int.from_bytes(table[8:10], "little")] = ord("*")
    path.with_suffix(".dbf").write_bytes(table)

    assert [record.id for record in read(path).records] == [2]


def test_a_shapefile_without_its_other_files_is_an_error(campus_load, shapefile, tmp_path):
    path = shutil.copy(shapefile / "campus.shp", tmp_path / "campus.shp")

    result = campus_load("buildings", path)

    message = f"campus-load: {path}: cannot be read by GDAL: Unable to open campus.shx or campus.SHX\n"
    assert (result.exit_code, result.stderr) == (2, message)


@pytest.mark.parametrize("name", ["doc.kml", "./doc.kml"])
def test_a_kmz_is_read(tmp_path, name):
    kml = write(tmp_path / "campus.kml", WIDENER, shapely.Point(-71.1, 42.3))
    with zipfile.ZipFile(tmp_path / "campus.kmz", "w") as file:
        file.writestr(name, kml.read_bytes())
        file.writestr("files/icon.png", b"")
        file.writestr("files/other.kml", b"")

    result = read(tmp_path / "campus.kmz")

    assert [record.id for record in result.records] == [1, 2]


TOPOJSON = """{"type": "Topology", "transform": {"scale": [0.0001, 0.0001], "translate": [-71.2, 42.3]},
"objects": {"buildings": {"type": "GeometryCollection", "geometries": [
{"type": "Polygon", "arcs": [[0]], "properties": {"id": 7, "name": "Widener"}}]}},
"arcs": [[[0, 0], [10, 0], [0, 10], [-10, -10]]]}"""

KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Buildings</name>
<Placemark><name>Widener</name><ExtendedData><Data name="BLDG_ID"><value>7</value></Data></ExtendedData>
<Point><coordinates>-71.1165,42.3735,12</coordinates></Point></Placemark></Folder></Document></kml>"""


@pytest.mark.parametrize("text", [TOPOJSON, KML], ids=["TopoJSON", "KML"])
@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())], ids=["", "gzip"])
def test_text_formats_are_detected_by_their_content(campus_load, mongod_database, save, text, pack):
    result = campus_load("buildings", save(pack(text), "export.dat"))

    assert (result.exit_code, result.stderr) == (0, "")
    live = mongod_database.datasets.find_one()["revision"]
    assert mongod_database[f"buildings_{live}"].find_one({"_id": 7})["name"] == "Widener"


FOLDERS = """<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Campus</name>
<Folder><name>Trees</name></Folder>
<Folder><name>Buildings</name><Folder><name>Houses</name>{}</Folder></Folder></Document></kml>"""
PLACEMARK = """<Placemark><ExtendedData><Data name="BLDG_ID"><value>7</value></Data></ExtendedData>
<Point><coordinates>-71.1165,42.3735</coordinates></Point></Placemark>"""


def test_empty_folders_of_kml_are_ignored(save):
    [record] = read(save(FOLDERS.format(PLACEMARK))).records

    assert record.id == 7


def test_standard_input_is_read(tmp_path, campus_load):
    content = write(tmp_path / "campus.gpkg").read_bytes()

    result = campus_load("buildings", "-", "--profile", "gdal", "--json", input=content)

    assert (result.exit_code, hashlib.sha256(content).hexdigest() in result.stdout) == (0, True)


def test_a_profile_is_proposed(tmp_path):
    projected = project(STATE_PLANE, WIDENER)

    text = propose.profile(write(tmp_path / "campus.gpkg", projected, crs=STATE_PLANE, name=["Widener"]))

    crs = "NAD83 / Massachusetts Mainland (ftUS)"
    assert text.splitlines()[0] == f"# campus.gpkg: GPKG, 1 feature, 1 polygon, 0 points, spatial reference {crs}"
    assert 'format = "gdal"' in text
