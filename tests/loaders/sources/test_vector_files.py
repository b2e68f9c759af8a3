"""Exports that make GDAL read other files or URLs, and archives."""

import zipfile
from itertools import product

import pyogrio
import pytest

from loaders.inference import propose
from loaders.sources.vector_files import restrict_gdal
from tests.loaders.errors import error_of
from tests.loaders.vector_files import pack, read, reason, write_vector

OURS = {"ESRI Shapefile", "GPKG", "KML", "LIBKML", "TopoJSON"}
CSV = "id,name,x,y\n1,Hidden,-71.1,42.3\n"
PLACEMARK = "<Placemark><name>{}</name><Point><coordinates>-71,42</coordinates></Point></Placemark>"
KML = f"<kml>{PLACEMARK}</kml>"
DESCRIPTION = "a Shapefile, a GeoPackage, KML, KMZ or TopoJSON"


@pytest.mark.usefixtures("all_gdal_drivers")
def test_only_our_drivers_exist_when_a_file_is_read(save):
    error_of(read, save("<kml></kml>"))

    assert set(pyogrio.list_drivers()) == OURS


@pytest.mark.usefixtures("all_gdal_drivers")
@pytest.mark.parametrize("prefix", ["/vsicurl/", "/vsicurl_streaming/", "/vsizip//vsicurl/", "/vsiwebhdfs/", ""])
def test_no_network_file_system_exists_when_a_file_is_read(web, prefix):
    url = web.add("/campus.kml", KML.format("Hidden"))
    restrict_gdal()

    with pytest.raises(pyogrio.errors.DataSourceError):
        pyogrio.read_info(prefix + url)
    assert web.requests == []


def test_links_of_kml_are_not_followed(web, save):
    secret = save(CSV, "secret.csv")
    url = web.add("/secret.csv", "Hidden")
    elements = [
        "<NetworkLink><Link><href>{}</href></Link></NetworkLink>",
        "<Placemark><name>p</name><styleUrl>{}#s</styleUrl></Placemark>",
        "<Placemark><name>p</name><Model><Link><href>{}</href></Link></Model></Placemark>",
        "<GroundOverlay><Icon><href>{}</href></Icon></GroundOverlay>",
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{}" parse="text"/>',
    ]
    for element, target in product(elements, [secret, f"/vsicurl/{url}", "../secret.csv", url]):
        link = element.format(target)

        text = propose.profile(save(f"<kml><Document>{link}{PLACEMARK.format('Widener')}</Document></kml>"))

        assert ("Widener" in text, "Hidden" in text, web.requests) == (True, False, []), link


def test_names_of_members_of_a_zip_are_only_names(web, tmp_path):
    url = web.add("/secret.kml", KML.format("Hidden"))
    (tmp_path / "secret.kml").write_text(KML.format("Hidden"))
    for name in (f"/vsicurl/{url}", "../../secret.kml", f"{tmp_path}/secret.kml", "a}}/../secret.kml"):
        with zipfile.ZipFile(tmp_path / "campus.zip", "w") as file:
            file.writestr(name, KML.format("Widener"))

        assert "Widener" in propose.profile(tmp_path / "campus.zip"), name
    assert web.requests == []


def test_a_link_to_a_shapefile_or_its_folder_is_followed(tmp_path):
    shapefile = tmp_path / "export"
    shapefile.mkdir()
    write_vector(shapefile / "campus.shp")
    for target in (shapefile, shapefile / "campus.shp"):
        link = tmp_path / f"latest-{target.name}"
        link.symlink_to(target)
        assert len(read(link).records) == 1, target


def test_a_file_without_a_known_signature_or_with_a_dtd_is_not_passed_to_gdal(save):
    for content in ("{}", "[]", "<svg>", "<OGRVRTDataSource>", "", '<!DOCTYPE kml SYSTEM "x"><kml/>'):
        assert reason(save(content)) == f"is not {DESCRIPTION}", content


def test_an_archive_must_have_one_readable_file(tmp_path):
    path = tmp_path / "campus.zip"
    for members, expected in [
        ([], "is a ZIP archive without exactly one readable file: none"),
        (["a.txt"], "is a ZIP archive without exactly one readable file: none"),
        (["a.kml", "b.gpkg"], "is a ZIP archive without exactly one readable file: a.kml, b.gpkg"),
        (["b.csv", "a.JSON"], "is a ZIP archive without exactly one readable file: a.JSON, b.csv"),
        (["doc.kml"], f"has a member doc.kml that is not {DESCRIPTION}"),
    ]:
        with zipfile.ZipFile(path, "w") as file:
            for name in ["readme", *members]:
                file.writestr(name, b"")

        assert reason(path) == expected, members


def test_a_member_that_expands_too_much_is_not_unpacked(tmp_path):
    path = tmp_path / "campus.zip"
    for members, signature in [
        (["campus.gpkg"], b"SQLite format 3\0"),
        (["gis/campus.shp", "gis/campus.shx", "gis/campus.dbf"], b"\0\0'\n"),
    ]:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name in members:
                file.writestr(name, signature + bytes(100_000_000 // len(members)))

        assert reason(path) == f"has a member {members[0]} that is 200 times as large decompressed", members


def test_a_file_that_gdal_cannot_hold_in_memory_is_an_error(save, tmp_path):
    path = save('{"type": "Topology"' + " " * 15_000_000 + "}", "campus.topojson")

    for each in (path, pack(tmp_path / "campus.zip", path)):
        assert reason(each) == "has over 15,000,000 bytes of topojson: convert it to a GeoPackage with ogr2ogr", each
