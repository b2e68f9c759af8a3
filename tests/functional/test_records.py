"""Records of data sets that this version cannot read."""

import pytest

from tests.factories import serving


@pytest.mark.parametrize("field", ["revision", "loaded_at", "collections"])
def test_an_incomplete_record_is_an_outage_until_it_is_replaced(service, caplog, field):
    service.serve_dining(serving())
    record = service.database.datasets.find_one({"_id": "dining"})

    service.database.datasets.update_one({"_id": "dining"}, {"$unset": {field: 1}})
    service.revisions.poll()
    reasons = service.app.get("/__heartbeat__").json["warnings"]
    service.database.datasets.replace_one({"_id": "dining"}, record)
    service.revisions.poll()

    assert f"the record of dining has no {field}: delete it and load dining again" in reasons[0]
    assert [each.message for each in caplog.records][-1] == "MongoDB is available again"
    assert service.app.get("/dining/menus").status_int == 200


def test_an_unexpected_error_of_a_poll_is_an_outage_with_a_traceback(service, caplog):
    service.serve_dining(serving())
    service.database.datasets.update_one({"_id": "dining"}, {"$set": {"collections": {}}, "$inc": {"revision": 1}})

    service.revisions.poll()
    service.revisions.poll()

    assert service.app.get("/__heartbeat__").json["warnings"][0] == "the database is unavailable: KeyError: 'menus'"
    assert [bool(each.exc_info) for each in caplog.records if "cannot be read" in each.message] == [True]
