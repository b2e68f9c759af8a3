import dns.resolver
import pytest

from campus_api.db.connection import connect_read_only
from campus_api.db.errors import DatabaseUnavailable
from campus_api.db.revisions import RevisionMonitor
from tests.rejection import rejection


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


def test_secondaries_serve_reads_without_a_primary_unless_the_uri_overrides_it(connect):
    for options, preference, concern in (
        ("", "primaryPreferred", "majority"),
        ("readPreference=secondary", "secondary", "majority"),
        ("w=1&READPREFERENCE=primary&readConcernLevel=local", "primary", "local"),
    ):
        database = connect(options)
        assert (database.read_preference.mongos_mode, database.read_concern.level) == (preference, concern), options


def test_the_timeout_setting_overrides_the_uri(connect):
    assert connect("timeoutMS=90000", timeout=50).client.options.timeout == 0.05


@pytest.mark.filterwarnings("default")
def test_an_option_that_the_driver_would_ignore_is_rejected_without_its_value(connect):
    for option in (
        *("tls=True", "readPreference=s3cret", "maxPoolSize=s3cret", "timeoutMS=-1", "bogusOption=s3cret"),
        *("compressors=s3cret", "authMechanismProperties=s3cret:x", "retryWrites=false", "s3cret=x@db/campus"),
    ):
        for separator in "&;":
            message = rejection(connect, separator.join(["retryWrites=true", "w=1", option, "appName=x"]))
            assert message == "mongo.uri: MongoDB's driver would ignore an option, or a value of one.", option


def test_a_name_that_cannot_be_resolved_is_an_outage(monkeypatch):
    resolver = dns.resolver.Resolver(configure=False)
    # Nothing listens on this port.
    resolver.nameservers, resolver.port, resolver.lifetime = ["127.0.0.1"], 1, 0.1
    monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
    uri = "mongodb+srv://me:secret@db.campus.test/menus"

    connection = connect_read_only({"mongo.uri": uri, "mongo.timeout_ms": 100})
    revisions = RevisionMonitor(connection.database, connection.close)
    revisions.poll()
    revisions.close()

    assert (connection.database.name, type(revisions.error)) == ("menus", DatabaseUnavailable)
    assert "secret" not in str(revisions.error)
