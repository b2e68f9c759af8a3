"""Vector files that GDAL reads, written by GDAL's own writers."""

import hashlib
import shutil
import zipfile
from dataclasses import replace

import numpy as np
import pyproj
import pytest
import shapely

from loaders import profiles
from loaders.inference import propose
from loaders.profiles.building_ids import parse_building_id
from loaders.profiles.building_settings import parse_filter
from loaders.result import SourceLocation
from tests.loaders.errors import error_of
from tests.loaders.vector_files import DRIVERS, PROFILE, WIDENER, pack, read, reason, write_vector

FIELDS = {**PROFILE.fields, "name": ("Name",)}
STATE_PLANE = "EPSG:2249"
# A projection without an EPSG number.
CAMPUS_GRID = "+proj=tmerc +lat_0=42.3 +lon_0=-71.1 +x_0=1000 +y_0=2000 +datum=WGS84 +units=us-ft"


def project(crs, geometry):
    transform = pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform
    return shapely.transform(geometry, lambda positions: np.column_stack(transform(*positions.T)))


def corners(geometry):
    """Return the latitude and longitude of the corners of a polygon."""
    return {(y, x) for x, y in geometry.exterior.coords}


def test_a_file_of_every_driver_is_read(tmp_path):
    boxes = WIDENER, shapely.box(-71.1, 42.1, -71.0, 42.2)
    for suffix in DRIVERS:
        result = read(write_vector(tmp_path / f"campus{suffix}", *boxes, name=["Widener Library", "Café"]))

        widener, cafe = result.records
        assert [(widener.id, widener.name), (cafe.id, cafe.name)] == [(1, "Widener Library"), (2, "Café")], suffix
        assert (set(widener.polygons[0]), result.errors) == (corners(WIDENER), []), suffix


def test_coordinates_are_transformed_from_the_crs_of_the_file(tmp_path):
    for suffix, crs in [(".gpkg", STATE_PLANE), (".shp", CAMPUS_GRID), (".gpkg", "EPSG:3857")]:
        [record] = read(write_vector(tmp_path / f"campus{suffix}", project(crs, WIDENER), crs=crs)).records

        for corner in record.polygons[0]:
            assert min(abs(np.subtract(corner, each)).max() for each in corners(WIDENER)) < 2e-8, (suffix, crs)
    # The profile overrides it.
    path = write_vector(tmp_path / "other.gpkg", project(STATE_PLANE, WIDENER.centroid), crs="EPSG:3857")
    [record] = read(path, wkid=2249).records
    assert record.point == pytest.approx((WIDENER.centroid.y, WIDENER.centroid.x), abs=2e-8)


def test_an_unknown_or_broken_crs_is_an_error(tmp_path):
    grid = 'ENGCRS["Campus grid",EDATUM["Campus"],CS[Cartesian,2],AXIS["x",east],AXIS["y",north],LENGTHUNIT["metre",1]]'
    unknown = write_vector(tmp_path / "campus.gpkg", shapely.Point(7, 8), crs=grid)
    broken = write_vector(tmp_path / "campus.shp")
    projection = broken.with_suffix(".prj")
    definition = projection.read_bytes()
    projection.write_bytes(definition.replace(b"D_WGS_1984", b"D_WGS\xe11984").replace(b"UNIT", b"UN\xf7T"))

    assert reason(unknown).startswith("crs ")
    assert reason(unknown).endswith(" is not a known coordinate reference system")
    assert reason(broken) == "cannot be read by GDAL: its coordinate reference system is broken"


def test_every_record_of_several_batches_is_read_once(tmp_path, monkeypatch):
    monkeypatch.setattr("loaders.map_formats.gdal._BATCH_SIZE", 2)
    for number in (4, 5):
        path = write_vector(tmp_path / f"{number}.gpkg", *[WIDENER.centroid] * number)

        assert [record.id for record in read(path).records] == [*range(1, number + 1)], number


def test_an_invalid_record_has_its_number(tmp_path):
    path = write_vector(tmp_path / "campus.gpkg", WIDENER, shapely.LineString([(0, 0), (1, 1)]), None)

    errors = read(path).errors

    assert [(error.location, error.message) for error in errors] == [
        (SourceLocation(None, 2), "geometry is not one point and has no polygon"),
        (SourceLocation(None, 3), "geometry is missing"),
    ]


