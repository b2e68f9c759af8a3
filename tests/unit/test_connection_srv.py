"""mongodb+srv URIs, resolved with a DNS server on this machine."""

import socket
from threading import Thread

import dns.message
import dns.resolver
import dns.rrset
import pytest

from campus_api.db.connection import connect_read_only
from campus_api.settings import SettingError

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


def test_hosts_replica_set_and_tls_are_resolved_with_dns():
    connection = connect_read_only(
        {"mongo.uri": "mongodb+srv://me:secret@db.campus.test/menus", "mongo.timeout_ms": 1000}
    )

    client = connection.database.client
    connection.close()
    hosts = client.topology_description.server_descriptions().keys()
    assert hosts == {("one.campus.test", 27017), ("two.campus.test", 27018)}
    assert client.topology_description.replica_set_name == "campus"
    assert client.options.pool_options._ssl_context
    assert connection.database.name == "menus"


def test_an_unresolvable_name_is_an_error_without_the_password():
    with pytest.raises(SettingError) as error:
        connect_read_only({"mongo.uri": "mongodb+srv://me:secret@nowhere.campus.test", "mongo.timeout_ms": 1000})

    assert str(error.value).startswith("mongo.uri is not a connection string that MongoDB's driver takes")
    assert "secret" not in str(error.value)
