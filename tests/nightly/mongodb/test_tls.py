"""A mongod with TLS, and a certificate that is its own CA."""

import pytest

from tests.processes.commands import ROOT, fetch, wait_for
from tests.processes.mongod import PASSWORD, Mongod
from tests.processes.nginx import write_certificate

PRODUCTION = ROOT / "production.ini"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate, which is its own CA, and a file with it and its key."""
    folder = tmp_path_factory.mktemp("tls")
    write_certificate(folder / "ca.pem", folder / "key")
    (folder / "server.pem").write_text((folder / "key").read_text() + (folder / "ca.pem").read_text())
    return folder


@pytest.fixture(scope="module")
def mongod(certificate, tmp_path_factory):
    files = ["--tlsCertificateKeyFile", certificate / "server.pem", "--tlsCAFile", certificate / "ca.pem"]
    options = ["--tlsMode", "preferTLS", "--tlsAllowConnectionsWithoutCertificates", *files]
    mongod = Mongod(tmp_path_factory.mktemp("mongod"), *options)
    yield mongod
    mongod.kill()


def test_the_service_verifies_the_certificate(serve, mongod, certificate, tmp_path):
    secret = tmp_path / "uri"
    secret.write_text(f"{mongod.uri()}?tls=true&tlsCAFile={certificate / 'ca.pem'}\n")

    server = serve(PRODUCTION, CAMPUS_MONGO_URI_FILE=str(secret))

    wait_for(lambda: fetch(f"{server.url}/map/buildings").status == 200)


def test_a_certificate_of_another_ca_is_an_outage_with_its_reason(serve, mongod):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=f"{mongod.uri()}?tls=true")

    assert fetch(f"{server.url}/map/buildings").status == 503
    assert b"certificate verify failed" in fetch(f"{server.url}/__heartbeat__").body


@pytest.mark.parametrize("command", [["pserve", PRODUCTION], ["campus-config", "check", PRODUCTION]])
@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "cannot be read: No such file or directory."), ("x", "NO_CERTIFICATE_OR_CRL_FOUND")],
)
def test_a_ca_file_that_cannot_be_read_is_named(spawn, tmp_path, command, content, reason):
    path = tmp_path / "ca.pem"
    if content:
        path.write_text(content)

    process = spawn(*command, CAMPUS_MONGO_URI=f"mongodb://me:{PASSWORD[:5]}@db/campus?tls=true&tlsCAFile={path}")

    assert process.wait() > 0
    assert (f"tlsCAFile {path}" in process.output(), reason in process.output()) == (True, True), process.output()
    assert (PASSWORD[:5] in process.output(), "Traceback" in process.output()) == (False, False)


def test_a_certificate_without_its_key_is_named(spawn, certificate):
    files = f"tlsCAFile={certificate / 'ca.pem'}&tlsCertificateKeyFile={certificate / 'ca.pem'}"

    process = spawn("pserve", PRODUCTION, CAMPUS_MONGO_URI=f"mongodb://db/campus?tls=true&{files}")

    assert process.wait() > 0
    assert f"tlsCertificateKeyFile {certificate / 'ca.pem'}" in process.output()
