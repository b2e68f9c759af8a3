"""Buildings in a temporary file: any number of them in little memory, to go through again and again."""

import os
import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import bson
from bson.codec_options import DEFAULT_CODEC_OPTIONS, CodecOptions
from bson.raw_bson import DEFAULT_RAW_BSON_OPTIONS, RawBSONDocument

from campus_api.folding import packed
from campus_api.models import Building
from loaders.documents.digests import digest_of
from loaders.documents.encode import building_document, building_of
from loaders.errors import InvalidValue
from loaders.publishing.diff import Document

_BATCH = 500
_LARGEST = 16 * 1024 * 1024
# To be changed when the same building becomes another document than before.
_DOCUMENTS = "building 2"
# A binary of 16 bytes in BSON (bsonspec.org), but for the bytes themselves.
_DIGEST_FIELD = b"\x05digest\0" + (16).to_bytes(4, "little") + b"\0"


class Encoded(NamedTuple):
    """A document as the bytes that MongoDB takes, its digest, which is a field of it, and its trigrams."""

    document: bytes
    digest: bytes
    trigrams: list[str]


class Spool:
    """A collection of buildings on the disk, as the documents that they become, in the order in which they came."""

    def __init__(self) -> None:
        """Open an empty collection; its file goes with it."""
        self._file = tempfile.TemporaryFile(prefix="campus-load-")  # noqa: SIM115 - closed by the finalizer
        self._batch: list[bytes] = []
        self._lengths, self._ids, self._points = array("q"), array("q"), array("d")
        self._digests: list[bytes] = []
        self._trigrams: Counter[str] = Counter()
        self._left_out: frozenset[int] = frozenset()
        weakref.finalize(self, self._file.close)

    def append(self, building: Building, encoded: Encoded) -> None:
        """Add a building; InvalidValue for one that MongoDB cannot store."""
        if len(encoded.document) > _LARGEST:
            raise InvalidValue("building", building.id, f"is larger than the {_LARGEST:,} bytes that MongoDB can store")
        self._batch.append(encoded.document)
        self._trigrams.update(encoded.trigrams)
        self._ids.append(building.id)
        self._points.extend(building.point)
        self._digests.append(encoded.digest)
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

    @property
    def common_trigrams(self) -> list[str]:
        """Return, packed, how many buildings have each trigram that many have, what was left out included."""
        return packed(self._trigrams)

    @property
    def documents(self) -> Iterator[Document]:
        """Yield the document of every building."""
        return self._documents(DEFAULT_CODEC_OPTIONS)

    @property
    def encoded(self) -> Iterator[RawBSONDocument]:
        """Yield the document of every building as the bytes that MongoDB takes."""
        return self._documents(DEFAULT_RAW_BSON_OPTIONS)

    def __len__(self) -> int:
        """Return how many buildings there are."""
        return len(self._ids) - len(self._left_out)

    def __iter__(self) -> Iterator[Building]:
        """Yield every building."""
        return map(building_of, self.documents)

    def _documents(self, options: CodecOptions) -> Iterator[Any]:
        # While that goes on, nothing else may be done with the file.
        if self._batch:
            self._write()
        self._file.seek(0)
        ids = iter(self._ids)
        for length in self._lengths:
            for document in bson.decode_all(self._file.read(length), options):
                if next(ids) not in self._left_out:
                    yield document

    def _write(self) -> None:
        body = b"".join(self._batch)
        self._file.seek(0, os.SEEK_END)
        self._file.write(body)
        self._lengths.append(len(body))
        self._batch = []


def spool_of(buildings: Iterable[Building]) -> Spool:
    """Return a collection of these buildings."""
    spool = Spool()
    for building in buildings:
        spool.append(building, encode(building))
    return spool


def encode(building: Building) -> Encoded:
    """Return the document of a building as bytes; its digest differs for buildings that differ in anything."""
    fields = building_document(building)
    document = bson.encode(fields)
    digest = digest_of(_DOCUMENTS, document)
    length = len(document) + len(_DIGEST_FIELD) + len(digest)
    # The field is added to the bytes, before the zero at their end, to encode the document only once.
    document = length.to_bytes(4, "little") + document[4:-1] + _DIGEST_FIELD + digest + b"\0"
    return Encoded(document, digest, fields["search"]["trigrams"])
