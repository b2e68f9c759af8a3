"""Exports that make GDAL read other files or URLs."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from itertools import product

import numpy as np
import pyogrio.raw
import pytest
import shapely
from click.testing import CliRunner

from loaders.cli.main import main

COMMANDS = ["buildings", "check", "profile"]
SIGNATURES = {
    "gpkg": b"SQLite format 3\0",
    "shp": b"\0\0'\n",
    "kml": b"<kml></kml>\n",
    "topojson": b'{"x": {"type": "Topology"}}\n',
}
OURS = {"ESRI Shapefile", "GPKG", "KML", "LIBKML", "TopoJSON"}
OTHERS = sorted(set(pyogrio.list_drivers()) - OURS)

# Writes a point named "Hidden" with every driver of GDAL that can, to a folder of its own for each.
WRITER = """
import sys, warnings
from pathlib import Path
import numpy, pyogrio.raw, shapely
warnings.simplefilter("ignore")
point, name = shapely.to_wkb(numpy.array([shapely.Point(-71.1, 42.3)])), numpy.array(["Hidden"], dtype=object)
for driver, mode in pyogrio.list_drivers().items():
    folder = Path(sys.argv[1], driver)
    folder.mkdir()
    extension = (pyogrio.list_drivers_details()[driver].get("extensions") or ["dat"])[0]
    if "w" in mode:
        try:
            pyogrio.raw.write(folder / f"hidden.{extension}", point, [name], ["name"], crs="EPSG:4326", driver=driver,
                              geometry_type="Point")
        except Exception:
            pass
"""


@pytest.fixture
def run(campus_load):
    """Run a command for an export; the command profile needs no database."""

    def run(command, export):
        if command == "profile":
            return CliRunner().invoke(main, [command, str(export)])
        return campus_load(command, export)

    return run


@pytest.fixture
def secret(save):
    """A file of the machine that nobody exports."""
    return save("id,name,x,y\n1,Hidden,-71.1,42.3\n", "secret.csv")


def vrt(source):
    layer = f"<SrcDataSource>CSV:{source}</SrcDataSource><SrcLayer>secret</SrcLayer>"
    geometry = '<GeometryType>wkbPoint</GeometryType><GeometryField encoding="PointFromColumns" x="x" y="y"/>'
    return f'<OGRVRTDataSource><OGRVRTLayer name="s">{layer}{geometry}</OGRVRTLayer></OGRVRTDataSource>'


def gdalg(source):
    points = "--oo X_POSSIBLE_NAMES=x --oo Y_POSSIBLE_NAMES=y"
    command = f"gdal vector pipeline ! read {points} CSV:{source} ! write --of stream streamed_dataset"
    value = {"x": {"type": "Topology"}, "type": "gdal_streamed_alg", "command_line": command}
    return json.dumps({**value, "relative_paths_relative_to_this_file": False})


def wfs(url):
    return f"<OGRWFSDataSource><URL>{url}</URL></OGRWFSDataSource>"


def assert_nothing_is_read(result):
    assert (result.exit_code, result.stdout, "Hidden" in result.stderr) == (2, "", False)
    reasons = "cannot be read by (GDAL|SQLite)|has no layer with|is not (in a known format|TopoJSON)|may compute"
    assert re.search(reasons, result.stderr)


def pack(path):
    with zipfile.ZipFile(path.with_suffix(".zip"), "w") as file:
        file.write(path, path.name)
    return path.with_suffix(".zip")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("archived", [False, True], ids=["", "zip"])
@pytest.mark.parametrize(
    ("name", "content"),
    [("campus.kml", lambda path: "<kml></kml>" + vrt(path)), ("campus.topojson", gdalg)],
    ids=["OGR_VRT", "GDALG"],
)
def test_a_file_that_names_another_file_is_refused(run, save, secret, name, content, archived, command):
    path = save(content(secret), name)

    assert_nothing_is_read(run(command, pack(path) if archived else path))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_downloaded_file_that_names_a_local_file_is_refused(run, web, secret, command):
    url = web.add("/campus.kml", "<kml></kml>" + vrt(secret))

    assert_nothing_is_read(run(command, url))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "content",
    [
        lambda url: "<kml></kml>" + vrt(f"/vsicurl/{url}"),
        lambda url: gdalg(f"/vsicurl/{url}"),
        lambda url: "<kml></kml>" + wfs(url),
    ],
    ids=["OGR_VRT", "GDALG", "WFS"],
)
def test_a_file_that_names_a_url_is_refused(run, web, save, content, command):
    path = save(content(web.add("/secret.csv", "id,name,x,y\n1,Hidden,-71.1,42.3\n")))

    assert_nothing_is_read(run(command, path))
    assert web.requests == []


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A folder with files of every driver that writes, made in another process, which has all drivers."""
    folder = tmp_path_factory.mktemp("drivers")
    subprocess.run([sys.executable, "-c", WRITER, folder], check=True, capture_output=True)
    return folder


