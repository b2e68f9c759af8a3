import tomllib
from pathlib import Path

import pytest

from loaders import profiles
from loaders.inference import propose
from loaders.readers import buildings, dining

DATA = Path(__file__).parents[4] / "shared/data"
BUILDINGS = [
    ("cambridge-landmarks.geojson", 117),
    ("cambridge-municipal-points.geojson", 24),
    ("cook-county-arcgis-rings.json", 500),
    ("ucsb-dorms.geojson", 31),
    ("harvard-arcgis-find.json", 1),
]
MENUS = [
    ("huds-dunster-mather-2010-08.csv", 0),
    ("huds-sample-2010-07.csv", 1),
    ("foodpro-harvard-row.json", 0),
    ("foodpro-boston-college-row.json", 0),
]
PATHS = [*(f"buildings/{name}" for name, _ in BUILDINGS), *(f"dining/{name}" for name, _ in MENUS)]

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are not there: {DATA}")


def fields(text):
    return tomllib.loads(text)["fields"]


@pytest.mark.parametrize(("name", "usable"), BUILDINGS)
def test_a_real_export_is_read_with_its_proposed_profile(save_profile, name, usable):
    profile_path = save_profile(DATA / "buildings" / name)

    result = buildings.read([DATA / "buildings" / name], profiles.load_building_profile(profile_path))

    assert len(result.records) == usable


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        (
            "cambridge-landmarks.geojson",
            {"id": "id", "name": "HISTORIC_N", "address": "ADDRESS", "image": "PICURL"},
        ),
        ("cambridge-municipal-points.geojson", {"id": "id", "name": "SITE_NAME", "address": "ADDRESS"}),
        ("cook-county-arcgis-rings.json", {"id": "PIN14"}),
        ("ucsb-dorms.geojson", {"id": {"assign": "@id"}, "name": "name", "image": "image"}),
        (
            "harvard-arcgis-find.json",
            {"id": "Root", "name": "Building Name", "address": "Address", "city": "City", "image": "PHOTO_FILE"},
        ),
    ],
)
def test_the_fields_of_a_real_export_are_recognized(name, proposed):
    assert fields(propose.profile(DATA / "buildings" / name)) == proposed


@pytest.mark.parametrize(("name", "error_count"), MENUS)
def test_real_menus_are_read_with_their_proposed_profile(save_profile, name, error_count):
    profile_path = save_profile(DATA / "dining" / name)

    result = dining.read([DATA / "dining" / name], profiles.load_dining_profile(profile_path))

    assert (len(result.errors), bool(result.records)) == (error_count, True)


@pytest.mark.parametrize("name", PATHS)
def test_the_lines_of_a_real_proposal_are_not_too_long(name):
    assert [line for line in propose.profile(DATA / name).splitlines() if len(line) > 120] == []
