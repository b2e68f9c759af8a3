"""Buildings in a temporary file: bounded memory however many there are, and any number of passes."""

import os
import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

import bson
from bson.codec_options import DEFAULT_CODEC_OPTIONS, CodecOptions
from bson.raw_bson import DEFAULT_RAW_BSON_OPTIONS, RawBSONDocument

from campus_api.domain.models import Building
from campus_api.domain.text import encode_frequencies
from loaders.documents.encode import Document, building_document, building_from_document, compute_digest
from loaders.errors import InvalidValue

_CHUNK_SIZE = 500
_MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
# Change this when the same building becomes another document than before.
_FORMAT = "building 2"


class EncodedDocument(NamedTuple):
    """A building's document as BSON, and its digest and trigrams, which are fields of it."""

    bson: bytes
    digest: bytes
    trigrams: list[str]


class BuildingSpool:
    """A temporary file of building documents as BSON, in the order in which they were added.

    Only one iterator at a time may read them.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="campus-load-")  # noqa: SIM115 - closed by the finalizer
        self._chunk: list[bytes] = []
        self._chunk_lengths, self._ids, self._points = array("q"), array("q"), array("d")
        self._digests: list[bytes] = []
        self._trigrams: Counter[str] = Counter()
        self._excluded: set[int] = set()
        weakref.finalize(self, self._file.close)

    def append(self, building: Building, encoded: EncodedDocument) -> None:
        """Add a building; InvalidValue if it is too large for MongoDB."""
        if len(encoded.bson) > _MAX_DOCUMENT_BYTES:
            reason = f"is larger than the {_MAX_DOCUMENT_BYTES:,} bytes that MongoDB can store"
            raise InvalidValue("building", building.id, reason)
        self._chunk.append(encoded.bson)
        self._trigrams.update(encoded.trigrams)
        self._ids.append(building.id)
        self._points.extend(building.point)
        self._digests.append(encoded.digest)
        if len(self._chunk) == _CHUNK_SIZE:
            self._flush()

    def exclude(self, ids: Iterable[int]) -> None:
        """Leave out the buildings with these ids that have been added so far."""
        excluded = frozenset(ids)
        self._excluded.update(position for position, id_ in enumerate(self._ids) if id_ in excluded)

    @property
    def points(self) -> Iterator[tuple[int, float, float]]:
        """Return the id, the latitude and the longitude of every building."""
        points = zip(self._ids, self._points[::2], self._points[1::2], strict=True)
        return (point for position, point in enumerate(points) if position not in self._excluded)

    @property
    def digests(self) -> Iterator[tuple[int, bytes]]:
        """Return the id and the digest of every building."""
        digests = zip(self._ids, self._digests, strict=True)
        return (digest for position, digest in enumerate(digests) if position not in self._excluded)

    @property
    def common_trigrams(self) -> list[str]:
        """Return the encoded frequencies of common trigrams, excluded buildings included."""
        return encode_frequencies(self._trigrams)

    @property
    def documents(self) -> Iterator[Document]:
        """Yield the document of every building."""
        return self._decode(DEFAULT_CODEC_OPTIONS)

    @property
    def raw_documents(self) -> Iterator[RawBSONDocument]:
        """Yield the document of every building as raw BSON."""
        return self._decode(DEFAULT_RAW_BSON_OPTIONS)

    def __len__(self) -> int:
        return len(self._ids) - len(self._excluded)

    def __iter__(self) -> Iterator[Building]:
        return map(building_from_document, self.documents)

    def _decode(self, options: CodecOptions) -> Iterator[Any]:
        if self._chunk:
            self._flush()
        self._file.seek(0)
        positions = count()
        for length in self._chunk_lengths:
            for document in bson.decode_all(self._file.read(length), options):
                if next(positions) not in self._excluded:
                    yield document

    def _flush(self) -> None:
        data = b"".join(self._chunk)
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._chunk_lengths.append(len(data))
        self._chunk = []


def spool_buildings(buildings: Iterable[Building]) -> BuildingSpool:
    """Return a spool of these buildings."""
    spool = BuildingSpool()
    for building in buildings:
        spool.append(building, encode_building(building))
    return spool


def encode_building(building: Building) -> EncodedDocument:
    """Encode the document of a building, with its digest, as BSON."""
    document = building_document(building)
    digest = compute_digest(_FORMAT, bson.encode(document))
    return EncodedDocument(bson.encode({**document, "digest": digest}), digest, document["search"]["trigrams"])
