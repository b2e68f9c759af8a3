"""Buildings of a load as BSON documents."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import bson
from bson.raw_bson import RawBSONDocument

from campus_api.domain.building_fields import Building
from loaders.documents.encode import Document, building_document, building_from_document, compute_digest
from loaders.errors import InvalidValue
from loaders.geo.coordinates import bounding_box

_MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
# Change this when the same building becomes another document than before.
_FORMAT = "building 3"


# The id of a building and the south, west, north and east of its bounding box.
Extent = tuple[int, float, float, float, float]


class EncodedDocument(NamedTuple):
    """A building's document as BSON, its digest, which is a field of it, and its extent."""

    bson: bytes
    digest: bytes
    extent: Extent


class BuildingDocuments:
    """The documents of buildings, in the order in which they were added."""

    def __init__(self, buildings: Iterable[Building] = ()) -> None:
        self._encoded: list[EncodedDocument] = []
        for building in buildings:
            self.append(encode_building(building))

    def append(self, encoded: EncodedDocument) -> None:
        """Add a building; InvalidValue if it is too large for MongoDB."""
        if len(encoded.bson) > _MAX_DOCUMENT_BYTES:
            reason = f"is larger than the {_MAX_DOCUMENT_BYTES:,} bytes that MongoDB can store"
            raise InvalidValue("building", encoded.extent[0], reason)
        self._encoded.append(encoded)

    def exclude(self, ids: Iterable[int]) -> None:
        """Leave out the buildings with these ids that have been added so far."""
        excluded = frozenset(ids)
        self._encoded = [each for each in self._encoded if each.extent[0] not in excluded]

    @property
    def extents(self) -> Iterator[Extent]:
        """Return the id and the bounding box of the point and the polygons of every building."""
        return (each.extent for each in self._encoded)

    @property
    def digests(self) -> Iterator[tuple[int, bytes]]:
        """Return the id and the digest of every building."""
        return ((each.extent[0], each.digest) for each in self._encoded)

    @property
    def documents(self) -> Iterator[Document]:
        """Return the document of every building."""
        return (bson.decode(each.bson) for each in self._encoded)

    @property
    def raw_documents(self) -> Iterator[RawBSONDocument]:
        """Return the document of every building as raw BSON."""
        return (RawBSONDocument(each.bson) for each in self._encoded)

    def __len__(self) -> int:
        return len(self._encoded)

    def __iter__(self) -> Iterator[Building]:
        return map(building_from_document, self.documents)


def encode_building(building: Building) -> EncodedDocument:
    """Encode the document of a building, with its digest, as BSON."""
    document = building_document(building)
    digest = compute_digest(_FORMAT, bson.encode(document))
    box = bounding_box([building.point, *chain.from_iterable(building.polygons)])
    return EncodedDocument(bson.encode({**document, "digest": digest}), digest, (building.id, *box))
