"""The resource tree: the nodes that look something up. All else is a named view of one, such as `menus.csv`."""

from typing import Generic, TypeVar

from campus_api import documents
from campus_api.db.buildings import BuildingStore
from campus_api.db.stores import NamedEntityStore, Stores
from campus_api.domain import ids
from campus_api.domain.building_fields import BuildingRow
from campus_api.domain.models import NamedRow

StoreT = TypeVar("StoreT", bound=BuildingStore | NamedEntityStore)


class Root:
    """The root of the tree, with the stores of a snapshot."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores

    def __getitem__(self, name: str) -> "Map | Dining | Docs":
        children: dict[str, Map | Dining | Docs] = {
            "map": Map(self.stores.buildings),
            "dining": Dining(self.stores),
            "docs": Docs(),
        }
        return children[name]


class Map:
    """The data of the map."""

    def __init__(self, store: BuildingStore) -> None:
        self.store = store

    def __getitem__(self, name: str) -> "Buildings":
        return {"buildings": Buildings(self.store)}[name]


class Dining:
    """The data of dining."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores

    def __getitem__(self, name: str) -> "Collection":
        stores = self.stores
        lists = {"categories": stores.categories, "locations": stores.locations, "recipes": stores.recipes}
        return Collection(lists[name])


class Docs:
    """The reference, with a child for each document."""

    def __getitem__(self, name: str) -> documents.Document:
        return documents.read()[name]


class Collection(Generic[StoreT]):
    """A list with one child for each id in a store."""

    def __init__(self, store: StoreT) -> None:
        self.store = store

    def __getitem__(self, name: str) -> "Item[StoreT]":
        id_ = ids.from_path(name)
        data = None if id_ is None else self.store.get(id_)
        if data is None:
            raise KeyError(name)
        return Item(data, self.store)


class Item(Generic[StoreT]):
    """One building, category, location or recipe of a store."""

    def __init__(self, data: BuildingRow | NamedRow, store: StoreT) -> None:
        self.data = data
        self.store = store


class Buildings(Collection[BuildingStore]):
    """The list of buildings; `7.geojson` is the building 7, too."""

    def __getitem__(self, name: str) -> Item[BuildingStore]:
        return super().__getitem__(name.removesuffix(".geojson"))