def test_values_that_are_null_are_absent(tmp_path):
    dates = np.array(["2026-11-20", "NaT"], dtype="datetime64[D]")
    columns = {"floors": [7, 0], "code": ["x", ""], "area": [0.5, np.nan], "built": dates}
    path = write_vector(tmp_path / "campus.gpkg", WIDENER, WIDENER, nulls={"floors": [1], "code": [1]}, **columns)

    records = read(path, fields={**PROFILE.fields, "name": ("{floors}|{code}|{area}|{built}",)}).records

    assert [record.name for record in records] == ["7|x|0.5|2026-11-20", None]


def test_booleans_are_true_and_false_even_if_one_is_null(tmp_path):
    demolished = {"demolished": [True, False, False], "nulls": {"demolished": [2]}}
    path = write_vector(tmp_path / "campus.gpkg", *[WIDENER] * 3, **demolished)

    for condition, ids in [(False, [2]), ("", [3]), ({"pattern": "^(?!true$)"}, [2, 3])]:
        records = read(path, filter=parse_filter({"demolished": condition})).records
        assert [record.id for record in records] == ids, condition


def test_the_key_of_a_geopackage_is_a_field(tmp_path):
    path = write_vector(tmp_path / "campus.gpkg", WIDENER, WIDENER, BLDG_ID=[7, 8])
    fields = {**PROFILE.fields, "name": ("BLDG_ID",)}

    records = read(path, id=replace(PROFILE.id, expressions=("fid",)), fields=fields).records

    assert [(record.id, record.name) for record in records] == [(1, "7"), (2, "8")]


def test_the_profile_names_one_of_several_layers(save, tmp_path):
    path = write_vector(tmp_path / "campus.gpkg", layer="trees", BLDG_ID=[7])
    layers = write_vector(path, layer="buildings", BLDG_ID=[8], append=True)

    for layer, ids in [("buildings", [8]), ("trees", [7])]:
        assert [record.id for record in read(layers, layer=layer).records] == ids, layer
    for layer, problem in [(None, "has several layers"), ("roads", "has no layer roads with geometries")]:
        advice = "set --layer, or layer in the profile, to one of trees, buildings; the others are not read then"
        assert reason(layers, layer=layer) == f"{problem}: {advice}", layer
    proposed = profiles.load_building_profile(str(save(propose.profile(layers, layer="buildings"), "custom.toml")))
    assert (proposed.format, proposed.layer) == ("gdal", "buildings")


def test_all_folders_of_kml_with_the_same_fields_are_read(save):
    place = "<Placemark><name>{0}</name><Point><coordinates>-71,4{0}</coordinates></Point>{1}</Placemark>"
    folder = "<Folder><name>{0}</name>" + place + "</Folder>"
    data = '<ExtendedData><Data name="{}"><value>1</value></Data></ExtendedData>'
    for south, expected in [("", (["1", "2"], "")), (data.format("spaces"), ([], "; the others are not read then"))]:
        path = save(f"<kml><Document>{folder.format(1, '')}{folder.format(2, south)}</Document></kml>")
        result = None if expected[1] else read(path, id=parse_building_id({"assign": "Name"}), fields=FIELDS)

        names = [record.name for record in result.records] if result else []
        assert (names, "" if result else reason(path)[-30:]) == expected, south


def test_the_profile_has_the_encoding_of_a_shapefile_without_one(tmp_path):
    folder = tmp_path / "export"
    folder.mkdir()
    path = write_vector(folder / "campus.shp", kind=["Aula"], name=["Gl_avny_"])
    path.with_suffix(".cpg").unlink()
    table = path.with_suffix(".dbf")
    written = table.read_bytes()
    for encoding, name in [("cp1255", "ספריה"), ("koi8_r", "Главный"), ("euc_kr", "학생회관"), ("utf-8", "Büro 12")]:
        table.write_bytes(written.replace(b"Gl_avny_", name.encode(encoding).ljust(8)))

        [wrong], [shown, warning] = read(folder).records, read(folder).warnings
        assert wrong.name == name.encode(encoding).decode("latin_1"), encoding
        assert shown.endswith(f"looks like {name!r} in {encoding}"), encoding
        assert warning == f'text looks like {encoding}: the profile needs encoding = "{encoding}"', encoding
        assert f'encoding = "{encoding}"' in propose.profile(folder), encoding
        for source in (folder, pack(tmp_path / f"{encoding}.zip", *folder.iterdir())):
            result = read(source, encoding=encoding)
            assert ([record.name for record in result.records], [*result.warnings]) == ([name], []), source


