"""Clients that send requests in sequence and record every response with its duration."""

import time
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from types import SimpleNamespace
from urllib.parse import urlsplit


class Client(Thread):
    """A client with one connection, which records all `responses`."""

    def __init__(self, url, paths, done):
        super().__init__()
        self.responses = []
        self._netloc = urlsplit(url).netloc
        self._paths = paths
        self._done = done

    def run(self):
        connection = HTTPConnection(self._netloc, timeout=30)
        for path in self._paths:
            if self._done.wait(0.005):
                break
            sent_at = time.monotonic()
            connection.request("GET", path)
            response = connection.getresponse()
            self.responses.append(
                SimpleNamespace(
                    path=path,
                    sent_at=sent_at,
                    status=response.status,
                    headers=response.headers,
                    body=response.read(),
                    seconds=time.monotonic() - sent_at,
                )
            )
        connection.close()


@contextmanager
def traffic(url, *each_paths):
    """Run a client for each of these iterables of paths until the end of the block."""
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
