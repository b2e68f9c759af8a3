"""A web server on 127.0.0.1 whose responses tests set by path."""

import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


@dataclass
class WebServer:
    """Functions that return `(status, headers, body)` for a request, by path; `respond` is that of other paths."""

    port: int
    respond: Callable = lambda request: (404, {}, b"")
    responses: dict = field(default_factory=dict)
    requests: list = field(default_factory=list)

    def url(self, path, *, credentials=""):
        return f"http://{credentials}127.0.0.1:{self.port}{path}"

    def add(self, path, body, **headers):
        """Respond with a body; an underscore in the name of a header is a hyphen."""
        content = body if isinstance(body, bytes) else body.encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.responses[path] = lambda request: (200, {"Content-Length": len(content), **named}, content)
        return self.url(path)

    @property
    def statuses(self):
        """The statuses of all responses."""
        return [status for _, status in self.requests]


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        self.query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        respond = self.server.site.responses.get(parts.path, self.server.site.respond)
        status, headers, body = respond(self)
        self.server.site.requests.append((self, status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self):
        self.do_GET()

    def log_message(self, *arguments):
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A client that closes its connection early is no error."""


@contextmanager
def serve():
    """Yield a running server."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.site = WebServer(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
