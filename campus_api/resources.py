"""The resource tree: the nodes that look something up. All else is a named view of one, such as `menus.csv`."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from campus_api import documents
from campus_api.db.buildings import BuildingStore
from campus_api.db.stores import NamedEntityStore, Stores
from campus_api.domain import ids
from campus_api.domain.building_fields import BuildingRow
from campus_api.domain.models import NamedRow

StoreT = TypeVar("StoreT", bound=BuildingStore | NamedEntityStore)


@dataclass(frozen=True)
class _Folder:
    stores: Stores


class Root(_Folder):
    """The root of the tree."""

    def __getitem__(self, name: str) -> _Folder:
        return {"map": Map, "dining": Dining, "docs": Docs}[name](self.stores)


class Map(_Folder):
    """The data of the map."""

    def __getitem__(self, name: str) -> "Buildings":
        return {"buildings": Buildings(self.stores.buildings)}[name]


class Dining(_Folder):
    """The data of dining."""

    def __getitem__(self, name: str) -> "Collection":
        stores = self.stores
        lists = {"categories": stores.categories, "locations": stores.locations, "recipes": stores.recipes}
        return Collection(lists[name])


class Docs(_Folder):
    """The reference, with a child for each document."""

    def __getitem__(self, name: str) -> documents.Document:
        return documents.read()[name]


@dataclass(frozen=True)
class Collection(Generic[StoreT]):
    """A list with one child for each id in a store."""

    store: StoreT

    def __getitem__(self, name: str) -> "Item":
        id_ = ids.from_path(name)
        data = None if id_ is None else self.store.get(id_)
        if data is None:
            raise KeyError(name)
        return Item(data)


@dataclass(frozen=True)
class Item:
    """One building, category, location or recipe."""

    data: BuildingRow | NamedRow


class Buildings(Collection[BuildingStore]):
    """The list of buildings; `7.geojson` is the building 7, too."""

    def __getitem__(self, name: str) -> Item:
        return super().__getitem__(name.removesuffix(".geojson"))
