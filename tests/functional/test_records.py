"""Records of data sets and menus that this version cannot read."""

from datetime import UTC, datetime

import pytest

from campus_api.db.revisions import RevisionMonitor
from tests.factories import serving

INVALID = [
    ("$unset", "revision", None, "Object missing required field `revision`"),
    ("$unset", "loaded_at", None, "Object missing required field `loaded_at`"),
    ("$unset", "collections", None, "Object missing required field `collections`"),
    ("$unset", "collections.menus", None, "it names no collection for menus"),
    ("$set", "revision", "7", "Expected `int`, got `str` - at `$.revision`"),
    ("$set", "layout", None, "Expected `int`, got `null` - at `$.layout`"),
    ("$set", "loaded_at", "2026-11-20T00:00:00Z", "Expected `datetime`, got `str` - at `$.loaded_at`"),
    ("$set", "collections", ["menus_1"], "Expected `object`, got `array` - at `$.collections`"),
    ("$set", "sources", [7], "Expected `object`, got `int` - at `$.sources[0]`"),
]


@pytest.mark.parametrize(("operator", "field", "value", "reason"), INVALID)
def test_an_invalid_record_is_an_outage_until_it_is_replaced(service, caplog, operator, field, value, reason):
    service.serve_dining(serving())
    record = service.database.datasets.find_one({"_id": "dining"})

    service.database.datasets.update_one({"_id": "dining"}, {operator: {field: value}})
    service.revisions.poll()
    [warning, *_] = service.app.get("/__heartbeat__").json["warnings"]
    service.database.datasets.replace_one({"_id": "dining"}, record)
    service.revisions.poll()

    assert f"the record of dining is not valid, {reason}: delete it and load dining again" in warning
    assert [each.message for each in caplog.records][-1] == "MongoDB is available again"
    assert service.app.get("/dining/menus").status_int == 200


@pytest.mark.parametrize("day", ["zzz", "2026-13-45", "20261120", datetime(2026, 11, 20, tzinfo=UTC)])
def test_a_menu_without_a_date_is_an_outage(service, day):
    service.serve_dining(serving())
    record = service.database.datasets.find_one({"_id": "dining"})
    service.database[record["collections"]["menus"]].insert_one({"_id": day, "items": []})
    service.database.datasets.update_one({"_id": "dining"}, {"$inc": {"revision": 1}})

    service.revisions.poll()

    assert (
        f"the _id of a menu is not a date, {day}: delete this document"
        in service.app.get("/__heartbeat__").json["warnings"][0]
    )
    assert service.app.get("/__metrics__").status_int == 200


class BrokenDatabase:
    client = None

    def __getitem__(self, name):
        raise RuntimeError("out of threads")


def test_an_unexpected_error_of_a_poll_is_an_outage_with_a_traceback(caplog):
    revisions = RevisionMonitor(BrokenDatabase())

    revisions.poll()
    revisions.poll()

    assert str(revisions.error) == "RuntimeError: out of threads"
    assert [bool(each.exc_info) for each in caplog.records if "cannot be read" in each.message] == [True]
