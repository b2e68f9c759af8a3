import math
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.errors import InvalidValue
from loaders.geo.crs import WGS84, crs_from_name, crs_from_wkid

HARVARD = (-71.116812, 42.369393)
# The same position in feet of the Massachusetts State Plane, and on a web map.
IN_FEET = (759716.617, 2959868.783)
ON_A_WEB_MAP = (-7916687.299, 5216474.340)


def approximately(*position):
    return pytest.approx(position, abs=0.000001)


def test_feet_of_the_massachusetts_state_plane_become_degrees():
    assert crs_from_wkid(2249).to_wgs84([IN_FEET]) == [approximately(*HARVARD)]


def test_positions_are_transformed_in_order():
    longitudes, latitudes = zip(
        *crs_from_wkid(2249).to_wgs84([(750000, 2950000), IN_FEET, (770000, 2970000)]), strict=True
    )

    assert (list(longitudes), list(latitudes)) == (sorted(longitudes), sorted(latitudes))


def test_transformed_positions_are_rounded_to_a_millimetre():
    [(longitude, latitude)] = crs_from_wkid(2249).to_wgs84([IN_FEET])

    assert (longitude, latitude) == (round(longitude, 8), round(latitude, 8))


def test_a_wkid_of_esri_only_is_known():
    assert crs_from_wkid(102686).to_wgs84([IN_FEET]) == [approximately(*HARVARD)]


@pytest.mark.parametrize("wkid", [102100, 102113, 900913, 3785])
def test_old_wkids_of_web_mercator_are_aliases(wkid):
    assert crs_from_wkid(wkid) is crs_from_wkid(3857)


def test_web_mercator_becomes_degrees():
    assert crs_from_wkid(3857).to_wgs84([ON_A_WEB_MAP]) == [approximately(*HARVARD)]


def test_a_number_may_be_written_as_digits():
    assert crs_from_wkid("2249") is crs_from_wkid(2249)


def test_a_crs_has_a_name():
    assert crs_from_wkid(2249).name == "NAD83 / Massachusetts Mainland (ftUS)"


def test_wgs_84_is_degrees_already():
    assert crs_from_wkid(4326) is WGS84


def test_degrees_need_no_transformation():
    positions = [(-71.12345678912345, 42.5), (180.0, -90.0)]

    assert WGS84.to_wgs84(positions) == positions


def test_degrees_of_another_datum_are_longitude_and_latitude():
    assert crs_from_wkid(4269).to_wgs84([HARVARD]) == [pytest.approx(HARVARD, abs=0.0001)]


def test_degrees_with_heights_are_longitude_and_latitude():
    assert crs_from_wkid(4979).to_wgs84([HARVARD]) == [approximately(*HARVARD)]


@pytest.mark.parametrize(
    "wkid",
    [None, True, 1, 0, -2249, 2249.0, 999999, 10**12, 10**5000, "", "EPSG:2249", "²", "2249 ", [2249], {}],
    ids=lambda wkid: repr(wkid) if wkid != 10**5000 else "huge",
)
def test_an_unknown_wkid_is_rejected(wkid):
    with pytest.raises(InvalidValue) as error:
        crs_from_wkid(wkid)

    assert error.value.args == ("wkid", wkid, "is not a known coordinate reference system")


@pytest.mark.parametrize("wkid", [5773, 4978], ids=["heights", "from the centre of the earth"])
def test_a_vertical_or_geocentric_crs_is_rejected(wkid):
    with pytest.raises(InvalidValue, match="is not a known coordinate reference system"):
        crs_from_wkid(wkid)


@pytest.mark.parametrize(
    "name",
    [
        "urn:ogc:def:crs:OGC:1.3:CRS84",
        "urn:ogc:def:crs:OGC::CRS84",
        "OGC:CRS84",
        "EPSG:4326",
        "urn:ogc:def:crs:EPSG::4326",
        "http://www.opengis.net/def/crs/EPSG/0/4326",
    ],
)
def test_names_of_wgs_84_are_recognized(name):
    assert crs_from_name(name) is WGS84


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("EPSG:3857", ON_A_WEB_MAP),
        ("urn:ogc:def:crs:EPSG::2249", IN_FEET),
        ("urn:ogc:def:crs:EPSG::26986", (231562.088, 902169.810)),
        ("EPSG:900913", ON_A_WEB_MAP),
        ("ESRI:102686", IN_FEET),
    ],
)
def test_a_crs_can_be_looked_up_by_name(name, position):
    assert crs_from_name(name).to_wgs84([position]) == [approximately(*HARVARD)]


@pytest.mark.parametrize(
    "name", [None, 3857, True, "", "nowhere", "EPSG:1", "EPSG:5773", ["EPSG:3857"], {"code": 3857}, '{"a":' * 100_000]
)
def test_an_unknown_crs_name_is_rejected(name):
    with pytest.raises(InvalidValue) as error:
        crs_from_name(name)

    assert error.value.args == ("crs", name, "is not a known coordinate reference system")


