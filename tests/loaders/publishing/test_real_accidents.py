"""Guards on real exports: whole columns that go wrong are refused, usual nights pass."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pytest

from campus_api.domain.models import NamedEntity
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
    return list(buildings.read([DATA / "buildings" / name], profiles.load_building_profile("cambridge")).records)


def read_menus(name):
    return dining.read([DATA / "dining" / name], profiles.load_dining_profile("huds")).records


def guards(plan):
    return {violation.guard for violation in (*plan.lost_data(Thresholds()), *plan.changed_content())}


def shifted(values):
    return [*values[1:], values[0]]


def with_column(records, field, values):
    return [replace(record, **{field: value}) for record, value in zip(records, values, strict=True)]


def changed_texts(field, change):
    return lambda records: with_column(records, field, [change(getattr(record, field) or "") for record in records])


def moved(north=0.0, east=0.0):
    return lambda records: [replace(each, point=(each.point[0] + north, each.point[1] + east)) for each in records]


TEXTS = {
    "gone": lambda text: "",
    "N/A": lambda text: "N/A",
    "markup": lambda text: text and f"<b>{text}</b>",
    "cut": lambda text: text[:10],
    "spaced": " ".join,
    "numbered": lambda text: text and f"1 {text}",
}
BUILDING_ACCIDENTS = {
    **{
        f"{field}: {name}": changed_texts(field, change)
        for name, change in TEXTS.items()
        for field in ("name", "address")
    },
    "city": changed_texts("city", lambda text: "0"),
    "names a row too low": lambda records: with_column(records, "name", shifted([each.name for each in records])),
    "addresses a row too low": lambda records: with_column(records, "address", shifted([e.address for e in records])),
    "swapped": lambda records: [replace(each, name=each.address, address=each.name or "") for each in records],
    "points a row too low": lambda records: with_column(records, "point", shifted([each.point for each in records])),
    "one point": lambda records: with_column(records, "point", [records[0].point] * len(records)),
    "900 m north": moved(north=0.0081),
    "900 m east": moved(east=0.011),
    "rounded to a kilometer": lambda records: [
        replace(each, point=tuple(round(axis, 2) for axis in each.point)) for each in records
    ],
    "renumbered": lambda records: with_column(records, "id", shifted([each.id for each in records])),
    "half of the file": lambda records: records[: len(records) // 2],
}


def test_accidents_of_buildings_are_refused(database, load_buildings):
    for name in (LANDMARKS, MUNICIPAL):
        records = read_buildings(name)
        load_buildings(*records)

        for accident, change in BUILDING_ACCIDENTS.items():
            refused_by = guards(plan_buildings(database, change(records)))
            assert refused_by in ({"changed-values"}, {"removed-buildings"}), (name, accident)


def test_photos_and_footprints_that_are_gone_are_refused(database, load_buildings):
    records = read_buildings(LANDMARKS)
    load_buildings(*records)

    for gone in ({"image": None}, {"polygons": ()}):
        changed = [replace(each, **gone) for each in records]
        assert guards(plan_buildings(database, changed)) == {"changed-values"}, gone


BUILDING_NIGHTS = {
    "surveyed": moved(north=0.0004, east=0.0004),
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


def renamed(change):
    return lambda rows: [replace(row, recipe=NamedEntity(row.recipe.id, change(row.recipe.name))) for row in rows]


MENU_ACCIDENTS = {
    "one name": renamed(lambda name: "TEST"),
    "cut": renamed(lambda name: name[:10]),
    "markup": renamed(lambda name: f"<b>{name}</b>"),
    "names a row too low": lambda rows: [
        replace(row, recipe=NamedEntity(row.recipe.id, name))
        for row, name in zip(rows, shifted([row.recipe.name for row in rows]), strict=True)
    ],
    "one recipe": lambda rows: [replace(row, recipe=rows[0].recipe) for row in rows],
    "one category": lambda rows: [replace(row, category=rows[0].category) for row in rows],
    "other categories": lambda rows: [
        replace(row, category=NamedEntity(row.category.id + 1000, row.category.name)) for row in rows
    ],
    "swapped numbers": lambda rows: [replace(row, recipe=row.category, category=row.recipe) for row in rows],
    "all for lunch": lambda rows: [replace(row, meal=1) for row in rows],
    "no dinner": lambda rows: [row for row in rows if row.meal != 2],
    "three rows": lambda rows: rows[:: len(rows) // 3][:3],
}


def test_accidents_of_menus_are_refused(database, load_dining):
    rows = read_menus(AUGUST)
    load_dining(*rows)

    for days, (accident, change) in product((0, 14), MENU_ACCIDENTS.items()):
        assert guards(plan_dining(database, later(change(rows), days))), (days, accident)


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
