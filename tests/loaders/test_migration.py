"""Migration of databases with layout 1, in which loads changed the collections of dining in place."""

from datetime import UTC, datetime

import pytest
from bson import ObjectId

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from loaders.documents.encode import MenuDocuments
from loaders.documents.entities import EntityDocuments
from loaders.documents.spool import spool_buildings
from loaders.profiles.thresholds import Thresholds
from loaders.publishing import history
from loaders.publishing.load import LoadOptions, load
from loaders.publishing.migration import migrate
from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.publish import publish
from loaders.publishing.undo import NothingToUndo, plan_undo
from loaders.readers.result import ReadResult
from tests.factories import TODAY, building, row, serving
from tests.loaders.live import live_buildings, live_collection, live_data, revision

TOMORROW = "2026-11-21"
LOADED_AT = datetime(2026, 1, 1, tzinfo=UTC)
BUILDINGS_LOAD, UNDO, DINING_LOAD = ObjectId(), ObjectId(), ObjectId()
ROWS = [serving(1, "Rice"), serving(2, "Soup", date=TOMORROW)]
SOURCES = [{"file": "old.csv", "sha256": "c0ffee"}]


@pytest.fixture
def old(mongod_database):
    """A database with layout 1; mongomock does not support updates with pipelines."""
    database = mongod_database
    spool, menus = spool_buildings([building(1)]), MenuDocuments(ROWS)
    database.buildings_3.insert_many(spool.documents)
    database.menus.insert_many(menus.values())
    for name, kind in {"categories": "category", "locations": "location", "recipes": "recipe"}.items():
        database[name].insert_many(EntityDocuments(menus.names(kind), {}).values())
    record = {"revision": 3, "loaded_at": LOADED_AT, "sources": SOURCES}
    dining_counts = {"categories": 1, "locations": 1, "recipes": 2, "menus": 2}
    database.datasets.insert_many(
        [
            {
                **record,
                "_id": "buildings",
                "import": BUILDINGS_LOAD,
                "collection": "buildings_3",
                "indexed": "buildings_3",
                "common_trigrams": [],
                "counts": {"buildings": 1},
            },
            {**record, "_id": "dining", "import": DINING_LOAD, "counts": dining_counts},
        ]
    )
    load_of = {"revision": 3, "started_at": LOADED_AT, "finished_at": LOADED_AT, "sources": SOURCES, "bad_records": 2}
    counts = {"added": 0, "changed": 1, "removed": 0, "unchanged": 0}
    database.imports.insert_many(
        [
            {**load_of, "_id": BUILDINGS_LOAD, "dataset": "buildings", "state": "published", "collections": {}},
            {**load_of, "_id": UNDO, "dataset": "buildings", "state": "unchanged", "undoes": 1, "collections": {}},
            {
                **load_of,
                "_id": DINING_LOAD,
                "dataset": "dining",
                "state": "published",
                "collections": {"recipes": counts, "menus": counts},
            },
        ]
    )
    changes = {"dataset": "dining", "revision": 3}
    meal = {"date": TODAY, "location": 30, "name": "Hall 30", "meal": 0, "before": 1, "after": 1}
    database.changes.insert_many(
        [
            {
                **changes,
                "collection": "recipes",
                "changes": [{"what": "changed", "id": 1, "name": "Rice", "fields": {"name": ["Peas", "Rice"]}}],
            },
            {**changes, "collection": "menus", "meals": [{**meal, "gone": ["Peas"], "new": ["Rice"]}]},
        ]
    )
    database.replaced.insert_one({"revision": 3, "collection": "menus", "id": TODAY, "document": None})
    database.locks.insert_one({"_id": "dining"})
    return database


@pytest.fixture
def stores(old):
    revisions = RevisionMonitor(old)
    return revisions, Stores(revisions.snapshot())


def load_rows(database, *rows):
    return load(database, "dining", ReadResult(records=list(rows)), Thresholds(), LoadOptions())


def load_buildings(database, *buildings):
    reading = ReadResult(records=spool_buildings(buildings))
    return load(database, "buildings", reading, Thresholds(), LoadOptions())


def test_the_old_layout_can_be_read(stores):
    revisions, tables = stores

    menus = tables.menus

    assert menus.find([TODAY]) == [row(1, "Rice")]
    assert (menus.adjacent_dates(TODAY), menus.is_open(TOMORROW)) == ((None, TOMORROW), True)
    assert revisions.latest.date_range == (TODAY, TOMORROW)
    assert tables.recipes.find() == [{"id": 1, "name": "Rice"}, {"id": 2, "name": "Soup"}]
    assert tables.locations.get(30) == {"id": 30, "name": "Hall 30"}
    assert [each["id"] for each in tables.buildings.search(name=["widener"])] == [1]


