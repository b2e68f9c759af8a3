"""The resource tree: every URL of the service but those of static files."""

from datetime import date
from typing import Generic, Self, TypeVar
from zoneinfo import ZoneInfo

from campus_api import documents
from campus_api.db.buildings import BuildingStore
from campus_api.db.day import DayStore, Hall
from campus_api.db.errors import DatabaseUnavailable
from campus_api.db.hours import HoursStore
from campus_api.db.names import SearchStore
from campus_api.db.stores import LocationStore, MenuStore, NamedEntityStore, RecipeStore, Stores
from campus_api.domain import ids
from campus_api.domain.building_fields import BuildingRow
from campus_api.domain.clock import Clock
from campus_api.domain.models import FactsRow, NamedRow, Names
from campus_api.index import Index
from campus_api.monitoring import metrics as monitoring
from campus_api.monitoring.health import Health

StoreT = TypeVar("StoreT")


class Resource:
    """A node of the tree, located by its parent and its name."""

    __name__: str | None = None
    __parent__: "Resource | None" = None

    def attach(self, parent: "Resource", name: str) -> Self:
        """Set the location of this resource, and return it."""
        self.__parent__, self.__name__ = parent, name
        return self


class Stored(Resource, Generic[StoreT]):
    """A resource that is read from a store."""

    def __init__(self, store: StoreT) -> None:
        self.store = store


class Folder(Resource):
    """A resource with a fixed set of children."""

    def __init__(self, **children: Resource) -> None:
        self._children = {name: child.attach(self, name) for name, child in children.items()}

    def __getitem__(self, name: str) -> Resource:
        return self._children[name]


class Root(Folder):
    """The root of the tree, whose representation is the index."""

    def __init__(self, index: Index, **children: Resource) -> None:
        super().__init__(**children)
        self.index = index


class Collection(Resource):
    """A resource with one child for each id in a store."""

    def __init__(self, store: BuildingStore | NamedEntityStore) -> None:
        self.store = store

    def __getitem__(self, name: str) -> "Item":
        id_ = ids.from_path(name)
        data = None if id_ is None else self.store.get(id_)
        if data is None:
            raise KeyError(name)
        return Item(data).attach(self, name)


class Item(Resource):
    """One building, category, location or recipe, or the facts of a recipe."""

    def __init__(self, data: BuildingRow | NamedRow | FactsRow) -> None:
        self.data = data


class Buildings(Collection):
    """The list of buildings; `7.geojson` is the building 7, too."""

    store: BuildingStore

    def __getitem__(self, name: str) -> Item:
        return super().__getitem__(name.removesuffix(".geojson"))


class BuildingFeatures(Stored[BuildingStore]):
    """The buildings as GeoJSON."""


class BuildingTable(Stored[BuildingStore]):
    """The buildings as CSV."""


class NamedEntities(Collection):
    """The list of categories, locations or recipes."""

    store: NamedEntityStore


class LocationFeatures(Stored[LocationStore]):
    """The locations as GeoJSON."""


class Recipes(NamedEntities):
    """The list of recipes."""

    store: RecipeStore

    def __getitem__(self, name: str) -> "Recipe":
        item = super().__getitem__(name)
        return Recipe(item.data, self.store).attach(self, name)


class Recipe(Item):
    """One recipe, whose child is what it is made of."""

    def __init__(self, data: BuildingRow | NamedRow | FactsRow, store: RecipeStore) -> None:
        super().__init__(data)
        self._store = store

    def __getitem__(self, name: str) -> Item:
        facts = self._store.facts(self.data["id"]) if name == "facts" else None
        if facts is None:
            raise KeyError(name)
        return Item(facts).attach(self, name)


class Menus(Stored[MenuStore]):
    """The menus, filtered by the query string."""


class NamedMenus(Menus):
    """The menus, with the names of locations and categories."""

    def __init__(self, stores: Stores) -> None:
        super().__init__(stores.menus)
        self._locations = stores.locations
        self._categories = stores.categories

    def names(self) -> Names:
        """Return the names of all locations and categories."""
        return Names(self._locations.names(), self._categories.names())


