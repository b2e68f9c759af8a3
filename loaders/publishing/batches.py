"""Documents in batches that fit into one command."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from pymongo.collection import Collection

from campus_api.db.connection import MENUS, RECIPES
from loaders.documents.encode import Document
from loaders.publishing.diff import Id

# Each write command waits for a majority of the replica set.
_BATCH_SIZE = 10_000
# A recipe has a page of ingredients, a date of menus some hundred items.
_BATCH_SIZES = {RECIPES: 1000, MENUS: 100}

Item = TypeVar("Item")


def batch_size(collection: str) -> int:
    """Return the number of documents of a collection per command."""
    return _BATCH_SIZES.get(collection, _BATCH_SIZE)


def batches(items: Iterable[Item], size: int = _BATCH_SIZE) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def fetch_by_id(collection: Collection, ids: Iterable[Id]) -> dict[Id, Document]:
    """Return the documents with these ids."""
    return {document["_id"]: document for document in collection.find({"_id": {"$in": list(ids)}})}