# Files for drivers that only read, or that write to a server.
HANDMADE = {
    "OGR_VRT": ("vrt", vrt),
    "GDALG": ("gdalg.json", gdalg),
    "WFS": ("wfs", lambda path: wfs(path.as_uri())),
    "ESRIJSON": (
        "json",
        lambda path: json.dumps(
            {"geometryType": "esriGeometryPoint", "fields": [{"name": "name", "type": "esriFieldTypeString"}]}
            | {"features": [{"attributes": {"name": "Hidden"}, "geometry": {"x": -71.1, "y": 42.3}}]}
        ),
    ),
    "OSM": (
        "osm",
        lambda path: '<osm version="0.6"><node id="1" lat="42" lon="-71"><tag k="name" v="Hidden"/></node></osm>',
    ),
    "OAPIF": ("oapif", lambda path: f'{{"links": [{{"rel": "data", "href": "{path.as_uri()}"}}]}}'),
    "CSW": ("csw", lambda path: f"<OGRCSWDataSource><URL>{path.as_uri()}</URL></OGRCSWDataSource>"),
    "OGCAPI": ("moaw", lambda path: f"<OGCAPI><URL>{path.as_uri()}</URL></OGCAPI>"),
    "PLSCENES": ("json", lambda path: f'{{"type": "plscenes", "href": "{path}"}}'),
}


def other_files(folder, driver, secret):
    """Return the files of a driver, or else a file that names it."""
    files = [each for each in (folder / driver).rglob("*") if each.is_file()]
    if files:
        return files
    suffix, content = HANDMADE.get(driver, ("dat", lambda path: f"{driver}:{path}"))
    path = folder / driver / f"hidden.{suffix}"
    path.write_text(content(secret))
    return [path]


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("driver", OTHERS)
def test_no_other_driver_opens_a_file_behind_a_signature(campus_load, tmp_path, written, secret, driver, signature):
    for path in other_files(written, driver, secret):
        hidden = tmp_path / path.name
        hidden.write_bytes(SIGNATURES[signature] + path.read_bytes())

        assert_nothing_is_read(campus_load("check", hidden, "--profile", "gdal"))


def test_only_our_drivers_exist_when_a_file_is_opened(save):
    code = (
        "import sys; from click.testing import CliRunner; from loaders.cli.main import main; import pyogrio;"
        "CliRunner().invoke(main, ['profile', sys.argv[1]]); print(sorted(pyogrio.list_drivers()))"
    )

    result = subprocess.run(
        [sys.executable, "-c", code, save("<kml></kml>")], capture_output=True, text=True, check=True
    )

    assert result.stdout == f"{sorted(OURS)}\n"


@pytest.mark.parametrize(
    "name",
    ["/vsicurl/{}", "/vsicurl_streaming/{}", "/vsizip//vsicurl/{}", "/vsiwebhdfs/{}", "{}"],
)
def test_no_network_file_system_exists_when_a_file_is_opened(save, web, name):
    url = web.add("/campus.kml", "<kml></kml>")
    code = (
        "import sys; from loaders.sources.vector_files import restrict_gdal; import pyogrio; restrict_gdal()\n"
        "try: pyogrio.read_info(sys.argv[1])\nexcept Exception: print('refused')"
    )

    result = subprocess.run([sys.executable, "-c", code, name.format(url)], capture_output=True, text=True, check=True)

    assert (result.stdout, web.requests) == ("refused\n", [])


def write_point(path, driver, **columns):
    pyogrio.raw.write(
        path,
        shapely.to_wkb(np.array([shapely.Point(-71.1, 42.3)])),
        [np.array([value], dtype=object if isinstance(value, str) else int) for value in columns.values()],
        list(columns),
        crs="EPSG:4326",
        driver=driver,
        geometry_type="Point",
        layer="points" if driver == "GPKG" else None,
    )
    return path


