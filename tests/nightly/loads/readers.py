"""Clients that request the same URL repeatedly and record the states they see."""

import re
from collections import Counter
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from urllib.parse import urlsplit


class Reader(Thread):
    """A client with one connection, which records the successive `states` it sees, without repetitions.

    A state is the status and the number of records with each name.
    """

    def __init__(self, url, done):
        super().__init__()
        self.states = []
        self._url = urlsplit(url)
        self._done = done

    def run(self):
        connection = HTTPConnection(self._url.netloc, timeout=30)
        while not self._done.is_set():
            connection.request("GET", f"{self._url.path}?{self._url.query}")
            response = connection.getresponse()
            state = (response.status, Counter(re.findall(rb'"name":"([^"]*)"', response.read())))
            if state not in self.states[-1:]:
                self.states.append(state)
        connection.close()


@contextmanager
def concurrent_readers(url, number=3):
    """Run readers of a URL until the end of the block."""
    done = Event()
    readers = [Reader(url, done) for _ in range(number)]
    for reader in readers:
        reader.start()
    try:
        yield readers
    finally:
        done.set()
        for reader in readers:
            reader.join()
