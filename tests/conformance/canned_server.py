"""A server that sends the same bytes for every request, for behavior that no real server has."""

import contextlib
import socket
from threading import Event, Thread

BUFFER_SIZE = 65536


@contextlib.contextmanager
def canned_server(*chunks, pause=0.0):
    """Run a server that sends `chunks` with pauses in between; yield its URL and the requests it receives."""
    requests = []
    stopped = Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def accept_connections():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                Thread(target=respond, args=[connection], daemon=True).start()

    def respond(connection):
        with connection, contextlib.suppress(OSError):
            requests.append(connection.recv(BUFFER_SIZE))
            for chunk in chunks:
                connection.sendall(chunk)
                stopped.wait(pause)

    thread = Thread(target=accept_connections, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", requests
    stopped.set()
    # close() alone does not wake the accepting thread, which could then accept a connection to the next server.
    listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)
    listener.close()
