import sys
from threading import Thread

import pytest
from pymongo.errors import BulkWriteError

from campus_api.db.connection import connect_read_only
from campus_api.db.errors import QueryFailed, translate_errors
from campus_api.settings import SettingError


@pytest.fixture
def connect():
    opened = []

    def connect(options, timeout=50):
        # Nothing listens on this port.
        uri = f"mongodb://127.0.0.1:1/campus?{options}"
        opened.append(connect_read_only({"mongo.uri": uri, "mongo.timeout_ms": timeout}))
        return opened[-1].database

    yield connect
    for connection in opened:
        connection.close()


@pytest.mark.parametrize(
    ("options", "preference", "concern"),
    [
        ("", "primaryPreferred", "majority"),
        ("readPreference=secondary", "secondary", "majority"),
        ("w=1&READPREFERENCE=primary&readConcernLevel=local", "primary", "local"),
    ],
)
def test_secondaries_serve_reads_without_a_primary_unless_the_uri_overrides_it(connect, options, preference, concern):
    database = connect(options)

    assert (database.read_preference.mongos_mode, database.read_concern.level) == (preference, concern)


def test_the_timeout_setting_overrides_the_uri(connect):
    assert connect("timeoutMS=90000", timeout=50).client.options.timeout == 0.05


@pytest.mark.parametrize(
    "option",
    [
        "tls=True",
        "readPreference=s3cret",
        "maxPoolSize=s3cret",
        "timeoutMS=-1",
        "bogusOption=s3cret",
        "compressors=s3cret",
        "authMechanismProperties=s3cret:x",
        "retryWrites=false",
    ],
)
@pytest.mark.parametrize("separator", "&;")
def test_an_option_that_the_driver_would_ignore_is_named(connect, option, separator):
    name = option.partition("=")[0]

    with pytest.raises(SettingError, match=rf"^mongo\.uri: [^\n]* would ignore the option {name}, ") as raised:
        connect(separator.join(["retryWrites=true", "w=1", option, "appName=x"]))

    assert "s3cret" not in str(raised.value)


def test_a_part_of_a_password_is_not_taken_for_an_option(connect):
    with pytest.raises(SettingError, match="would ignore an option") as raised:
        connect("s3cret=x@db.example.edu/campus")

    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize(
    "options",
    [
        "readPreference=secondary&readPreferenceTags=dc:east&readPreferenceTags=",
        "authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:a%2Fb&compressors=zlib",
    ],
)
def test_options_that_the_driver_takes_are_accepted(connect, options):
    assert connect(options).name == "campus"


def test_a_warning_of_the_driver_about_a_host_is_no_error():
    uri = "mongodb://campus.docdb.amazonaws.com/campus?tls=true"

    with pytest.warns(UserWarning, match="DocumentDB"):
        connect_read_only({"mongo.uri": uri, "mongo.timeout_ms": 50}).close()


def test_an_error_of_other_code_is_no_error_of_the_database():
    with pytest.raises(KeyError), translate_errors():
        {}["name"]


def test_a_bulk_write_fails_with_the_first_reason(mongod_database):
    mongod_database.create_collection("menus", validator={"_id": {"$type": "string"}})

    with pytest.raises(QueryFailed, match="^it refuses: Document failed validation$"), translate_errors():
        mongod_database.menus.insert_many([{"_id": 1}, {"_id": 2}])


def test_a_bulk_write_that_is_not_replicated_fails_with_this_reason():
    errors = {"writeErrors": [], "writeConcernErrors": [{"code": 64, "errmsg": "waiting for replication timed out"}]}

    with pytest.raises(QueryFailed, match="^it refuses: waiting for replication timed out$"), translate_errors():
        raise BulkWriteError(errors)


def read_all(database):
    for name in ("datasets", "menus_0", "categories_0", "locations_0", "recipes_0"):
        list(database[name].find())


@pytest.fixture
def short_switch_interval():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("short_switch_interval")
@pytest.mark.parametrize("_", range(20))
def test_mongomock_collections_can_be_listed_during_the_first_read_of_another_thread(_):
    database = connect_read_only({"mongo.uri": "mongomock://", "mongo.timeout_ms": 50}).database
    for number in range(30):
        database[f"buildings_{number}"].insert_one({})
    reader = Thread(target=read_all, args=[database])

    reader.start()
    while reader.is_alive():
        assert len(database.list_collection_names()) == 30

    reader.join()
