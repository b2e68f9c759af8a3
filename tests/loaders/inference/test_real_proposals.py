import tomllib
from pathlib import Path

import pytest

from loaders import profiles
from loaders.inference import propose
from loaders.readers import buildings, dining

DATA = Path(__file__).parents[4] / "shared/data"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are not there: {DATA}")


def propose_profile(name, save):
    """Return the proposed profile of a real export and its path."""
    text = propose.profile(DATA / name)
    assert [line for line in text.splitlines() if len(line) > 120] == [], name
    return text, str(save(text, "custom.toml"))


def test_a_real_map_is_read_with_the_fields_of_its_proposed_profile(save):
    landmarks = {"id": "id", "name": "HISTORIC_N", "address": "ADDRESS", "image": "PICURL"}
    points = {"id": "id", "name": "SITE_NAME", "address": "ADDRESS", "tags": "TYPE"}
    osm = profiles.load_building_profile("openstreetmap")
    dorms = {"id": {"assign": [*osm.id.expressions]}, "name": [*osm.fields["name"]], "tags": osm.fields["tags"][0]}
    finds = {"id": "Root", "name": "Building Name", "address": "Address", "city": "City", "image": "PHOTO_FILE"}
    for name, fields, usable in [
        ("cambridge-landmarks.geojson", landmarks, 117),
        ("cambridge-municipal-points.geojson", points, 24),
        ("cook-county-arcgis-rings.json", {"id": "PIN14"}, 500),
        ("ucsb-dorms.geojson", dorms | {"image": "image", "code": "ref"}, 31),
        ("harvard-arcgis-find.json", finds, 1),
    ]:
        text, path = propose_profile(f"buildings/{name}", save)

        result = buildings.read([(profiles.load_building_profile(path), [DATA / "buildings" / name])])
        assert (tomllib.loads(text)["fields"], len(result.records)) == (fields, usable), name


def test_real_menus_are_read_with_their_proposed_profile(save):
    for name, errors, duplicates, records in [
        ("huds-dunster-mather-2010-08.csv", 0, 0, 489),
        ("huds-sample-2010-07.csv", 1, 95, 531),
        ("foodpro-harvard-row.json", 0, 0, 1),
        ("foodpro-boston-college-row.json", 0, 0, 1),
    ]:
        _, path = propose_profile(f"dining/{name}", save)

        result = dining.read([(profiles.load_dining_profile(path), [DATA / "dining" / name])])
        assert (len(result.errors), result.duplicates, len(result.records)) == (errors, duplicates, records), name


def test_built_in_profiles_name_the_fields_of_real_maps():
    for profile, name, fields in [
        ("cambridge", "cambridge-landmarks.geojson", {"name", "address", "city", "image"}),
        ("cambridge", "cambridge-municipal-points.geojson", {"name", "address", "city"}),
        ("harvard", "harvard-arcgis-find.json", {"name", "address", "city"}),
    ]:
        records = buildings.read([(profiles.load_building_profile(profile), [DATA / "buildings" / name])]).records

        assert {field for each in records for field in fields if getattr(each, field)} == fields, name
