"""Responses in memory, bounded in bytes."""

import threading
from collections import OrderedDict
from collections.abc import Collection
from itertools import chain

from campus_api.http.cache_key import CacheKey
from campus_api.http.response import CachedResponse

# What an entry and a text take besides their bytes, approximately: objects, headers, slots in dictionaries.
_ENTRY_OVERHEAD = 2000
_TEXT_OVERHEAD = 100
_BYTES_PER_CHARACTER = 4
# JSON shrinks to a quarter at most, and is stored gzipped as well once a client has accepted that.
_GZIPPED_SHARE = 0.25


class ResponseStore:
    """Responses by key, in a number of megabytes or none: least recently used first out, pinned keys last."""

    def __init__(self, megabytes: float) -> None:
        self.max_bytes = int(megabytes * 1_000_000)
        self._entries: OrderedDict[CacheKey, CachedResponse] = OrderedDict()
        self._pinned: frozenset[CacheKey] = frozenset()
        self._lock = threading.Lock()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: CacheKey) -> CachedResponse | None:
        """Return the response for a key, of whatever revisions."""
        with self._lock:
            response = self._entries.get(key)
            if response is not None:
                self._entries.move_to_end(key)
            return response

    def put(self, key: CacheKey, response: CachedResponse) -> None:
        """Insert or replace a response, or only remove the former one if there is no room."""
        size = _size(key, response)
        with self._lock:
            self._remove(key)
            if size > self._room(key):
                return
            while self.bytes + size > self.max_bytes:
                unpinned = (each for each in self._entries if each not in self._pinned)
                self._remove(next(chain(unpinned, self._entries)))
            self._entries[key] = response
            self.bytes += size

    def pin(self, keys: Collection[CacheKey]) -> None:
        """Exempt these keys, and no others, from eviction by other keys."""
        with self._lock:
            self._pinned = frozenset(keys)

    def _room(self, key: CacheKey) -> int:
        """Return the bytes that a key can take at most."""
        if key in self._pinned:
            return self.max_bytes
        stored = [each for each in self._pinned if each in self._entries]
        return self.max_bytes - sum(_size(each, self._entries[each]) for each in stored)

    def _remove(self, key: CacheKey) -> None:
        if key in self._entries:
            self.bytes -= _size(key, self._entries.pop(key))


def _size(key: CacheKey, response: CachedResponse) -> int:
    texts = [text for pair in key.parameters for text in pair]
    characters = len(key.path) + len(key.prefix) + sum(map(len, texts))
    body = int(len(response.body.plain) * (1 + _GZIPPED_SHARE))
    return _ENTRY_OVERHEAD + body + _TEXT_OVERHEAD * len(texts) + _BYTES_PER_CHARACTER * characters
