"""Servers of a few lines that answer whatever comes with the same bytes, for what no real server does."""

import contextlib
import socket
from threading import Event, Thread

BUFFER = 65536


@contextlib.contextmanager
def answering(*chunks, pause=0.0):
    """Yield the URL of a server and the requests that reach it; it sends `chunks` with pauses in between."""
    heard, stopped = [], Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                Thread(target=talk, args=listening.accept()[:1], daemon=True).start()

    def talk(connection):
        with connection, contextlib.suppress(OSError):
            heard.append(connection.recv(BUFFER))
            for chunk in chunks:
                connection.sendall(chunk)
                stopped.wait(pause)

    accepting = Thread(target=serve, daemon=True)
    accepting.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", heard
    stopped.set()
    # Closing alone does not wake up a thread that accepts, which might then take a connection of the next server.
    listening.shutdown(socket.SHUT_RDWR)
    accepting.join(10)
    listening.close()
