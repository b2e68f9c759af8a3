"""Concurrent loads of a data set: the last one is compared again with the live data."""

from itertools import islice

import pytest
from pymongo.errors import OperationFailure

from campus_api.domain.models import Listing
from loaders.documents.serving import DiningLists
from loaders.errors import DataWarning
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.load import PublishOptions, load_dining, record_invalid
from loaders.publishing.publish import ConcurrentLoadError, publish, try_rename
from loaders.result import DiningRead, ReadResult, SourceLocation
from tests.factories import IN_TWO_DAYS, TOMORROW, building, facts, serving
from tests.loaders.interruptions import interrupted
from tests.loaders.live import live_collection, live_data
from tests.publishing import publish_buildings, publish_dining
from tests.rejection import raised

# The first write of each load is its history entry.
FIRST_WRITE = ("insert", "loads")
SOURCES = [{"file": "menus.csv"}]


def test_a_plan_for_an_older_revision_is_not_published(database, load_dining):
    loads = 0
    for between in (1, 1, 3):
        plan = plan_dining(database, [serving(2, date=TOMORROW)])
        for _ in range(between):
            load_dining(serving(3, date=IN_TWO_DAYS))
        loads += between
        live = live_data(database, "dining")

        reason = str(raised(ConcurrentLoadError, publish, database, plan))

        assert "another load of dining was published in the meantime" in reason, (between, reason)
        assert live_data(database, "dining") == live, between
        names = database.list_collection_names()
        assert [name for name in names if len(name.rpartition("_")[2]) == 24] == [], between
        assert database.loads.count_documents({}) == loads, between


def load_during(database, others, *rows, **fields):
    """Load rows while others, one list for each attempt, are published by another load."""
    others = iter(others)

    def publish_others():
        for each in islice(others, 1):
            publish_dining(database, each)

    with interrupted(publish_others, *FIRST_WRITE):
        return load_dining(database, DiningRead(SOURCES, records=list(rows), **fields), Thresholds(), PublishOptions())


def test_a_load_is_compared_again_after_a_concurrent_one(database, empty):
    for concurrent, expected in [(serving(1, date=TOMORROW), ("published", 2)), (serving(2), ("unchanged", 1))]:
        empty()
        result = load_during(database, [[concurrent]], serving(2))

        assert (result.state, result.revision, result.plan.current_revision) == (*expected, 1), expected
        assert live_collection(database, "menus").count_documents({}) == result.revision, expected


def test_guards_check_a_load_again_after_a_concurrent_one_and_its_evidence_is_warned_of_once(database):
    lists = DiningLists(facts={1: facts(contains=("milk",), listings=(Listing("provider", ("milk",)),))})
    result = load_during(database, [map(serving, range(10))], serving(1), lists=lists, untracked=["provider"])

    guards = [violation.guard for violation in result.violations]
    assert (result.state, guards) == ("refused", ["lost-items"])
    assert [(each.field, each.times) for each in result.reading.warnings.values()] == [("allergens", 1)]


def test_warnings_are_recorded_with_their_load_though_another_one_starts_later(database):
    reading = DiningRead(SOURCES, records=[serving(1)])
    reading.add_warning("menus.csv", SourceLocation(), DataWarning("meal", None, "is unknown"))

    with interrupted(lambda: record_invalid(database, "dining", ReadResult()), "insert", "load_changes"):
        load_dining(database, reading, Thresholds(), PublishOptions())

    warnings = {load["state"]: load.get("warning_messages") for load in database.loads.find()}
    assert warnings == {"invalid": None, "published": ["meal is unknown"]}


def test_of_two_loads_the_one_that_is_live_first_has_the_earlier_time(database):
    with interrupted(lambda: publish_buildings(database, [building(1)]), "findAndModify", "datasets"):
        publish_dining(database, [serving(1)])

    times = {record["_id"]: record["loaded_at"] for record in database.datasets.find()}
    assert times["buildings"] <= times["dining"]


def test_a_load_fails_after_three_retries(database):
    others = [[serving(id_, date=TOMORROW)] for id_ in range(2, 6)]

    with pytest.raises(ConcurrentLoadError):
        load_during(database, others, serving(1))

    assert database.loads.count_documents({}) == 4


def test_the_revision_number_of_another_load_is_not_reused(database, load_buildings, load_dining):
    load_buildings(building(1))
    load_dining(serving(1))
    for name in ("buildings_2", "categories_2", "menus_3"):
        database[name].insert_one({"_id": 9})

    assert (load_buildings(building(2)), load_dining(serving(2))) == (3, 4)


def test_a_rejected_rename_is_not_a_concurrent_load(database):
    database.staging.insert_one({"_id": 1})

    with pytest.raises(OperationFailure, match="system"):
        try_rename(database.staging, "system.menus")
