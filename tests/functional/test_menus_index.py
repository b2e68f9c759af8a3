"""What menu queries examine in a real MongoDB."""

import pytest

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, row, serving


@pytest.mark.parametrize("filters", [{}, {"meal": [0], "location": [30]}])
def test_the_menu_of_a_date_examines_no_other_date(mongod_database, filters):
    others = [serving(1, date=f"2026-{month:02}-01") for month in range(1, 13)]
    publish(mongod_database, plan_dining(mongod_database, [serving(2), *others]), [])
    revisions = RevisionMonitor(mongod_database)
    revisions.poll()
    mongod_database.command("profile", 2)

    rows = Stores(mongod_database, revisions).menus.snapshot().find([TODAY], **filters)

    mongod_database.command("profile", 0)
    assert rows == [row(2)]
    [query] = mongod_database.system.profile.find({"ns": f"{mongod_database.name}.menus_1"})
    assert (query["planSummary"], query["docsExamined"]) == ("IXSCAN { _id: 1 }", 1)


def test_adjacent_dates_examine_two_keys_and_are_cached(mongod_database):
    days = [serving(1, date=f"2026-{month:02}-01") for month in range(1, 13)]
    publish(mongod_database, plan_dining(mongod_database, days), [])
    revisions = RevisionMonitor(mongod_database)
    revisions.poll()
    menus = Stores(mongod_database, revisions).menus.snapshot()
    mongod_database.command("profile", 2)

    adjacent = [menus.adjacent_dates(TODAY) for _ in range(2)]

    mongod_database.command("profile", 0)
    assert adjacent == [("2026-11-19", "2026-11-21")] * 2
    queries = list(mongod_database.system.profile.find({"ns": f"{mongod_database.name}.menus_1"}))
    assert [(query["keysExamined"], query["docsExamined"]) for query in queries] == [(1, 0), (1, 0)]
