"""Snapshots of revisions, and data sets that this version cannot read."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from campus_api.db.errors import NewerLayout
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from tests.factories import TODAY, TOMORROW, row, serving
from tests.loaders.live import live_collection


def test_all_queries_of_a_request_read_one_revision_also_two_loads_later(service):
    service.serve_dining(serving(1), serving(2, date=TOMORROW))
    menus = Stores(service.revisions.snapshot(), ZoneInfo("UTC")).menus

    for recipe in (3, 4, 5):
        service.serve_dining(serving(recipe), serving(6, date="2026-11-22"))

    assert menus.find([TODAY, TOMORROW]) == [row(1), row(2, date=TOMORROW)]
    assert (menus.adjacent_dates(TOMORROW), menus.empty_reason("2026-11-22")) == ((TODAY, None), "not-loaded")


def test_an_invalid_document_of_a_data_set_is_an_outage_until_it_is_replaced(service, caplog):
    service.serve_dining(serving())
    datasets = service.database.datasets
    dining = datasets.find_one({"_id": "dining"})

    for operator, field, value, reason in (
        ("$unset", "revision", None, "Object missing required field `revision`"),
        ("$unset", "collections.menus", None, "it names no collection for menus"),
        ("$set", "revision", "7", "Expected `int`, got `str` - at `$.revision`"),
        ("$set", "layout", None, "Expected `int`, got `null` - at `$.layout`"),
        ("$set", "loaded_at", "2026-11-20T00:00:00Z", "Expected `datetime`, got `str` - at `$.loaded_at`"),
        ("$set", "sources", [7], "Expected `object`, got `int` - at `$.sources[0]`"),
    ):
        datasets.update_one({"_id": "dining"}, {operator: {field: value}})
        service.revisions.poll()
        [warning, *_] = service.app.get("/__heartbeat__", status="*").json["warnings"]
        datasets.replace_one({"_id": "dining"}, dining)
        service.revisions.poll()

        expected = f"the document of dining in datasets is not valid, {reason}: delete it and load dining again"
        assert expected in warning, (operator, field)
        assert caplog.records[-1].message == "MongoDB is available again", (operator, field)
        assert service.app.get("/dining/menus").json == [row()], reason


def test_a_menu_without_a_date_is_an_outage(service):
    for day in ("zzz", "2026-13-45", datetime(2026, 11, 20, tzinfo=UTC)):
        service.forget_revisions()
        service.serve_dining(serving())
        live_collection(service.database, "menus").insert_one({"_id": day, "items": []})
        service.database.datasets.update_one({"_id": "dining"}, {"$inc": {"revision": 1}})

        service.revisions.poll()

        [warning, *_] = service.app.get("/__heartbeat__", status="*").json["warnings"]
        assert warning.startswith("the database is unavailable: menus: the document {'_id': "), day
        assert service.app.get("/__metrics__").status_int == 200, day


def test_data_of_a_newer_version_stop_the_start_and_are_an_outage_of_a_running_service(service):
    newer = "dining was loaded by a newer version of campus-api (layout 3): upgrade this one"
    service.serve_dining(serving())
    service.app.get("/dining/menus")

    service.database.datasets.update_one({"_id": "dining"}, {"$set": {"layout": 3}})
    service.revisions.poll()

    [warning, *_] = service.app.get("/__heartbeat__", status="*").json["warnings"]
    assert warning == f"the database is unavailable: {newer}"
    assert service.app.get("/dining/menus").headers["Cache-Status"] == "campus; fwd=stale"
    with pytest.raises(NewerLayout, match=re.escape(newer)):
        RevisionMonitor(service.database).start_polling(lambda: None)