@pytest.fixture
def shapefile(tmp_path):
    """A folder with a Shapefile and a file that is none of its parts."""
    folder = tmp_path / "export"
    folder.mkdir()
    write_vector(folder / "campus.shp")
    (folder / "readme.txt").write_text("Campus buildings")
    return folder


def test_a_shapefile_is_read_from_a_folder_a_file_and_an_archive(shapefile, tmp_path):
    files = [*shapefile.iterdir()]
    for path in (
        shapefile,
        shapefile / "campus.shp",
        pack(tmp_path / "campus.zip", *files),
        pack(tmp_path / "nested.zip", *files, inside="GIS export/"),
    ):
        assert [record.id for record in read(path).records] == [1], path
    alone = shutil.copy(shapefile / "campus.shp", tmp_path / "campus.shp")
    assert reason(alone) == "cannot be read by GDAL: Unable to open campus.shx or campus.SHX"


def test_all_files_of_a_shapefile_are_sources(shapefile):
    files = ["campus.cpg", "campus.dbf", "campus.prj", "campus.shp", "campus.shx"]
    digests = {file: hashlib.sha256((shapefile / file).read_bytes()).hexdigest() for file in files}

    for path in (shapefile, shapefile / "campus.shp"):
        assert {source["file"]: source["sha256"] for source in read(path).sources} == digests, path


def test_text_that_is_not_utf_8_is_an_error_that_says_the_setting(tmp_path):
    for name, table in [("campus.shp", "campus.dbf"), ("Gebäude.gpkg", "Gebäude.gpkg")]:
        path = write_vector(tmp_path / name, name=["Haus zzz"])
        content = (tmp_path / table).read_bytes()
        (tmp_path / table).write_bytes(content.replace(b"zzz", b"z\xe9z"))

        assert reason(path) == "has text that is not UTF-8: set encoding in the profile (of a Shapefile)", name
    assert [record.name for record in read(tmp_path / "campus.shp", encoding="cp1252").records] == ["Haus zéz"]


def test_a_deleted_record_of_a_shapefile_is_left_out(tmp_path):
    path = write_vector(tmp_path / "campus.shp", WIDENER, WIDENER)
    table = bytearray(path.with_suffix(".dbf").read_bytes())
    table[int.from_bytes(table[8:10], "little")] = ord("*")
    path.with_suffix(".dbf").write_bytes(table)

    assert [record.id for record in read(path).records] == [2]


def test_a_kmz_is_read(tmp_path):
    kml = write_vector(tmp_path / "campus.kml", WIDENER, shapely.Point(-71.1, 42.3))
    for name in ("doc.kml", "./doc.kml"):
        with zipfile.ZipFile(tmp_path / "campus.kmz", "w") as file:
            file.writestr(name, kml.read_bytes())
            file.writestr("files/icon.png", b"")
            file.writestr("files/other.kml", b"")

        assert [record.id for record in read(tmp_path / "campus.kmz").records] == [1, 2], name


def test_a_truncated_file_is_an_error(tmp_path, capfd):
    for suffix in DRIVERS:
        path = write_vector(tmp_path / f"campus{suffix}", *[WIDENER] * 500)
        content = path.read_bytes()

        for share in (0.1, 0.5, 0.95):
            path.write_bytes(content[: int(len(content) * share)])
            assert error_of(read, path), (suffix, share)
    assert capfd.readouterr() == ("", "")


def test_a_broken_file_is_an_error(save, capfd):
    for content, expected in [
        (b"PK\x03\x04 and no more", "is a ZIP archive that cannot be read: File is not a zip file"),
        ('<kml xmlns="http://www.opengis.net/kml/2.2"><Document>', "cannot be read by GDAL: "),
        ("<kml><Document><NetworkLink/></Document></kml>", "has no Placemark: export the map itself, not a link to it"),
        (b"SQLite format 3\0 and no more", "cannot be read by SQLite: "),
        (b"\0\0'\n", "is only one file of a Shapefile: use its folder or a .zip"),
    ]:
        assert reason(save(content)).startswith(expected), content
    assert capfd.readouterr() == ("", "")
