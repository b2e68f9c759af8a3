"""A MongoDB whose certificate the service verifies, and a URI in a file."""

from tests.processes import mongod as mongods
from tests.processes.commands import PRODUCTION, fetch, wait_for
from tests.processes.nginx import write_certificate


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
