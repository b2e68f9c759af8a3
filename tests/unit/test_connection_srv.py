"""mongodb+srv URIs, resolved with a DNS server on this machine."""

import socket
from threading import Thread

import dns.message
import dns.resolver
import dns.rrset
import pytest

from campus_api.db.connection import connect_read_only
from campus_api.db.revisions import RevisionMonitor

NAME = "db.campus.test."
RECORDS = {
    (f"_mongodb._tcp.{NAME}", "SRV"): ["0 5 27017 one.campus.test.", "0 5 27018 two.campus.test."],
    (NAME, "TXT"): ['"replicaSet=campus&authSource=admin"'],
}


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


@pytest.fixture(autouse=True)
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
def connection():
    uri = "mongodb+srv://me:secret@db.campus.test/menus?serverSelectionTimeoutMS=100"
    connection = connect_read_only({"mongo.uri": uri, "mongo.timeout_ms": 1000})
    yield connection
    connection.close()


def test_hosts_replica_set_and_tls_are_resolved_with_dns(connection):
    RevisionMonitor(connection.database).poll()

    client = connection.database.client
    hosts = client.topology_description.server_descriptions().keys()
    assert hosts == {("one.campus.test", 27017), ("two.campus.test", 27018)}
    assert client.topology_description.replica_set_name == "campus"
    assert client.options.pool_options._ssl_context
    assert connection.database.name == "menus"


def test_a_name_that_cannot_be_resolved_is_an_outage_that_ends(connection, monkeypatch):
    revisions = RevisionMonitor(connection.database)
    with monkeypatch.context() as outage:
        outage.delitem(RECORDS, (f"_mongodb._tcp.{NAME}", "SRV"))
        revisions.poll()

    assert str(revisions.error).startswith("The DNS query name does not exist: _mongodb._tcp.db.campus.test")
    revisions.poll()
    assert "one.campus.test:27017" in str(revisions.error)
