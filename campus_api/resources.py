"""The resource tree: every URL of the service.

/
/map/buildings/{id}, /dining/categories/{id}, /dining/locations/{id}, /dining/recipes/{id}, /dining/menus
/openapi.json
/docs, /explore, /static/{version}/{path}
/__lbheartbeat__, /__heartbeat__, /__version__, /__metrics__
"""

from campus_api.domain import ids


class Resource:
    """A node of the tree, located by its parent and its name."""

    __name__ = None
    __parent__ = None

    def attach(self, parent, name):
        """Set the location of this resource, and return it."""
        self.__parent__, self.__name__ = parent, name
        return self


class Folder(Resource):
    """A resource with a fixed set of children."""

    def __init__(self, **children):
        self._children = {name: child.attach(self, name) for name, child in children.items()}

    def __getitem__(self, name):
        return self._children[name]


class Root(Folder):
    """The root of the tree, whose representation is the index."""

    def __init__(self, index, **children):
        super().__init__(**children)
        self.index = index


class Collection(Resource):
    """A resource with one child for each id in a store."""

    def __init__(self, store):
        self.store = store

    def __getitem__(self, name):
        id_ = ids.from_path(name)
        data = None if id_ is None else self.store.get(id_)
        if data is None:
            raise KeyError(name)
        return Item(data).attach(self, name)


class Item(Resource):
    """One building, category, location or recipe."""

    def __init__(self, data):
        self.data = data


class Buildings(Collection):
    """The list of buildings."""


class NamedEntities(Collection):
    """The list of categories, locations or recipes."""


class Menus(Resource):
    """The menus, filtered by the query string."""

    def __init__(self, store, clock):
        self.store = store
        self.clock = clock


class Page(Resource):
    """An HTML page."""

    def __init__(self, assets, name):
        self._assets = assets
        self._name = name

    def file(self, base):
        """Return the page, with links relative to `base`."""
        return self._assets.page(self._name, base)


class Static(Resource):
    """A folder of static assets."""

    def __init__(self, files, path=""):
        self._files = files
        self._path = path

    def __getitem__(self, name):
        path = f"{self._path}{name}"
        if path in self._files:
            return StaticFile(self._files[path]).attach(self, name)
        if not any(other.startswith(f"{path}/") for other in self._files):
            raise KeyError(name)
        return Static(self._files, f"{path}/").attach(self, name)


class StaticFile(Resource):
    """A static asset."""

    def __init__(self, file):
        self._file = file

    def file(self, base):
        """Return the file, which does not depend on `base`."""
        return self._file


class OpenAPIDocument(Resource):
    """The OpenAPI document of the service."""

    def __init__(self, clock):
        self.clock = clock


class Liveness(Resource):
    """The liveness probe."""


class Heartbeat(Resource):
    """The health report."""

    def __init__(self, health):
        self.health = health


class Version(Resource):
    """The version of the service."""


class Metrics(Resource):
    """The Prometheus metrics."""

    def __init__(self, metrics):
        self.metrics = metrics


def build_tree(stores, clock, health, metrics, assets, index):
    """Return the root of the resource tree."""
    dining = Folder(
        categories=NamedEntities(stores.categories),
        locations=NamedEntities(stores.locations),
        recipes=NamedEntities(stores.recipes),
        menus=Menus(stores.menus, clock),
    )
    service = {
        "openapi.json": OpenAPIDocument(clock),
        "__lbheartbeat__": Liveness(),
        "__heartbeat__": Heartbeat(health),
        "__version__": Version(),
        "__metrics__": Metrics(metrics),
    }
    pages = {name: Page(assets, name) for name in ("docs", "explore")}
    pages |= {"static": Folder(**{assets.version: Static(assets.static)})}
    return Root(index, map=Folder(buildings=Buildings(stores.buildings)), dining=dining, **pages, **service)
