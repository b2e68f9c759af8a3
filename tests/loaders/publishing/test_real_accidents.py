"""Guards on real exports: usual nights pass, menus of another day do not."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from loaders import profiles
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.readers import buildings, dining

DATA = Path(__file__).parents[4] / "shared/data"
LANDMARKS, MUNICIPAL = "cambridge-landmarks.geojson", "cambridge-municipal-points.geojson"
JULY, AUGUST = "huds-sample-2010-07.csv", "huds-dunster-mather-2010-08.csv"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are not there: {DATA}")


def read_buildings(name):
    return list(buildings.read([(profiles.load_building_profile("cambridge"), [DATA / "buildings" / name])]).records)


def read_menus(name):
    return dining.read([(profiles.load_dining_profile("huds"), [DATA / "dining" / name])]).records


def guards(plan):
    return {violation.guard for violation in plan.check_changes(Thresholds())}


def changed_texts(field, change):
    return lambda records: [replace(each, **{field: change(getattr(each, field) or "")}) for each in records]


BUILDING_NIGHTS = {
    "surveyed": lambda records: [replace(each, point=tuple(axis + 0.0004 for axis in each.point)) for each in records],
    "letter case": changed_texts("name", str.upper),
    "a few renamed": lambda records: [replace(each, name="New") if each.id % 10 == 0 else each for each in records],
    "a few new": lambda records: [*records, *(replace(each, id=each.id + 10**6) for each in records[::5])],
    "a few gone": lambda records: [each for each in records if each.id % 10],
    "new photos": changed_texts("image", lambda text: text or "https://example.edu/new.jpg"),
}


def test_usual_nights_of_buildings_pass(database, load_buildings):
    for name in (LANDMARKS, MUNICIPAL):
        records = read_buildings(name)
        load_buildings(*records)

        for night, change in BUILDING_NIGHTS.items():
            assert guards(plan_buildings(database, change(records))) == set(), (name, night)


def later(rows, days):
    return [replace(row, date=(date.fromisoformat(row.date) + timedelta(days)).isoformat()) for row in rows]


def test_menus_of_the_day_before_are_refused(database, load_dining):
    rows = read_menus(AUGUST)
    load_dining(*rows)

    assert guards(plan_dining(database, later(rows, 1))) == {"lost-items"}


def test_the_menus_of_another_month_pass(database, load_dining, empty):
    for before, after in [(JULY, AUGUST), (AUGUST, JULY)]:
        empty()
        load_dining(*read_menus(before))

        assert guards(plan_dining(database, read_menus(after))) == set(), before


def test_every_night_of_two_weeks_passes(database, load_dining):
    rows = read_menus(AUGUST)
    days = sorted({row.date for row in rows})
    for start in range(len(days) - 6):
        window = [row for row in rows if row.date in days[start : start + 7]]

        assert guards(plan_dining(database, window)) == set()
        load_dining(*window)
