"""Menu rows: names, values of queries, and what these examine."""

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from tests.factories import TODAY, row, serving
from tests.publishing import publish_dining


def menus(service, query=""):
    return service.app.get(f"/dining/menus?{query}").json


def test_a_row_has_the_name_under_which_it_was_served(service):
    service.serve_dining(serving(1, "Old Name", date="2010-08-25"), serving(1, "New Name"))

    assert menus(service, "date=2010-08-25") == [row(1, "Old Name", date="2010-08-25")]


def test_well_formed_values_without_a_match_return_an_empty_list(service):
    service.serve_dining(serving())

    for query in ("meal=7", f"location={'9' * 40}", "recipe=-1", f"category=-{'9' * 5000}", "date=1900-01-01"):
        assert menus(service, query) == [], query


def test_two_parameters_with_a_thousand_values_must_both_match(service):
    tomorrow = "2026-11-21"
    service.serve_dining(
        serving(1, location=1001),
        serving(1001, location=1, date=tomorrow),
        serving(1, location=9000),
        serving(9000, location=1),
    )

    values = "&".join(f"recipe={value}&location={value}" for value in range(1, 1002))
    rows = menus(service, f"date={tomorrow}&date={TODAY}&{values}")

    assert rows == [row(1, location=1001), row(1001, location=1, date=tomorrow)]


def test_the_menu_of_a_date_examines_no_other_date(mongod_database):
    others = [serving(1, date=f"2026-{month:02}-01") for month in range(1, 13)]
    publish_dining(mongod_database, [serving(2), *others])
    store = Stores(RevisionMonitor(mongod_database).snapshot()).menus
    mongod_database.command("profile", 2)

    results = [store.find([TODAY]), store.find([TODAY], meal=[0], location=[30])]

    mongod_database.command("profile", 0)
    assert results == [[row(2)], [row(2)]]
    queries = mongod_database.system.profile.find({"ns": f"{mongod_database.name}.menus_1"})
    assert [(each["planSummary"], each["docsExamined"]) for each in queries] == [("IXSCAN { _id: 1 }", 1)] * 2


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
