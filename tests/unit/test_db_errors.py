import pytest
from bson.errors import InvalidBSON
from pymongo import MongoClient
from pymongo.command_cursor import CommandCursor
from pymongo.errors import AutoReconnect, BulkWriteError, ExecutionTimeout, OperationFailure

from campus_api.db.errors import DatabaseUnavailable, QueryFailed, QueryTimeout, translate_errors
from tests.rejection import raise_in, raised

INVALID = {"writeErrors": [{"errmsg": "Document failed validation"}, {"errmsg": "another"}], "writeConcernErrors": []}
NOT_REPLICATED = {"writeErrors": [], "writeConcernErrors": [{"code": 64, "errmsg": "waiting for replication"}]}


def refusal(text, code):
    """Return the error of a reply of MongoDB, whose whole text the driver repeats."""
    return OperationFailure(text, code, {"ok": 0.0, "errmsg": text, "code": code})


def test_errors_of_the_driver_have_a_type_and_a_reason():
    denied = "not authorized on campus to execute command"
    find = refusal(f'{denied} {{ find: "a_1", filter: {{}} }}', 13)
    for error, type_, message in (
        # AtlasError, and one that MongoDB may add.
        (refusal("bad auth", 8000), QueryFailed, "MongoDB refuses this: bad auth"),
        (refusal("new in this version", 99999), QueryFailed, "MongoDB refuses this: new in this version"),
        (BulkWriteError(NOT_REPLICATED), QueryFailed, "MongoDB refuses this: waiting for replication"),
        (BulkWriteError(INVALID), QueryFailed, "MongoDB refuses this: Document failed validation"),
        (InvalidBSON("too short"), QueryFailed, "a document cannot be decoded: too short"),
        (ExecutionTimeout("too long", 50), QueryTimeout, "too long"),
        (AutoReconnect("closed"), DatabaseUnavailable, "closed"),
        (find, QueryFailed, f'MongoDB refuses this: {denied} find: "a_1"'),
    ):
        failure = raised(DatabaseUnavailable, raise_in, translate_errors(), error)
        assert (type(failure), str(failure)) == (type_, message), error


def test_a_reply_that_cannot_be_decoded_is_a_failed_query():
    reason = "^a reply cannot be decoded: KeyError: 'firstBatch'$"

    with MongoClient(connect=False) as client, pytest.raises(QueryFailed, match=reason), translate_errors():
        CommandCursor(client.campus.menus, {"id": 0}, None)


def test_an_error_of_other_code_is_no_error_of_the_database():
    assert raised(KeyError, raise_in, translate_errors(), KeyError("name"))
