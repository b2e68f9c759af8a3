"""Clients that read random URLs from one server each, and record all responses."""

import gzip
from collections import defaultdict, deque
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from random import Random
from typing import Any
from urllib.parse import urlsplit

from tests.nightly.consistency.urls import Url, Urls
from tests.processes.nginx import unverified_context

# Seconds; a process is paused during several loads.
_TIMEOUT = 100
FOREIGN_ETAG = 'W/"0123456789abcdef01234567"'


@dataclass(frozen=True)
class Response:
    """A response with its body decompressed; `if_none_match` is the ETag in the request."""

    client: str
    url: Url
    method: str
    if_none_match: str | None
    status: int
    headers: Any
    body: bytes

    def __str__(self):
        headers = {name: self.headers[name] for name in ("ETag", "Last-Modified", "Cache-Status", "X-Cache")}
        request = f"{self.client}: {self.method} {self.url.path} {self.url.accept} {self.if_none_match}"
        return f"{request} -> {self.status} {headers} {self.body[:300]!r}"

    @property
    def etag(self):
        return self.headers["ETag"]

    @property
    def last_modified(self):
        return self.headers["Last-Modified"]


class Shared:
    """What clients share: the URLs that one of them has just read, and the ETags that each URL had."""

    def __init__(self):
        self.recent = deque(maxlen=20)
        self.etags = defaultdict(lambda: deque(maxlen=3))


class Client:
    """A client with one connection; `interruptions` counts the responses that ended early."""

    def __init__(self, name, base, shared, seed, source):
        self.responses = []
        self.interruptions = 0
        self._name, self._shared, self._random = name, shared, Random(seed)
        self._urls = Urls(self._random)
        self._connection = _connect(urlsplit(base), source)

    def read_until(self, done):
        while not done.is_set():
            self.read(self._choose_url())

    def close(self):
        self._connection.close()

    def read(self, url):
        """Request a URL, at random by HEAD, for gzip or with an ETag; return None if the response ends early."""
        method = "HEAD" if self._random.random() < 0.1 else "GET"
        etag = self._choose_etag(url)
        headers = {"Accept": url.accept, "Accept-Encoding": self._random.choice(["gzip", "identity"])}
        if etag:
            headers["If-None-Match"] = etag
        try:
            self._connection.request(method, url.path, headers=headers)
            reply = self._connection.getresponse()
            body = reply.read()
        except (HTTPException, ConnectionError):
            self.interruptions += 1
            self._connection.close()
            return None
        if body and reply.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        response = Response(self._name, url, method, etag, reply.status, reply.headers, body)
        self.responses.append(response)
        if response.status == 200:
            self._shared.etags[url.key].append(response.etag)
        return response

    def _choose_url(self):
        """Choose a URL that a client has just read, or a new one."""
        if self._shared.recent and self._random.random() < 0.4:
            return self._random.choice([*self._shared.recent])
        url = self._urls.choose()
        self._shared.recent.append(url)
        return url

    def _choose_etag(self, url):
        if self._random.random() < 0.05:
            return FOREIGN_ETAG
        etags = [*self._shared.etags[url.key]]
        return self._random.choice(etags) if etags and self._random.random() < 0.4 else None


def _connect(url, source):
    options = {"timeout": _TIMEOUT, "source_address": (source, 0)}
    if url.scheme == "https":
        return HTTPSConnection(url.netloc, context=unverified_context(), **options)
    return HTTPConnection(url.netloc, **options)
