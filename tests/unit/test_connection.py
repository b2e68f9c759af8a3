import socket
import sys
from threading import Thread

import dns.message
import dns.resolver
import dns.rrset
import pytest

from campus_api.db.connection import connect_read_only
from campus_api.db.revisions import RevisionMonitor
from campus_api.settings import SettingError
from tests.unit.rejection import rejection

NAME = "db.campus.test."
RECORDS = {
    (f"_mongodb._tcp.{NAME}", "SRV"): ["0 5 27017 one.campus.test.", "0 5 27018 two.campus.test."],
    (NAME, "TXT"): ['"replicaSet=campus&authSource=admin"'],
}


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


def test_an_option_that_the_driver_would_ignore_is_named(connect):
    for option in (
        *("tls=True", "readPreference=s3cret", "maxPoolSize=s3cret", "timeoutMS=-1", "bogusOption=s3cret"),
        *("compressors=s3cret", "authMechanismProperties=s3cret:x", "retryWrites=false"),
    ):
        for separator in "&;":
            name = option.partition("=")[0]
            with pytest.raises(SettingError, match=rf"^mongo\.uri: [^\n]* would ignore the option {name}, ") as raised:
                connect(separator.join(["retryWrites=true", "w=1", option, "appName=x"]))
            assert "s3cret" not in str(raised.value), option


def test_a_part_of_a_password_is_not_taken_for_an_option(connect):
    with pytest.raises(SettingError, match="would ignore an option") as raised:
        connect("s3cret=x@db.example.edu/campus")

    assert "s3cret" not in str(raised.value)


def test_options_that_the_driver_takes_are_accepted(connect):
    for options in (
        "readPreference=secondary&readPreferenceTags=dc:east&readPreferenceTags=",
        "authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:a%2Fb&compressors=zlib",
    ):
        assert connect(options).name == "campus", options


def test_a_file_of_certificates_that_cannot_be_used_is_named(connect, tmp_path):
    (tmp_path / "bad.pem").write_text("x")
    for options, reason in (
        ("tlsCAFile={}/none.pem", "mongo.uri: tlsCAFile {}/none.pem cannot be read: No such file or directory."),
        ("tlsCAFile={}/bad.pem", "mongo.uri: OpenSSL rejects tlsCAFile {}/bad.pem: NO_CERTIFICATE_OR_CRL_FOUND."),
        ("tlsCertificateKeyFile={}/bad.pem", "mongo.uri: OpenSSL rejects tlsCertificateKeyFile {}/bad.pem: "),
    ):
        message = rejection(connect, f"tls=true&{options.format(tmp_path)}")
        assert message.startswith(reason.format(tmp_path)), options


def test_a_warning_of_the_driver_about_a_host_is_no_error():
    uri = "mongodb://campus.docdb.amazonaws.com/campus?tls=true"

    with pytest.warns(UserWarning, match="DocumentDB"):
        connect_read_only({"mongo.uri": uri, "mongo.timeout_ms": 50}).close()


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
def test_mongomock_collections_can_be_listed_during_the_first_read_of_another_thread():
    for _ in range(20):
        database = connect_read_only({"mongo.uri": "mongomock://", "mongo.timeout_ms": 50}).database
        for number in range(30):
            database[f"buildings_{number}"].insert_one({})
        reader = Thread(target=read_all, args=[database])

        reader.start()
        while reader.is_alive():
            assert len(database.list_collection_names()) == 30
        reader.join()


def reply(query):
    response = dns.message.make_response(query)
    [question] = query.question
    type_ = dns.rdatatype.to_text(question.rdtype)
    records = RECORDS.get((question.name.to_text(), type_))
    if records:
        response.answer.append(dns.rrset.from_text(question.name, 60, "IN", type_, *records))
    else:
        response.set_rcode(dns.rcode.NXDOMAIN)
    return response


def serve(server):
    while True:
        query, address = server.recvfrom(4096)
        if not query:
            return
        server.sendto(reply(dns.message.from_wire(query)).to_wire(), address)


@pytest.fixture
def dns_server(monkeypatch):
    with socket.socket(type=socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        thread = Thread(target=serve, args=[server])
        thread.start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.getsockname()[1]
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
        yield
        server.sendto(b"", server.getsockname())
        thread.join()


@pytest.fixture
def srv_connection(dns_server):
    """A connection whose hosts a DNS server on this machine lists."""
    uri = "mongodb+srv://me:secret@db.campus.test/menus?serverSelectionTimeoutMS=100"
    connection = connect_read_only({"mongo.uri": uri, "mongo.timeout_ms": 1000})
    yield connection
    connection.close()


def test_hosts_replica_set_and_tls_are_resolved_with_dns(srv_connection):
    RevisionMonitor(srv_connection.database).poll()

    client = srv_connection.database.client
    hosts = client.topology_description.server_descriptions().keys()
    assert hosts == {("one.campus.test", 27017), ("two.campus.test", 27018)}
    assert client.topology_description.replica_set_name == "campus"
    assert client.options.pool_options._ssl_context
    assert srv_connection.database.name == "menus"


def test_a_name_that_cannot_be_resolved_is_an_outage_that_ends(srv_connection, monkeypatch):
    revisions = RevisionMonitor(srv_connection.database)
    with monkeypatch.context() as outage:
        outage.delitem(RECORDS, (f"_mongodb._tcp.{NAME}", "SRV"))
        revisions.poll()

    assert str(revisions.error).startswith("The DNS query name does not exist: _mongodb._tcp.db.campus.test")
    revisions.poll()
    assert "one.campus.test:27017" in str(revisions.error)
