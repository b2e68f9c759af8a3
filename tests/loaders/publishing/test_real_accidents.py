"""Guards on real menus: usual nights pass, those of another day do not."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from loaders import profiles
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.dining_plan import plan_dining
from loaders.readers import dining

DATA = Path(__file__).parents[4] / "shared/data"
JULY, AUGUST = "huds-sample-2010-07.csv", "huds-dunster-mather-2010-08.csv"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are not there: {DATA}")


def read_menus(name):
    return dining.read([(profiles.load_dining_profile("huds"), [DATA / "dining" / name])]).records


def guards(plan):
    return {violation.guard for violation in plan.check_changes(Thresholds())}


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

        assert guards(plan_dining(database, window)) == set(), start
        load_dining(*window)
