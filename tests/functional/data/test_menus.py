"""Menu rows: names, values of queries, and what these examine."""

from campus_api.db.revisions import RevisionMonitor
from tests.factories import row, serving
from tests.publishing import publish_dining


def menus(service, query=""):
    return service.app.get(f"/dining/menus?{query}").json


def test_a_row_has_the_name_under_which_it_was_served(service):
    service.serve_dining(serving(1, "Old Name", date="2010-08-25"), serving(1, "New Name"))

    assert menus(service, "date=2010-08-25") == [row(1, "Old Name", date="2010-08-25")]


def test_dates_are_read_once_per_revision(mongod_database):
    days = [serving(1, date=f"2026-{month:02}-01") for month in range(1, 13)]
    publish_dining(mongod_database, days)
    mongod_database.command("profile", 2)
    revisions = RevisionMonitor(mongod_database)

    for _ in range(2):
        revisions.poll()
    dates = revisions.latest.dates

    mongod_database.command("profile", 0)
    # One document is read, too, to see whether the collection exists.
    [query] = mongod_database.system.profile.find(
        {"ns": f"{mongod_database.name}.menus_1", "command.limit": {"$ne": 1}}
    )
    assert (dates[0], dates[-1], query["docsExamined"]) == ("2026-01-01", "2026-12-01", 0)
