"""LRU cache of responses, bounded in bytes."""

import gzip
import threading
from collections import OrderedDict
from collections.abc import Collection

from campus_api.http.cache_key import CacheKey

Headers = list[tuple[str, str]]

# What an entry and a text take besides their bytes, approximately: objects, headers, slots in dictionaries.
_ENTRY_OVERHEAD = 2000
_TEXT_OVERHEAD = 100
_BYTES_PER_CHARACTER = 4
# Shorter bodies hardly shrink.
_GZIP_MIN_SIZE = 500
_GZIP_LEVEL = 6


class CachedResponse:
    """A response and the version of the data set that it was rendered from, plain and gzipped."""

    __slots__ = ("body", "etag", "gzipped", "gzipped_headers", "headers", "version")

    def __init__(self, version: str, etag: str, headers: Headers, body: bytes) -> None:
        self.version = version
        self.etag = etag
        self.body = body
        self.headers = [*headers, ("Content-Length", str(len(body)))]
        self.gzipped: bytes | None = None
        self.gzipped_headers: Headers = []

    def compress(self) -> bool:
        """Gzip the body, once and if it is worth it; return whether that was done now."""
        if self.gzipped is not None or len(self.body) < _GZIP_MIN_SIZE:
            return False
        gzipped = gzip.compress(self.body, _GZIP_LEVEL, mtime=0)
        length = ("Content-Length", str(len(gzipped)))
        self.gzipped_headers = [*self.headers[:-1], ("Content-Encoding", "gzip"), length]
        self.gzipped = gzipped
        return True

    @property
    def size(self) -> int:
        """Return the approximate size in memory, in bytes."""
        return _ENTRY_OVERHEAD + len(self.body) + len(self.gzipped or b"")


class LRUCache:
    """LRU cache of responses by key, bounded in bytes; with a limit of 0 it stores nothing."""

    def __init__(self, megabytes: float) -> None:
        self.bytes = 0
        self._max_bytes = int(megabytes * 1_000_000)
        self._entries: OrderedDict[CacheKey, tuple[CachedResponse, int]] = OrderedDict()
        self._pinned: Collection[CacheKey] = ()
        self._lock = threading.Lock()

    @property
    def enabled(self) -> bool:
        """Return whether anything is stored at all."""
        return self._max_bytes > 0

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def get(self, key: CacheKey) -> CachedResponse | None:
        """Return the response for a key, of whatever version."""
        with self._lock:
            response, _ = self._entries.get(key, (None, 0))
            if response is not None:
                self._entries.move_to_end(key)
            return response

    def put(self, key: CacheKey, response: CachedResponse) -> None:
        """Insert or replace an entry, evicting the least recently used ones."""
        texts = [text for pair in key.parameters for text in pair]
        characters = len(key.path) + sum(map(len, texts))
        size = response.size + _TEXT_OVERHEAD * len(texts) + _BYTES_PER_CHARACTER * characters
        if size > self._max_bytes:
            return
        with self._lock:
            self._remove(key)
            self._entries[key] = response, size
            self.bytes += size
            while self.bytes > self._max_bytes:
                self._remove(next((old for old in self._entries if old not in self._pinned), key))

    def pin(self, keys: Collection[CacheKey]) -> None:
        """Exempt these keys, and no others, from eviction."""
        self._pinned = frozenset(keys)

    def _remove(self, key: CacheKey) -> None:
        _, size = self._entries.pop(key, (None, 0))
        self.bytes -= size
