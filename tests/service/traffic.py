"""Clients that ask for one page after the other, and remember every answer and how long it took."""

import time
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from types import SimpleNamespace
from urllib.parse import urlsplit


class Client(Thread):
    """One client with one connection; `answers` are all that it got."""

    def __init__(self, url, paths, done):
        super().__init__()
        self.answers = []
        self._netloc = urlsplit(url).netloc
        self._paths = paths
        self._done = done

    def run(self):
        connection = HTTPConnection(self._netloc, timeout=30)
        for path in self._paths:
            if self._done.wait(0.005):
                break
            asked_at = time.monotonic()
            connection.request("GET", path)
            answer = connection.getresponse()
            self.answers.append(
                SimpleNamespace(
                    path=path,
                    asked_at=asked_at,
                    status=answer.status,
                    headers=answer.headers,
                    body=answer.read(),
                    seconds=time.monotonic() - asked_at,
                )
            )
        connection.close()


@contextmanager
def traffic(url, *each_paths):
    """Let a client ask for each of these series of paths, until the end of the block."""
    done = Event()
    clients = [Client(url, paths, done) for paths in each_paths]
    for client in clients:
        client.start()
    try:
        yield clients
    finally:
        done.set()
        for client in clients:
            client.join()
