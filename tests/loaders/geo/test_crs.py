import math
import os
import runpy

import pyproj
import pytest

from loaders.geo import crs
from loaders.geo.crs import WGS84, crs_from_name, crs_from_wkid
from tests.loaders.errors import error_of, invalid_value

HARVARD = (-71.116812, 42.369393)
# The same position in feet of the Massachusetts State Plane, and on a web map.
IN_FEET = (759716.617, 2959868.783)
ON_A_WEB_MAP = (-7916687.299, 5216474.340)
UNKNOWN = "is not a known coordinate reference system"
DATUM = 'DATUM["d",SPHEROID["GRS 1980",6378137,298.257]{}],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]'
PROJECTED = 'PROJCS["x",GEOGCS["x",{}],PROJECTION["Mercator_1SP"],UNIT["m",1],EXTENSION["PROJ4","{}"]]'


def approximately(*position):
    return pytest.approx(position, abs=0.000001)


def test_a_number_of_epsg_or_of_esri_is_a_crs():
    for wkid, position in [(2249, IN_FEET), ("2249", IN_FEET), (102686, IN_FEET), (3857, ON_A_WEB_MAP)]:
        assert crs_from_wkid(wkid).to_wgs84([position]) == [approximately(*HARVARD)], wkid
    assert crs_from_wkid(2249).name == "NAD83 / Massachusetts Mainland (ftUS)"
    for wkid in (102100, 102113, 900913, 3785):
        assert crs_from_wkid(wkid) is crs_from_wkid(3857), wkid


def test_a_crs_can_be_looked_up_by_name():
    for name, position in [
        ("EPSG:3857", ON_A_WEB_MAP),
        ("urn:ogc:def:crs:EPSG::2249", IN_FEET),
        ("urn:ogc:def:crs:EPSG::26986", (231562.088, 902169.810)),
        ("EPSG:900913", ON_A_WEB_MAP),
        ("ESRI:102686", IN_FEET),
    ]:
        assert crs_from_name(name).to_wgs84([position]) == [approximately(*HARVARD)], name
    names = ["OGC:1.3:CRS84", "OGC::CRS84", "EPSG::4326"]
    uri = "http://www.opengis.net/def/crs/EPSG/0/4326"
    for name in (*(f"urn:ogc:def:crs:{each}" for each in names), "OGC:CRS84", "EPSG:4326", uri):
        assert crs_from_name(name) is WGS84, name
    degrees = [(-71.12345678912345, 42.5), (180.0, -90.0)]
    assert crs_from_wkid(4326).to_wgs84(degrees) == degrees


def test_an_unknown_wkid_is_an_error():
    # The last two are a vertical and a geocentric CRS.
    texts = ["", "EPSG:2249", "²", "2249 "]
    for wkid in (None, True, 1, 0, -2249, 2249.0, 999999, 10**12, 10**5000, *texts, [2249], {}, 5773, 4978):
        assert invalid_value(crs_from_wkid, wkid) == ("wkid", wkid, UNKNOWN), type(wkid)


def test_an_unknown_name_is_an_error():
    texts = ["", "nowhere", "EPSG:1", "EPSG:5773", '{"a":' * 100_000, "IAU_2015:30100", "+proj=longlat +R=1737400"]
    for name in (None, 3857, True, *texts, "\ud800", ["EPSG:3857"], {"code": 3857}):
        assert invalid_value(crs_from_name, name) == ("crs", name, UNKNOWN), repr(name)[:30]


def test_degrees_out_of_range_are_an_error():
    out_of_range = "is not a longitude within 180 and a latitude within 90 degrees"
    in_metres = "is in metres or feet, not in degrees"
    swapped = "has longitude and latitude swapped: no latitude is beyond 90 degrees"
    for position, reason in [
        ((180.1, 50.0), out_of_range),
        ((100.0, -90.1), out_of_range),
        ((math.nan, 50.0), out_of_range),
        ((10.0, math.inf), out_of_range),
        ((400.0, 50.0), out_of_range),
        ((34.4, -119.8), swapped),
        (IN_FEET, in_metres),
        (ON_A_WEB_MAP, in_metres),
    ]:
        assert invalid_value(WGS84.to_wgs84, [HARVARD, position]) == ("geometry", list(position), reason), position


def test_degrees_in_place_of_metres_are_explained():
    feet = crs_from_wkid(2249)
    reason = f"is in degrees, not in metres or feet of its coordinate reference system {feet.name}: set wkid = 4326"
    for position in (HARVARD, (-180.0, 90.0), (0.0, 0.5)):
        error = invalid_value(feet.to_wgs84, [position, position])
        assert error == ("geometry", list(position), reason), position
    # One position that is not in degrees is enough.
    for positions in ([(180.1, 90)], [(180, 90.1)], [(1, 2), IN_FEET]):
        assert error_of(feet.to_wgs84, positions) is None, positions


def test_a_projection_without_a_number_may_have_its_origin_on_the_campus():
    crs = crs_from_name("+proj=tmerc +lat_0=42.369393 +lon_0=-71.116812 +datum=WGS84 +units=us-ft")

    assert crs.to_wgs84([(0.5, 0.5)]) == [pytest.approx(HARVARD, abs=0.00001)]


def test_a_position_outside_its_crs_is_an_error():
    outside = "is outside its coordinate reference system"
    for wkid, position in [(3035, (1e12, 1e12)), (4269, IN_FEET), (2249, (math.inf, 0.0))]:
        assert invalid_value(crs_from_wkid(wkid).to_wgs84, [position]) == ("geometry", list(position), outside), wkid


def test_proj_does_not_download_grids():
    pyproj.network.set_network_enabled(active=True)

    runpy.run_path(crs.__file__)

    assert not pyproj.network.is_network_enabled()


def test_a_definition_reads_no_file(save):
    path = save("NTv2", "grid.gsb")
    os.utime(path, (0, 0))
    for definition in (
        "+proj=longlat +datum=WGS84 +nadgrids={}",
        "+proj=longlat +datum=WGS84 +nadgrids = @null,@{}",
        "+proj=pipeline +step +init={}:x",
        "+proj=gridshift +grids={} +type=crs",
        f'GEOGCS["x",{DATUM.format(",EXTENSION[|PROJ4_GRIDS|,|{}|]")}]'.replace("|", '"'),
        PROJECTED.format(DATUM.format(""), "+proj=merc +nadgrids={}"),
    ):
        assert error_of(crs_from_name, definition.format(path)), definition
        assert path.stat().st_atime == 0, definition
    # The time is that of the last access.
    path.read_text()
    assert path.stat().st_atime > 0


def test_a_definition_without_files_is_known():
    for definition in (
        "+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +units=m",
        "+proj=lcc +lat_0=41 +lon_0=-71.5 +lat_1=42.68 +lat_2=41.72 +datum=NAD83 +to_meter=0.3048006096 +no_defs",
    ):
        assert crs_from_name(definition).transformer is not None, definition
