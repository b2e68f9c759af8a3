"""A MongoDB with TLS, and one with access control."""

from pymongo import MongoClient

from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import serving
from tests.processes import mongod as mongods
from tests.processes.commands import PRODUCTION, fetch, wait_for
from tests.processes.nginx import write_certificate
from tests.publishing import publish_dining


def test_the_service_verifies_the_certificate(serve, tmp_path, tmp_path_factory):
    # The certificate is its own CA.
    certificate, key, both, secret = (tmp_path / name for name in ("ca.pem", "key", "server.pem", "uri"))
    write_certificate(certificate, key)
    both.write_text(key.read_text() + certificate.read_text())
    options = ["--tlsMode", "preferTLS", "--tlsAllowConnectionsWithoutCertificates"]
    options += ["--tlsCertificateKeyFile", both, "--tlsCAFile", certificate]

    with mongods.running(tmp_path_factory.mktemp("m"), *options) as mongod:
        secret.write_text(f"{mongod.uri()}?tls=true&tlsCAFile={certificate}\n")
        trusting = serve(PRODUCTION, CAMPUS_MONGO_URI_FILE=str(secret))
        other = serve(PRODUCTION, CAMPUS_MONGO_URI=f"{mongod.uri()}?tls=true")

        wait_for(lambda: fetch(f"{trusting.url}/map/buildings").status == 200)
        assert fetch(f"{other.url}/map/buildings").status == 503
        assert b"certificate verify failed" in fetch(f"{other.url}/__heartbeat__").body


def test_the_read_write_role_is_sufficient_to_load_and_undo(mongod_with_auth):
    with mongod_with_auth.database(mongods.OWNER) as database:
        database.command("createUser", "loader", pwd="secret", roles=["readWrite"])

    with MongoClient(mongod_with_auth.uri("loader:secret@"), tz_aware=True) as client:
        loaded = publish_dining(client.campus, [serving()])
        publish(client.campus, plan_undo(client.campus, "dining"))

        assert client.campus.datasets.find_one("dining")["reverts"] == loaded
