"""Buildings in a temporary file: any number of them in little memory, to go through again and again."""

import marshal
import struct
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter

from campus_api.models import Building

_LENGTH = struct.Struct("<I")
# Of the versions of the format that write floats exactly, the one in which equal values are equal bytes.
_FORMAT = 2
_values = attrgetter(*(field.name for field in fields(Building)))


class Spool:
    """A collection of buildings on the disk, in the order in which they came."""

    def __init__(self) -> None:
        """Open an empty collection; its file goes with it."""
        self._file = tempfile.TemporaryFile(prefix="campus-load-")  # noqa: SIM115 - closed by the finalizer
        self._ids, self._points = array("q"), array("d")
        self._left_out: frozenset[int] = frozenset()
        weakref.finalize(self, self._file.close)

    def append(self, building: Building) -> None:
        """Add a building."""
        body = _packed(building)
        self._file.write(_LENGTH.pack(len(body)))
        self._file.write(body)
        self._ids.append(building.id)
        self._points.extend(building.point)

    def leave_out(self, ids: Iterable[int]) -> None:
        """Act as if the buildings with these ids, one for each, had not been added."""
        self._left_out = frozenset(ids)

    @property
    def locations(self) -> Iterator[tuple[int, float, float]]:
        """Yield the id, the latitude and the longitude of every building."""
        for id_, latitude, longitude in zip(self._ids, self._points[::2], self._points[1::2], strict=True):
            if id_ not in self._left_out:
                yield id_, latitude, longitude

    def __len__(self) -> int:
        """Return how many buildings there are."""
        return len(self._ids) - len(self._left_out)

    def __iter__(self) -> Iterator[Building]:
        """Yield every building; while that goes on, none may be added."""
        self._file.seek(0)
        for _ in self._ids:
            [length] = _LENGTH.unpack(self._file.read(_LENGTH.size))
            # The file is nobody else's and holds what this process wrote.
            building = Building(*marshal.loads(self._file.read(length)))  # noqa: S302
            if building.id not in self._left_out:
                yield building


def digest(building: Building) -> bytes:
    """Return 16 bytes that differ for buildings that differ in anything."""
    return blake2b(_packed(building), digest_size=16).digest()


def _packed(building: Building) -> bytes:
    return marshal.dumps(_values(building), _FORMAT)