@pytest.mark.parametrize("position", [(180.1, 50.0), (100.0, -90.1), (math.nan, 50.0), (10.0, math.inf), (400.0, 50.0)])
def test_degrees_out_of_range_are_rejected(position):
    with pytest.raises(InvalidValue, match="is not a longitude within 180 and a latitude within 90 degrees"):
        WGS84.to_wgs84([HARVARD, position])


@pytest.mark.parametrize("position", [IN_FEET, ON_A_WEB_MAP])
def test_metres_in_place_of_degrees_are_explained(position):
    with pytest.raises(InvalidValue, match="is in metres or feet, not in degrees: set its CRS"):
        WGS84.to_wgs84([position])


@pytest.mark.parametrize("position", [HARVARD, (-180.0, 90.0), (0.0, 0.5)])
def test_degrees_in_place_of_metres_are_explained(position):
    with pytest.raises(InvalidValue) as error:
        crs_from_wkid(2249).to_wgs84([position, position])

    reason = "is in degrees, not in metres or feet of its coordinate reference system NAD83 / Massachusetts Mainland"
    assert error.value.args == ("geometry", list(position), f"{reason} (ftUS)")


@pytest.mark.parametrize("positions", [[(180.1, 90)], [(180, 90.1)], [(1, 2), IN_FEET]])
def test_a_footprint_with_a_position_that_is_not_in_degrees_is_in_feet(positions):
    assert len(crs_from_wkid(2249).to_wgs84(positions)) == len(positions)


def test_a_projection_without_a_number_may_have_its_origin_on_the_campus():
    crs = crs_from_name("+proj=tmerc +lat_0=42.369393 +lon_0=-71.116812 +datum=WGS84 +units=us-ft")

    assert crs.to_wgs84([(0.5, 0.5)]) == [pytest.approx(HARVARD, abs=0.00001)]


@pytest.mark.parametrize(("wkid", "position"), [(3035, (1e12, 1e12)), (4269, IN_FEET), (2249, (math.inf, 0.0))])
def test_a_position_outside_its_crs_is_rejected(wkid, position):
    with pytest.raises(InvalidValue) as error:
        crs_from_wkid(wkid).to_wgs84([position])

    assert error.value.args == ("geometry", list(position), "is outside its coordinate reference system")


def test_proj_does_not_download_grids():
    program = "import loaders.geo.crs as r; print(r.crs_from_wkid(2249).transformer.is_network_enabled)"
    environment = {**os.environ, "PROJ_NETWORK": "ON"}

    process = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )

    assert process.stdout.strip() == "False"


@given(st.floats(699000, 900000), st.floats(2700000, 3100000))
def test_every_position_of_massachusetts_is_in_massachusetts(x, y):
    [(longitude, latitude)] = crs_from_wkid(2249).to_wgs84([(x, y)])

    assert -71.7 < longitude < -70.4
    assert 41.5 < latitude < 42.9


DATUM = 'DATUM["d",SPHEROID["GRS 1980",6378137,298.257]{}],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]'
PROJECTED = 'PROJCS["x",GEOGCS["x",{}],PROJECTION["Mercator_1SP"],UNIT["m",1],EXTENSION["PROJ4","{}"]]'


@pytest.mark.parametrize(
    "definition",
    [
        "+proj=longlat +datum=WGS84 +nadgrids={}",
        "+proj=longlat +datum=WGS84 +nadgrids = @null,@{}",
        "+proj=pipeline +step +init={}:x",
        "+proj=gridshift +grids={} +type=crs",
        f'GEOGCS["x",{DATUM.format(",EXTENSION[|PROJ4_GRIDS|,|{}|]")}]'.replace("|", '"'),
        PROJECTED.format(DATUM.format(""), "+proj=merc +nadgrids={}"),
    ],
)
def test_a_definition_opens_no_file(tmp_path, definition):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code = "import sys; from loaders.geo.crs import crs_from_name; crs_from_name(sys.argv[1])"

    # A process that opens the pipe waits for ever.
    result = subprocess.run(
        [sys.executable, "-c", code, definition.format(pipe)], timeout=20, capture_output=True, text=True
    )

    assert "loaders.errors.InvalidValue: " in result.stderr


@pytest.mark.parametrize(
    "definition",
    [
        "+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +units=m",
        "+proj=lcc +lat_0=41 +lon_0=-71.5 +lat_1=42.68 +lat_2=41.72 +datum=NAD83 +to_meter=0.3048006096 +no_defs",
    ],
)
def test_a_definition_without_files_is_known(definition):
    assert crs_from_name(definition).transformer is not None