def test_a_load_migrates_its_data_set(old):
    result = load_rows(old, serving(3, "Stew"))

    assert (result.state, result.revision) == ("published", 4)
    assert old.datasets.find_one({"_id": "dining"})["collections"]["menus"] == "menus_4"
    assert {document["_id"]: document["name"] for document in live_collection(old, "recipes").find()} == {
        1: "Rice",
        2: "Soup",
        3: "Stew",
    }
    assert [menu["_id"] for menu in live_collection(old, "menus").find(sort=[("_id", 1)])] == [TODAY, TOMORROW]


def test_an_unchanged_export_migrates_its_data_set(old):
    before = live_data(old, "dining"), live_buildings(old)

    results = [load_rows(old, *ROWS), load_buildings(old, building(1))]

    assert [(result.state, result.revision) for result in results] == [("published", 4), ("published", 4)]
    assert (live_data(old, "dining"), live_buildings(old)) == before
    assert [load_rows(old, *ROWS).state, load_buildings(old, building(1)).state] == ["unchanged", "unchanged"]


def test_readers_are_not_interrupted_by_a_migration(stores, old):
    revisions, tables = stores
    menus = tables.menus

    load_rows(old, serving(3, "Stew"))

    during = menus.find([TODAY, TOMORROW]), tables.recipes.find()
    revisions.poll()
    after = Stores(revisions.latest).menus.find([TODAY, TOMORROW])
    assert during[0] == [row(1, "Rice"), row(2, "Soup", date=TOMORROW)]
    assert during[1] == [{"id": 1, "name": "Rice"}, {"id": 2, "name": "Soup"}]
    assert after == [row(3, "Stew"), row(2, "Soup", date=TOMORROW)]


def test_a_load_that_migrates_can_be_undone(old):
    before = live_data(old, "dining")
    load_rows(old, serving(3, "Stew"))
    plan = plan_undo(old, "dining")

    publish(old, plan, plan.restores["sources"])

    assert live_data(old, "dining") == before
    assert (revision(old, "dining"), old.datasets.find_one({"_id": "dining"})["sources"]) == (5, SOURCES)


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_a_load_by_an_earlier_version_cannot_be_undone(old, dataset):
    with pytest.raises(NothingToUndo, match=f"revision 3 of {dataset} was loaded by an earlier version"):
        plan_undo(old, dataset)


def test_unused_collections_of_the_old_layout_are_dropped(old):
    load_rows(old, serving(3, "Stew"))
    old.datasets.update_one({"_id": "dining"}, {"$set": {"loaded_at": LOADED_AT}})

    load_rows(old, serving(3, "Stew"), serving(4))

    names = set(old.list_collection_names())
    assert names.isdisjoint({"menus", "categories", "locations", "recipes", "replaced", "locks", "imports", "changes"})
    assert {"menus_4", "menus_5", "buildings_3"} <= names


def test_a_migration_is_idempotent(old):
    load_rows(old, serving(3, "Stew"))
    before = {name: list(old[name].find()) for name in old.list_collection_names()}

    migrate(old)

    assert {name: list(old[name].find()) for name in old.list_collection_names()} == before


def test_plans_for_the_old_layout_are_never_empty(old):
    plans = [plan_buildings(old, [building(1)]), plan_dining(old, ROWS)]

    assert [plan.is_empty for plan in plans] == [False, False]
    assert [plan.differences["menus"].counts["unchanged"] for plan in plans[1:]] == [2]


def test_the_history_contains_loads_and_changes_of_earlier_versions(old):
    load_rows(old, serving(3, "Stew"))

    loads = history.list_loads(old, ["buildings", "dining"])
    _, changes = history.read_changes(old, "dining", 3)

    assert [(entry["state"], entry["errors"], entry.get("reverts")) for entry in loads] == [
        ("published", 2, None),
        ("unchanged", 2, 1),
        ("published", 2, None),
        ("published", 0, None),
    ]
    assert {name: list(map(str, each)) for name, each in changes.items()} == {
        "recipes": ["changed 1 Rice: name 'Peas' -> 'Rice'"],
        "menus": ["Hall 30, 2026-11-20, breakfast: 1 -> 1 items (-Peas, +Rice)"],
    }
