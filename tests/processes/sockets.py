"""Raw HTTP requests over sockets."""

import socket
from urllib.parse import urlsplit

from tests.processes.commands import DEADLINE


def connect(server, timeout=DEADLINE, receive_buffer=None):
    """Connect to a server; a small receive buffer makes a slow reader."""
    url = urlsplit(server.url)
    connection = socket.socket()
    connection.settimeout(timeout)
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    try:
        connection.connect((url.hostname, url.port))
    except OSError:
        connection.close()
        raise
    return connection


def is_refused(server):
    """Tell whether a connection is refused, or reset because the listening socket is closing at that moment."""
    try:
        connect(server).close()
    except (ConnectionRefusedError, ConnectionResetError):
        return True
    return False


def receive_queues(server):
    """Return the bytes that each established connection of a server has received and not read, from /proc/net/tcp."""
    port = f":{urlsplit(server.url).port:04X}"
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table]
    return [int(row[4].partition(":")[2], 16) for row in rows if row[1].endswith(port) and row[3] == "01"]


def read_all(connection):
    """Return all data until the peer closes the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def request(line, *headers):
    return b"\r\n".join([line, b"Host: campus", *headers, b"", b""])


def send(server, line, *headers):
    """Send a request and return the status, the headers by lower-case name, and the body."""
    with connect(server) as connection:
        connection.sendall(request(line, b"Connection: close", *headers))
        return parse(read_all(connection))


def parse(response):
    head, _, body = response.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return status.partition(" ")[2], {name.lower(): value for name, value in headers.items()}, body
