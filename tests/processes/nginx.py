"""A real nginx with the configuration in deploy/, adapted only where an operator would adapt it."""

import gzip
import os
import socket
import ssl
import subprocess
from collections import defaultdict
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPSConnection
from threading import Event
from types import SimpleNamespace

from tests.processes.commands import PROCESS_DEADLINE, ROOT, Process, reserve_port, stop, wait_for_process
from tests.programs import require

SITE = ROOT / "deploy" / "nginx.conf"
ADDRESS = "127.0.0.1"
MAIN = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log; {user}
events {{ worker_connections 1024; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def write_site(folder, upstream):
    """Write the configuration for a test; return the path of nginx.conf and the HTTP and HTTPS ports."""
    plain, secure = reserve_port(), reserve_port()
    write_certificate(folder / "pem", folder / "key")
    text = SITE.read_text(encoding="utf-8")
    for old, new in {
        "server 127.0.0.1:6543 max_fails=0;": f"server {upstream} max_fails=0;",
        "listen 80;": f"listen {ADDRESS}:{plain};",
        "listen [::]:80;": "",
        "listen 443 ssl": f"listen {ADDRESS}:{secure} ssl",
        "listen [::]:443 ssl http2;": "",
        "/etc/ssl/campus-api.pem": f"{folder}/pem",
        "/etc/ssl/campus-api.key": f"{folder}/key",
        "/var/lib/nginx/campus-api": f"{folder}/cache",
        "/var/log/nginx/campus-api.log": f"{folder}/access.log",
    }.items():
        assert old in text, old
        text = text.replace(old, new)
    (folder / "site.conf").write_text(text)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    return folder / "nginx.conf", plain, secure


def write_certificate(certificate, key):
    """Write a self-signed certificate and its key."""
    subject = ["-subj", "/CN=campus.example.edu", "-addext", f"subjectAltName=IP:{ADDRESS}", "-days", "2"]
    files = ["-keyout", key, "-out", certificate]
    command = [require("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subprocess.run([*command, *subject, *files], check=True, capture_output=True, timeout=PROCESS_DEADLINE)


@contextmanager
def running(folder, upstream):
    """Run nginx as a reverse proxy of `host:port` or of `unix:/path`."""
    program = require("nginx")
    config, plain, secure = write_site(folder, upstream)
    log = folder / "error.log"
    process = Process([program, "-c", config, "-p", folder, "-e", log])
    process.output = log.read_text
    try:
        wait_for_process(process, lambda: _is_listening(secure))
        yield SimpleNamespace(plain=plain, secure=secure, access_log=folder / "access.log")
    finally:
        stop(process)


def _is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex((ADDRESS, port)) == 0


def unverified_context():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def fetch(site, path, method="GET", source=None, secure=True, **headers):
    """Send a request to nginx, from the local address `source`."""
    address = source and (source, 0)
    if secure:
        connection = HTTPSConnection(
            ADDRESS, site.secure, timeout=30, source_address=address, context=unverified_context()
        )
    else:
        connection = HTTPConnection(ADDRESS, site.plain, timeout=30)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return SimpleNamespace(status=response.status, headers=response.headers, body=response.read())
    finally:
        connection.close()


class Upstream:
    """A fake service with configurable responses, which records the headers of requests by path."""

    def __init__(self, server):
        self.address = f"{ADDRESS}:{server.port}"
        server.respond = self._respond
        self.reset()

    def reset(self):
        """Forget the requests and restore the default response."""
        self.requests, self.status, self.body = defaultdict(list), 200, b"[]"
        self.headers = {"Cache-Control": "public, max-age=60", "ETag": '"1"', "Vary": "Accept-Encoding"}
        # Requests wait for their responses while it is cleared.
        self.unblocked = Event()
        self.unblocked.set()

    def _respond(self, request):
        self.requests[request.path].append(request.headers)
        self.unblocked.wait(30)
        headers, body = {**self.headers, "X-Request-Id": request.headers["X-Request-Id"]}, self.body
        if request.headers["Accept-Encoding"] == "gzip":
            headers["Content-Encoding"], body = "gzip", gzip.compress(body)
        if request.headers["If-None-Match"] == self.headers.get("ETag", ""):
            return 304, headers, b""
        return self.status, {**headers, "Content-Length": len(body)}, body
