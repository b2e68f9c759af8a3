"""Responses in memory, bounded in bytes."""

import threading
from collections.abc import Collection
from contextlib import suppress
from operator import itemgetter

from cachetools import LRUCache

from campus_api.http.cache_key import CacheKey
from campus_api.http.response import CachedResponse

_Entry = tuple[CachedResponse | None, int]

# What an entry and a text take besides their bytes, approximately: objects, headers, slots in dictionaries.
_ENTRY_OVERHEAD = 2000
_TEXT_OVERHEAD = 100
_BYTES_PER_CHARACTER = 4
# JSON shrinks to a quarter at most, and is kept gzipped as well once a client has accepted that.
_GZIPPED_SHARE = 0.25
_PINNED_SHARE = 0.5
_MISSING: _Entry = (None, 0)


class ResponseStore:
    """Responses by key, in a number of megabytes: half of it for pinned keys, the rest least recently used first out.

    With 0 megabytes it stores nothing.
    """

    def __init__(self, megabytes: float) -> None:
        max_bytes = int(megabytes * 1_000_000)
        self._max_pinned_bytes = int(max_bytes * _PINNED_SHARE)
        self._lru: LRUCache[CacheKey, _Entry] = LRUCache(max_bytes - self._max_pinned_bytes, getsizeof=itemgetter(1))
        self._pinned: dict[CacheKey, _Entry] = {}
        self._lock = threading.Lock()

    @property
    def enabled(self) -> bool:
        """Return whether anything is stored at all."""
        return self._lru.maxsize > 0

    @property
    def bytes(self) -> int:
        """Return the approximate size in memory."""
        return int(self._lru.currsize) + self._pinned_bytes

    def __len__(self) -> int:
        return len(self._lru) + sum(response is not None for response, _ in self._pinned.values())

    def get(self, key: CacheKey) -> CachedResponse | None:
        """Return the response for a key, of whatever version."""
        with self._lock:
            response, _ = self._pinned.get(key) or self._lru.get(key, _MISSING)
            return response

    def put(self, key: CacheKey, response: CachedResponse) -> None:
        """Insert or replace a response, unless there is no room for it."""
        entry = response, _size(key, response)
        with self._lock:
            self._insert(key, entry)

    def pin(self, keys: Collection[CacheKey]) -> None:
        """Exempt these keys, and no others, from eviction."""
        with self._lock:
            entries = self._pinned | {key: self._lru.pop(key) for key in keys if key in self._lru}
            self._pinned = dict.fromkeys(keys, _MISSING)
            for key, entry in entries.items():
                if entry is not _MISSING:
                    self._insert(key, entry)

    def _insert(self, key: CacheKey, entry: _Entry) -> None:
        if key not in self._pinned:
            # ValueError: it is larger than the whole cache.
            with suppress(ValueError):
                self._lru[key] = entry
        elif self._pinned_bytes - self._pinned[key][1] + entry[1] <= self._max_pinned_bytes:
            self._pinned[key] = entry

    @property
    def _pinned_bytes(self) -> int:
        return sum(size for _, size in self._pinned.values())


def _size(key: CacheKey, response: CachedResponse) -> int:
    texts = [text for pair in key.parameters for text in pair]
    characters = len(key.path) + sum(map(len, texts))
    body = int(len(response.body.plain) * (1 + _GZIPPED_SHARE))
    return _ENTRY_OVERHEAD + body + _TEXT_OVERHEAD * len(texts) + _BYTES_PER_CHARACTER * characters