def geopackage(path, *definitions):
    """Return a GeoPackage with more tables and views, of which the layer "campus" is one."""
    write_point(path, "GPKG", id=1)
    database = sqlite3.connect(path)
    database.execute("PRAGMA writable_schema = ON")
    for sql in definitions:
        kind, name = re.match("CREATE (?:VIRTUAL )?(TABLE|VIEW) ([a-z]+)", sql).groups()
        row = (kind.lower(), name, name, sql)
        database.execute("INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)", row)
    database.execute("UPDATE gpkg_contents SET table_name = 'campus', identifier = 'campus'")
    database.execute("UPDATE gpkg_geometry_columns SET table_name = 'campus'")
    database.execute("DELETE FROM gpkg_extensions")
    database.commit()
    database.close()
    return path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "sql",
    [
        "CREATE VIRTUAL TABLE other USING VirtualText('{csv}', 'UTF-8', 1, POINT, DOUBLEQUOTE, ',')",
        "CREATE VIRTUAL TABLE other USING VirtualShape('{shapefile}', 'UTF-8', 4326)",
        "CREATE VIRTUAL TABLE other USING VirtualDbf('{shapefile}.dbf', 'UTF-8')",
        "CREATE VIRTUAL TABLE other USING VirtualOGR('{csv}')",
        "CREATE VIEW other AS SELECT BlobFromFile('{csv}') AS name",
        "CREATE VIEW other AS SELECT load_extension('{csv}') AS name",
        "CREATE VIEW other AS SELECT file || 'Hidden' AS name FROM pragma_database_list",
    ],
)
def test_a_geopackage_whose_table_is_another_file_is_refused(run, tmp_path, secret, command, sql):
    write_point(tmp_path / "secret.shp", "ESRI Shapefile", name="Hidden")
    other = sql.format(csv=secret, shapefile=tmp_path / "secret")
    view = (
        "CREATE VIEW campus AS SELECT p.fid AS fid, p.id AS id, p.geom AS geom, o.name AS name FROM points p, other o"
    )
    path = geopackage(tmp_path / "campus.gpkg", other, view)

    assert_nothing_is_read(run(command, path))


ENDLESS = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT sum(n) AS n FROM numbers"


@pytest.mark.parametrize("pack", [lambda path: path, pack], ids=["", "zip"])
@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("CREATE VIEW other AS SELECT fid, id, geom FROM points", "view other"),
        (f"CREATE VIEW other AS {ENDLESS}", "view other"),
        ('CREATE VIRTUAL TABLE "a USING rtree(" USING fts5(text)', "virtual table a USING rtree("),
        ("CREATE TABLE other (id, huge GENERATED ALWAYS AS (hex(zeroblob(400000000))))", "generated column other.huge"),
    ],
)
def test_a_geopackage_with_sql_that_computes_values_is_not_opened(run, tmp_path, sql, name, pack):
    path = write_point(tmp_path / "campus.gpkg", "GPKG", id=1)
    with closing(sqlite3.connect(path)) as database:
        database.execute(sql)

    path = pack(path)
    result = run("profile", path)

    reason = f"has the {name}, which may compute anything: export it as a table"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


def test_a_view_in_the_journal_of_a_geopackage_is_not_opened(run, tmp_path):
    path = write_point(tmp_path / "campus.gpkg", "GPKG", id=1)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = wal")
        database.execute(f"CREATE VIEW other AS {ENDLESS}")

        result = run("profile", path)

    assert "has the view other" in result.stderr


