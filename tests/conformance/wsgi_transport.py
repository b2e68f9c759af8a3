"""A transport that calls a WSGI application instead of a server."""

from wsgiref.util import setup_testing_defaults


def wsgi_transport(app):
    """Return a `send` function like `conformance.transport.Transport` for an application."""

    def send(target, headers):
        path, _, query = target.partition("?")
        environ = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
        }
        setup_testing_defaults(environ)
        calls = []
        body = b"".join(app(environ, lambda *arguments: calls.append(arguments)))
        status, response_headers, *_ = calls[-1]
        return int(status[:3]), {name.lower(): value for name, value in response_headers}, body

    return send
