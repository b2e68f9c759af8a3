"""Answers in memory, in bounded space: the least recently used ones go first."""

import gzip
import threading
from collections import OrderedDict
from collections.abc import Collection

from campus_api.http.cache_key import Asked

Headers = list[tuple[str, str]]

# What an answer and a text take besides their bytes, about: objects, headers, places in dictionaries.
_OVERHEAD, _OVERHEAD_OF_A_TEXT = 2000, 100
# Less than this would hardly become smaller.
_SHORTEST_TO_COMPRESS = 500
_LEVEL = 6


class Answer:
    """A finished answer: its body, plain and compressed, and the headers of each."""

    __slots__ = ("body", "compressed", "compressed_headers", "headers", "tag", "version")

    def __init__(self, version: str, tag: str, headers: Headers, body: bytes) -> None:
        """Take the version of the data that it was made from, its tag, its headers without a length, and its body."""
        self.version = version
        self.tag = tag
        self.body = body
        self.headers = [*headers, ("Content-Length", str(len(body)))]
        self.compressed: bytes | None = None
        self.compressed_headers: Headers = []

    def compress(self) -> bool:
        """Make the compressed form, if that is worth it and was not done; tell whether it is made now."""
        if self.compressed is not None or len(self.body) < _SHORTEST_TO_COMPRESS:
            return False
        compressed = gzip.compress(self.body, _LEVEL, mtime=0)
        length = ("Content-Length", str(len(compressed)))
        self.compressed_headers = [*self.headers[:-1], ("Content-Encoding", "gzip"), length]
        self.compressed = compressed
        return True

    @property
    def size(self) -> int:
        """Return about how many bytes of memory it takes."""
        return _OVERHEAD + len(self.body) + len(self.compressed or b"")


class Kept:
    """The answers that were given lately, by what was asked for, in at most so many bytes."""

    def __init__(self, megabytes: float) -> None:
        """Take the limit; with 0 nothing is kept."""
        self.bytes = 0
        self._most_bytes = int(megabytes * 1_000_000)
        self._answers: OrderedDict[Asked, tuple[Answer, int]] = OrderedDict()
        self._pinned: Collection[Asked] = ()
        self._lock = threading.Lock()

    @property
    def keeps(self) -> bool:
        """Tell whether anything is kept at all."""
        return self._most_bytes > 0

    def __len__(self) -> int:
        """Return how many answers there are."""
        return len(self._answers)

    def get(self, asked: Asked) -> Answer | None:
        """Return the answer, of whichever version."""
        with self._lock:
            answer, _ = self._answers.get(asked, (None, 0))
            if answer is not None:
                self._answers.move_to_end(asked)
            return answer

    def put(self, asked: Asked, answer: Answer) -> None:
        """Keep an answer, or what it has become; what was not used for longest gives way."""
        size = answer.size + sum(_OVERHEAD_OF_A_TEXT + 4 * len(text) for pair in asked.parameters for text in pair)
        size += 4 * len(asked.path)
        if size > self._most_bytes:
            return
        with self._lock:
            self._drop(asked)
            self._answers[asked] = answer, size
            self.bytes += size
            while self.bytes > self._most_bytes:
                self._drop(next((old for old in self._answers if old not in self._pinned), asked))

    def pin(self, asked: Collection[Asked]) -> None:
        """Let these answers, and no others, stay whatever else is asked for."""
        self._pinned = frozenset(asked)

    def _drop(self, asked: Asked) -> None:
        _, size = self._answers.pop(asked, (None, 0))
        self.bytes -= size
