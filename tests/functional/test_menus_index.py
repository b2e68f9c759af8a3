"""What menu queries examine in a real MongoDB."""

import pytest

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, row, serving


@pytest.mark.parametrize("filters", [{}, {"meal": [0], "location": [30]}])
def test_the_menu_of_a_date_examines_no_other_date(mongod_database, filters):
    others = [serving(1, date=f"2026-{month:02}-01") for month in range(1, 13)]
    publish(mongod_database, plan_dining(mongod_database, [serving(2), *others]), [])
    menus = Stores(RevisionMonitor(mongod_database).snapshot()).menus
    mongod_database.command("profile", 2)

    rows = menus.find([TODAY], **filters)

    mongod_database.command("profile", 0)
    assert rows == [row(2)]
    [query] = mongod_database.system.profile.find({"ns": f"{mongod_database.name}.menus_1"})
    assert (query["planSummary"], query["docsExamined"]) == ("IXSCAN { _id: 1 }", 1)


def test_dates_are_read_once_per_revision(mongod_database):
    days = [serving(1, date=f"2026-{month:02}-01") for month in range(1, 13)]
    publish(mongod_database, plan_dining(mongod_database, days), [])
    mongod_database.command("profile", 2)
    revisions = RevisionMonitor(mongod_database)

    for _ in range(2):
        revisions.poll()
    dates = revisions.latest.menu_dates()

    mongod_database.command("profile", 0)
    # One document is read, too, to see whether the collection exists.
    menus = {"ns": f"{mongod_database.name}.menus_1", "command.limit": {"$ne": 1}}
    [query] = mongod_database.system.profile.find(menus)
    assert (dates[0], dates[-1], query["docsExamined"]) == ("2026-01-01", "2026-12-01", 0)
