import json
from pathlib import Path

import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.readers import buildings, dining

DATA = Path(__file__).parents[4] / "shared/data"
LANDMARKS = DATA / "buildings/cambridge-landmarks.geojson"
MUNICIPAL = DATA / "buildings/cambridge-municipal-points.geojson"
DORMS = DATA / "buildings/ucsb-dorms.geojson"
DUNSTER_MATHER = DATA / "dining/huds-dunster-mather-2010-08.csv"
ANNENBERG = DATA / "dining/huds-sample-2010-07.csv"
HARVARD = DATA / "dining/foodpro-harvard-row.json"
BOSTON_COLLEGE = DATA / "dining/foodpro-boston-college-row.json"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are not there: {DATA}")


def read_buildings(path, profile):
    return buildings.read([path], profiles.load_building_profile(profile))


def read_dining(profile, *paths):
    return dining.read(paths, profiles.load_dining_profile(profile))


def properties_by_id(path):
    return {feature["id"]: feature["properties"] for feature in json.loads(path.read_text())["features"]}


def in_cambridge(point):
    return 42.35 < point[0] < 42.41 and -71.17 < point[1] < -71.06


def in_bounding_box(building):
    axes = zip(*(position for ring in building.polygons for position in ring), strict=True)
    return all(min(axis) <= value <= max(axis) for value, axis in zip(building.point, axes, strict=True))


def test_the_menus_of_a_house_are_read_without_errors():
    result = read_dining("huds", DUNSTER_MATHER)

    assert (result.errors, len({row.date for row in result.records})) == ([], 13)
    assert len({row.recipe.id for row in result.records}) == 193
    assert {row.location for row in result.records} == {NamedEntity(7, "Dunster and Mather House")}


def test_every_row_of_the_menus_of_a_house_is_imported_or_a_duplicate():
    result = read_dining("huds", DUNSTER_MATHER)

    assert len(result.records) + result.duplicates == 489


def test_the_malformed_line_in_the_menus_of_annenberg_is_the_only_error():
    result = read_dining("huds", ANNENBERG)

    [error] = result.errors
    assert (error.location.line, error.field, error.reason) == (96, "row", "has 1 columns instead of 8 or 9")


def test_the_menus_of_annenberg_repeat_95_rows():
    result = read_dining("huds", ANNENBERG)

    assert (result.duplicates, len(result.records)) == (95, 627 - 1 - 95)


def test_rows_of_two_universities_are_read_together():
    result = read_dining("foodpro", HARVARD, BOSTON_COLLEGE)

    assert result.errors == []
    assert [row.location for row in result.records] == [NamedEntity(3, "Cronkhite Center"), NamedEntity(121, "Addies")]
    assert [row.recipe for row in result.records] == [
        NamedEntity(31001, "Kashi Pilaf"),
        NamedEntity(257400, "Greek Bowl"),
    ]
    assert [(row.date, row.meal) for row in result.records] == [("2017-09-11", 0), ("2026-06-29", 1)]


def test_the_landmarks_of_cambridge_are_read_without_errors():
    result = read_buildings(LANDMARKS, "cambridge")

    assert (len(result.records), result.errors, result.duplicates) == (117, [], 0)


@pytest.mark.parametrize(("field", "column"), [("name", "HISTORIC_N"), ("image", "PICURL")])
def test_fields_missing_from_the_export_are_null(field, column):
    source = properties_by_id(LANDMARKS)

    result = read_buildings(LANDMARKS, "cambridge")

    absent = {id_ for id_, properties in source.items() if not (properties.get(column) or "").strip()}
    assert absent
    assert {building.id for building in result.records if getattr(building, field) is None} == absent


def test_the_point_of_every_landmark_is_in_its_footprint_and_in_cambridge():
    result = read_buildings(LANDMARKS, "cambridge")

    outside = [record for record in result.records if not (in_bounding_box(record) and in_cambridge(record.point))]
    assert outside == []


def test_municipal_buildings_are_points_in_cambridge():
    result = read_buildings(MUNICIPAL, "cambridge")

    assert (len(result.records), result.errors) == (24, [])
    assert {building.polygons for building in result.records} == {()}
    assert all(in_cambridge(building.point) for building in result.records)


def test_the_ids_of_the_dorms_are_rejected():
    result = read_buildings(DORMS, "geojson")

    assert (list(result.records), len(result.errors)) == ([], 31)
    assert {error.field for error in result.errors} == {"id"}


def test_the_ref_field_of_the_dorms_is_a_candidate_for_the_id():
    assert read_buildings(DORMS, "geojson").integer_fields.most_common(1) == [("ref", 30)]


def test_integers_are_assigned_to_the_ids_of_the_dorms():
    result = read_buildings(DORMS, "openstreetmap")

    assert (len(result.records), result.errors, result.filtered) == (31, [], 0)
    assert list(result.assigned_ids.items())[:2] == [("relation/2927469", 1), ("way/221234880", 2)]


def test_the_dorms_are_published_as_they_are_with_the_profile_openstreetmap(campus_load):
    result = campus_load("buildings", DORMS, "--profile", "openstreetmap")

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "buildings: published as revision 1")