@pytest.mark.parametrize(
    ("names", "signature"),
    [
        (["campus.gpkg"], b"SQLite format 3\0"),
        (["gis/campus.shp", "gis/campus.shx", "gis/campus.dbf"], b"\0\0'\n"),
    ],
)
def test_a_file_that_expands_too_much_is_not_unpacked(run, tmp_path, names, signature):
    path = tmp_path / "campus.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in names:
            file.writestr(name, signature + bytes(100_000_000 // len(names)))

    result = run("profile", path)

    reason = f"has a member {names[0]} that is 200 times as large decompressed"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {path}: {reason}\n")


@pytest.mark.parametrize("target", ["{folder}/secret.csv", "/vsicurl/{url}", "../secret.csv", "{url}"])
@pytest.mark.parametrize(
    "element",
    [
        "<NetworkLink><Link><href>{0}</href></Link></NetworkLink>",
        "<Placemark><name>p</name><styleUrl>{0}#s</styleUrl></Placemark>",
        "<Placemark><name>p</name><Model><Link><href>{0}</href></Link></Model></Placemark>",
        "<GroundOverlay><Icon><href>{0}</href></Icon></GroundOverlay>",
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{0}" parse="text"/>',
    ],
    ids=["NetworkLink", "styleUrl", "Model", "GroundOverlay", "XInclude"],
)
def test_links_of_kml_are_not_followed(run, web, save, secret, element, target):
    web.add("/secret.csv", "Hidden")
    link = element.format(target.format(folder=secret.parent, url=web.url("/secret.csv")))
    placemark = "<Placemark><name>Widener</name><Point><coordinates>-71,42</coordinates></Point></Placemark>"

    result = run("profile", save(f"<kml><Document>{link}{placemark}</Document></kml>", "campus.kml"))

    assert ("Widener" in result.output, "Hidden" in result.output, web.requests) == (True, False, [])


@pytest.mark.parametrize("entity", ["SYSTEM '{0}'", "PUBLIC 'x' '{1}'"])
def test_external_entities_of_kml_are_not_read(run, web, save, secret, entity):
    external = entity.format(secret.as_uri(), web.add("/secret.csv", "Hidden"))
    declaration = f'<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY e {external}>]>'
    placemark = "<Placemark><name>&e;</name><Point><coordinates>-71,42</coordinates></Point></Placemark>"

    # Documents with a type declaration are not recognized as KML.
    result = run("profile", save(f"{declaration}<kml>{placemark}</kml>", "campus.kml"))

    assert_nothing_is_read(result)
    assert web.requests == []


@pytest.mark.parametrize("name", ["/vsicurl/{url}", "../../secret.kml", "{folder}/secret.kml", "a}}/../secret.kml"])
def test_names_of_members_of_a_zip_are_only_names(run, web, tmp_path, name):
    kml = "<kml><Placemark><name>{}</name><Point><coordinates>-71,42</coordinates></Point></Placemark></kml>"
    url = web.add("/secret.kml", kml.format("Hidden"))
    (tmp_path / "secret.kml").write_text(kml.format("Hidden"))
    with zipfile.ZipFile(tmp_path / "campus.zip", "w") as file:
        file.writestr(name.format(url=url, folder=tmp_path), kml.format("Widener"))

    result = run("profile", tmp_path / "campus.zip")

    assert ("Hidden" in result.output, web.requests) == (False, [])


@pytest.fixture
def shapefile(tmp_path):
    """A folder with a Shapefile."""
    folder = tmp_path / "export"
    folder.mkdir()
    write_point(folder / "campus.shp", "ESRI Shapefile", id=1, name="Hidden")
    return folder


@pytest.mark.parametrize(
    ("export", "name"), [(".", "campus.shp"), *product([".", "campus.shp"], ["campus.dbf", "campus.shx", "campus.prj"])]
)
def test_a_part_of_a_shapefile_outside_of_its_folder_is_refused(run, shapefile, tmp_path, export, name):
    shutil.move(shapefile / name, tmp_path / name)
    (shapefile / name).symlink_to(tmp_path / name)

    result = run("profile", shapefile / export)

    assert (result.exit_code, f"has a link to another folder: {name}" in result.output) == (2, True)


@pytest.mark.parametrize("export", [".", "campus.shp"])
def test_a_link_to_a_shapefile_is_read(run, shapefile, tmp_path, export):
    link = tmp_path / "latest"
    link.symlink_to(shapefile / export)

    assert "ESRI Shapefile, 1 feature" in run("profile", link).stdout


def test_links_next_to_a_file_that_has_no_parts_are_ignored(run, save, tmp_path):
    kml = "<kml><Placemark><name>Widener</name><Point><coordinates>-71,42</coordinates></Point></Placemark></kml>"
    (tmp_path / "campus.pdf").symlink_to("/dev/null")

    assert "Widener" in run("profile", save(kml, "campus.kml")).stdout
