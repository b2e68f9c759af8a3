"""A WSGI application in the place of a server, asked as the transport asks one."""

from urllib.parse import unquote_to_bytes
from wsgiref.util import setup_testing_defaults


def sending(app):
    """Return what sends requests to an application, as `conformance.transport.Transport` does to a server."""

    def send(method, target, headers):
        path, _, query = target.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path.encode("latin-1")).decode("latin-1"),
            "QUERY_STRING": query,
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
        }
        setup_testing_defaults(environ)
        started = []
        body = b"".join(app(environ, lambda *given: started.append(given)))
        status, given, *_ = started[-1]
        return int(status[:3]), {name.lower(): value for name, value in given}, body

    return send
