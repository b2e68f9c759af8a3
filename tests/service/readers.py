"""Clients that ask for the same page again and again, and remember what they saw."""

import re
from collections import Counter
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from urllib.parse import urlsplit


class Reader(Thread):
    """One client with one connection; `seen` are the states that it saw, each as often as it came anew.

    A state is the status and how many records carry which name.
    """

    def __init__(self, url, done):
        super().__init__()
        self.seen = []
        self._url = urlsplit(url)
        self._done = done

    def run(self):
        connection = HTTPConnection(self._url.netloc, timeout=30)
        while not self._done.is_set():
            connection.request("GET", f"{self._url.path}?{self._url.query}")
            answer = connection.getresponse()
            state = (answer.status, Counter(re.findall(rb'"name":"([^"]*)"', answer.read())))
            if state not in self.seen[-1:]:
                self.seen.append(state)
        connection.close()


@contextmanager
def reading(url, number=3):
    """Let so many readers hammer a page, until the end of the block."""
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
