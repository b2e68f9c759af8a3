import json
from pathlib import Path

import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.readers import buildings, dining

DATA = Path(__file__).parents[4] / "shared/data"
LANDMARKS = DATA / "buildings/cambridge-landmarks.geojson"
DUNSTER_MATHER = DATA / "dining/huds-dunster-mather-2010-08.csv"
ANNENBERG = DATA / "dining/huds-sample-2010-07.csv"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are not there: {DATA}")


def read_buildings(path, profile):
    return buildings.read([path], profiles.load_building_profile(profile))


def read_dining(profile, *paths):
    return dining.read(paths, profiles.load_dining_profile(profile))


def test_the_menus_of_a_house_are_read_without_errors():
    result = read_dining("huds", DUNSTER_MATHER)

    assert (result.errors, len({row.date for row in result.records})) == ([], 13)
    assert len({row.recipe.id for row in result.records}) == 193
    assert {row.location for row in result.records} == {NamedEntity(7, "Dunster and Mather House")}
    assert len(result.records) + result.duplicates == 489


def test_the_menus_of_annenberg_have_a_malformed_line_and_repeat_95_rows():
    result = read_dining("huds", ANNENBERG)

    [error] = result.errors
    assert (error.location.line, error.field, error.reason) == (96, "row", "has 1 columns instead of 8")
    assert (result.duplicates, len(result.records)) == (95, 627 - 1 - 95)


def test_the_landmarks_are_in_cambridge_and_fields_that_the_export_lacks_are_null():
    result = read_buildings(LANDMARKS, "cambridge")
    source = {each["id"]: each["properties"] for each in json.loads(LANDMARKS.read_text())["features"]}

    assert (len(result.records), result.errors, result.duplicates) == (117, [], 0)
    assert all(42.35 < each.point[0] < 42.41 and -71.17 < each.point[1] < -71.06 for each in result.records)
    for field, column in [("name", "HISTORIC_N"), ("image", "PICURL")]:
        absent = {id_ for id_, properties in source.items() if not (properties.get(column) or "").strip()}
        assert absent, field
        assert {building.id for building in result.records if getattr(building, field) is None} == absent, field
