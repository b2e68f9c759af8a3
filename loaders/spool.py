"""Buildings in a temporary file: any number of them in little memory, to go through again and again."""

import marshal
import os
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from campus_api.models import Building

_BATCH = 500
# Of the versions of the format that write floats exactly, the one in which equal values are equal bytes.
_FORMAT = 2
# To be changed when the same building becomes another document than before.
_DOCUMENTS = b"building 1"
_values = attrgetter(*(field.name for field in fields(Building)))


class Spool:
    """A collection of buildings on the disk, in the order in which they came."""

    def __init__(self) -> None:
        """Open an empty collection; its file goes with it."""
        self._file = tempfile.TemporaryFile(prefix="campus-load-")  # noqa: SIM115 - closed by the finalizer
        self._batch: list[tuple[Any, ...]] = []
        self._lengths, self._ids, self._points = array("q"), array("q"), array("d")
        self._digests: list[bytes] = []
        self._left_out: frozenset[int] = frozenset()
        weakref.finalize(self, self._file.close)

    def append(self, building: Building, digest: bytes) -> None:
        """Add a building and its digest."""
        self._batch.append(_values(building))
        self._ids.append(building.id)
        self._points.extend(building.point)
        self._digests.append(digest)
        if len(self._batch) == _BATCH:
            self._write()

    def leave_out(self, ids: Iterable[int]) -> None:
        """Act as if the buildings with these ids, one for each, had not been added."""
        self._left_out = frozenset(ids)

    @property
    def locations(self) -> Iterator[tuple[int, float, float]]:
        """Yield the id, the latitude and the longitude of every building."""
        for id_, latitude, longitude in zip(self._ids, self._points[::2], self._points[1::2], strict=True):
            if id_ not in self._left_out:
                yield id_, latitude, longitude

    @property
    def digests(self) -> Iterator[tuple[int, bytes]]:
        """Yield the id and the digest of every building."""
        return ((id_, each) for id_, each in zip(self._ids, self._digests, strict=True) if id_ not in self._left_out)

    def __len__(self) -> int:
        """Return how many buildings there are."""
        return len(self._ids) - len(self._left_out)

    def __iter__(self) -> Iterator[Building]:
        """Yield every building; while that goes on, nothing else may be done with the collection."""
        if self._batch:
            self._write()
        self._file.seek(0)
        for length in self._lengths:
            # The file is nobody else's and holds what this process wrote.
            for values in marshal.loads(self._file.read(length)):  # noqa: S302
                if values[0] not in self._left_out:
                    yield Building(*values)

    def _write(self) -> None:
        body = marshal.dumps(self._batch, _FORMAT)
        self._file.seek(0, os.SEEK_END)
        self._file.write(body)
        self._lengths.append(len(body))
        self._batch = []


def spool_of(buildings: Iterable[Building]) -> Spool:
    """Return a collection of these buildings."""
    spool = Spool()
    for building in buildings:
        spool.append(building, digest(building))
    return spool


def digest(building: Building) -> bytes:
    """Return 16 bytes that differ for buildings that differ in anything."""
    return blake2b(marshal.dumps(_values(building), _FORMAT), digest_size=16, person=_DOCUMENTS).digest()
