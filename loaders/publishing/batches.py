"""Documents in portions that fit well into one command."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from pymongo.collection import Collection

from campus_api.database import MENUS
from loaders.publishing.diff import Document, Id

# How many documents go into one command: each that writes waits until most members of a replica set have it.
BATCH = 10_000
# A day of menus is some hundred items.
BATCHES = {MENUS: 100}

Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """Yield the items in lists that fit well into one command."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def by_id(collection: Collection, ids: Iterable[Id]) -> dict[Id, Document]:
    """Return the documents with these ids."""
    return {document["_id"]: document for document in collection.find({"_id": {"$in": list(ids)}})}
