"""Buildings in a temporary file: bounded memory however many there are, and any number of passes."""

import os
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Any, NamedTuple

import bson
from bson.codec_options import DEFAULT_CODEC_OPTIONS, CodecOptions
from bson.raw_bson import DEFAULT_RAW_BSON_OPTIONS, RawBSONDocument

from campus_api.domain.building_fields import Building
from loaders.documents.encode import Document, building_document, building_from_document, compute_digest
from loaders.errors import InvalidValue
from loaders.geo.coordinates import bounding_box

_CHUNK_SIZE = 500
_MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
# Change this when the same building becomes another document than before.
_FORMAT = "building 3"


# The id of a building and the south, west, north and east of its bounding box.
Extent = tuple[int, float, float, float, float]


class EncodedDocument(NamedTuple):
    """A building's document as BSON, and its digest, which is a field of it."""

    bson: bytes
    digest: bytes


class BuildingSpool:
    """A temporary file of building documents as BSON, in the order in which they were added.

    Only one iterator at a time may read them.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="campus-load-")  # noqa: SIM115 - closed by the finalizer
        self._chunk: list[bytes] = []
        self._chunk_lengths, self._ids, self._boxes = array("q"), array("q"), array("d")
        self._digests: list[bytes] = []
        self._excluded: set[int] = set()
        weakref.finalize(self, self._file.close)

    def append(self, building: Building, encoded: EncodedDocument) -> None:
        """Add a building; InvalidValue if it is too large for MongoDB."""
        if len(encoded.bson) > _MAX_DOCUMENT_BYTES:
            reason = f"is larger than the {_MAX_DOCUMENT_BYTES:,} bytes that MongoDB can store"
            raise InvalidValue("building", building.id, reason)
        self._chunk.append(encoded.bson)
        self._ids.append(building.id)
        self._boxes.extend(bounding_box([building.point, *chain.from_iterable(building.polygons)]))
        self._digests.append(encoded.digest)
        if len(self._chunk) == _CHUNK_SIZE:
            self._flush()

    def exclude(self, ids: Iterable[int]) -> None:
        """Leave out the buildings with these ids that have been added so far."""
        excluded = frozenset(ids)
        self._excluded.update(position for position, id_ in enumerate(self._ids) if id_ in excluded)

    @property
    def extents(self) -> Iterator[Extent]:
        """Return the id and the bounding box of the point and the polygons of every building."""
        edges = (self._boxes[edge::4] for edge in range(4))
        extents = zip(self._ids, *edges, strict=True)
        return (extent for position, extent in enumerate(extents) if position not in self._excluded)

    @property
    def digests(self) -> Iterator[tuple[int, bytes]]:
        """Return the id and the digest of every building."""
        digests = zip(self._ids, self._digests, strict=True)
        return (digest for position, digest in enumerate(digests) if position not in self._excluded)

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
    return EncodedDocument(bson.encode({**document, "digest": digest}), digest)
