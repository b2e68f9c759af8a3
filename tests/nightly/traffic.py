"""Clients that send requests in sequence, and record the responses."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event
from types import SimpleNamespace
from urllib.parse import urlsplit

from tests.processes.commands import DEADLINE, wait_for


def _send_until(done, url, paths, responses):
    connection = HTTPConnection(urlsplit(url).netloc, timeout=DEADLINE)
    for path in paths:
        # The server also has other clients.
        if done.wait(0.005):
            break
        connection.request("GET", path)
        response = connection.getresponse()
        responses.append(SimpleNamespace(status=response.status, headers=response.headers, body=response.read()))
    connection.close()


@contextmanager
def traffic(url, *each_paths):
    """Run a client for each of these iterables of paths until the end of the block; yield their lists of responses."""
    done = Event()
    clients = [[] for _ in each_paths]
    with ThreadPoolExecutor(len(clients)) as pool:
        futures = [pool.submit(_send_until, done, url, *each) for each in zip(each_paths, clients, strict=True)]
        try:
            yield clients
        finally:
            done.set()
    for future in futures:
        future.result()


def wait_for_more(clients, number=2):
    """Wait until each client has got more responses: of all but the first, the request was sent after this call."""
    before = [len(responses) for responses in clients]
    wait_for(lambda: all(len(now) >= then + number for now, then in zip(clients, before, strict=True)))
