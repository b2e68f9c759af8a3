import json
import shutil
import sqlite3
from contextlib import closing

from tests.loaders.errors import error_of
from tests.loaders.vector_files import WIDENER, pack, read, reason, write_vector

VIEW = "CREATE VIEW other AS SELECT fid, geom FROM campus"
TOPOLOGY = {"type": "Topology", "arcs": [[[-71.2, 42.3], [-71.1, 42.3], [-71.2, 42.4], [-71.2, 42.3]]]}
PLACEMARK = """<Placemark><ExtendedData><Data name="BLDG_ID"><value>{}</value></Data></ExtendedData>
<Point><coordinates>-71.1165,42.3735</coordinates></Point></Placemark>"""


def test_parts_of_a_shapefile_with_different_numbers_are_an_error(tmp_path):
    for stale, shapes, rows in [("shx", 3, 5), ("dbf", 5, 3)]:
        for name, number in [("old", 3), ("new", 5)]:
            (tmp_path / name).mkdir()
            write_vector(tmp_path / name / "campus.shp", *[WIDENER] * number)
        (tmp_path / f"old/campus.{stale}").replace(tmp_path / f"new/campus.{stale}")
        folder = tmp_path / "new"

        for path in (folder / "campus.shp", folder, pack(tmp_path / "campus.zip", *folder.iterdir())):
            expected = f"has {shapes} shapes in campus.shx, but {rows} rows in campus.dbf: are they of one export?"
            assert reason(path) == expected, (stale, path)
        for name in ("old", "new"):
            shutil.rmtree(tmp_path / name)


def test_a_geopackage_with_sql_that_computes_values_is_not_opened(tmp_path):
    for sql, name in [
        (VIEW, "view other"),
        ('CREATE VIRTUAL TABLE "a USING rtree(" USING fts5(text)', "virtual table a USING rtree("),
        ("CREATE TABLE other (id, twice GENERATED ALWAYS AS (2 * id))", "generated column other.twice"),
    ]:
        path = tmp_path / "campus.gpkg"
        path.unlink(missing_ok=True)
        write_vector(path)
        with closing(sqlite3.connect(path)) as database:
            database.execute(sql)

        for each in (path, pack(tmp_path / "campus.zip", path)):
            assert reason(each) == f"has the {name}, which may compute anything: export it as a table", sql


def test_a_view_in_the_journal_of_a_geopackage_is_not_opened(tmp_path):
    path = write_vector(tmp_path / "campus.gpkg")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = wal")
        database.execute(VIEW)

        assert reason(path).startswith("has the view other")


def topojson(save, *geometries, arcs=TOPOLOGY["arcs"], **others):
    objects = {"halls": {"type": "GeometryCollection", "geometries": geometries}, **others}
    return save(json.dumps({"type": "Topology", "arcs": arcs, "objects": objects}))


def test_geometries_of_topojson_that_gdal_leaves_out_are_an_error(save):
    area = {"type": "Polygon", "arcs": [[0]], "properties": {"id": 7}}
    null = {"type": None, "properties": {"id": 8}}
    collection = {"type": "GeometryCollection", "geometries": [area], "properties": {"id": 8}}

    for path in (topojson(save, area, null), topojson(save, area, collection), topojson(save, area, other=null)):
        message = reason(path, layer="halls")
        assert message.startswith("has 2 features, of which GDAL reads only 1: "), path.read_text()


def test_topojson_whose_geometries_share_large_arcs_is_an_error(save):
    arc = [[0, 0], *([[0, 1], [1, 0], [0, -1], [-1, 0]] * 500)]
    areas = [{"type": "Polygon", "arcs": [[~0]], "properties": {"id": number}} for number in range(2500)]

    expected = "has 5,002,500 positions, as its geometries share arcs; at most 5,000,000 are read"
    assert reason(topojson(save, *areas, arcs=[arc])) == expected


def test_broken_topojson_is_an_error(save):
    for content, expected in [
        ('{"type": "Topology", "objects": ', "unexpected end of data: line 1 column 33 (char 32)"),
        ('{"type": "Topology", "objects": {}}', "'arcs'"),
        ('{"type": "Topology", "objects": [], "arcs": []}', "'list' object has no attribute 'values'"),
        ('{"type": "Topology", "objects": {"a": {"arcs": [7]}}, "arcs": [[]]}', "list index out of range"),
    ]:
        assert reason(save(content)) == f"is not TopoJSON: {expected}", content


def kml(content):
    return f'<kml xmlns="http://www.opengis.net/kml/2.2">{content}</kml>'


def test_placemarks_that_gdal_leaves_out_are_an_error_and_are_counted_as_gdal_counts_them(save):
    placemark, several = PLACEMARK.format(7), save(kml(PLACEMARK.format(7) + PLACEMARK.format(8)))
    missing = "has 2 features, of which GDAL reads only 1: not several Placemarks directly below"
    assert reason(several).startswith(missing)

    for content in (
        placemark,
        f"<Document><!-- {PLACEMARK} -->{placemark}<Placemark ></Placemark></Document>",
        f"<Document><description><![CDATA[<Placemark>]]></description>{placemark}</Document>",
    ):
        assert error_of(read, save(kml(content))) is None, content

    other_layer = f"<Document><Folder><name>Halls</name>{placemark}</Folder><Placemark/></Document>"
    assert len(read(save(kml(other_layer)), layer="Halls").records) == 1