class MenuTable(NamedMenus):
    """The menus as CSV."""


class MenuCalendar(NamedMenus):
    """The menus of the days ahead as a calendar."""

    def __init__(self, stores: Stores) -> None:
        super().__init__(stores)
        self.hours = stores.hours


class Hours(Stored[HoursStore]):
    """The serving hours, filtered by the query string."""


class Dishes(NamedMenus):
    """The dishes, filtered by the query string."""

    def __init__(self, stores: Stores) -> None:
        super().__init__(stores)
        self.dishes = stores.dishes


class DishTable(Dishes):
    """The dishes as CSV."""


class FactsList(Stored[RecipeStore]):
    """What the recipes are made of."""


class RecipeTable(FactsList):
    """The recipes and what they are made of, as CSV."""


class Search(Stored[SearchStore]):
    """The search over buildings, locations and dishes."""


class Docs(Folder):
    """The reference as an HTML page, with a child for each document."""


class DocumentPage(Resource):
    """A document as an HTML page."""

    def __init__(self, document: documents.Document) -> None:
        self.document = document


class Explore(Resource):
    """The menus and the map of buildings as an HTML page."""

    def __init__(self, day: DayStore, clock: Clock) -> None:
        self._day = day
        self._clock = clock

    @property
    def today(self) -> date:
        """Return the date of the menus."""
        return date.fromisoformat(self._clock.today())

    @property
    def has_samples(self) -> bool:
        """Return whether the menus are samples."""
        return self._day.has_samples

    def halls(self, zone: ZoneInfo) -> list[Hall] | None:
        """Return the halls with the menus of today, None while the database is unavailable."""
        try:
            return self._day.halls(self._clock.today(), zone)
        except DatabaseUnavailable:
            return None


class OpenAPIDocument(Resource):
    """The OpenAPI document of the service."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock


class Guide(Resource):
    """The guide for language models."""


class Robots(Resource):
    """The rules for crawlers."""


class Liveness(Resource):
    """The liveness probe."""


class Heartbeat(Resource):
    """The health report."""

    def __init__(self, health: Health) -> None:
        self.health = health


class Version(Resource):
    """The version of the service."""


class Metrics(Resource):
    """The Prometheus metrics."""

    def __init__(self, metrics: monitoring.Metrics) -> None:
        self.metrics = metrics


def build_tree(stores: Stores, clock: Clock, health: Health, metrics: monitoring.Metrics, index: Index) -> Root:
    """Return the root of the resource tree."""
    buildings = {
        "buildings": Buildings(stores.buildings),
        "buildings.geojson": BuildingFeatures(stores.buildings),
        "buildings.csv": BuildingTable(stores.buildings),
    }
    dining = {
        "categories": NamedEntities(stores.categories),
        "locations": NamedEntities(stores.locations),
        "locations.geojson": LocationFeatures(stores.locations),
        "recipes": Recipes(stores.recipes),
        "recipes.csv": RecipeTable(stores.recipes),
        "facts": FactsList(stores.recipes),
        "menus": Menus(stores.menus),
        "menus.csv": MenuTable(stores),
        "menus.ics": MenuCalendar(stores),
        "dishes": Dishes(stores),
        "dishes.csv": DishTable(stores),
        "hours": Hours(stores.hours),
    }
    service = {
        "openapi.json": OpenAPIDocument(clock),
        "llms.txt": Guide(),
        "robots.txt": Robots(),
        "__lbheartbeat__": Liveness(),
        "__heartbeat__": Heartbeat(health),
        "__version__": Version(),
        "__metrics__": Metrics(metrics),
    }
    docs = Docs(**{name: DocumentPage(document) for name, document in documents.read().items()})
    pages = {"docs": docs, "explore": Explore(DayStore(stores), clock)}
    search = Search(stores.search)
    folders = {"map": Folder(**buildings), "dining": Folder(**dining)}
    return Root(index, search=search, **folders, **pages, **service)
