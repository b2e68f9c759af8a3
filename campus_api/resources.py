"""The whole URL tree on one screen.

/, which tells what there is
/map/buildings/{id}, /dining/categories/{id}, /dining/locations/{id}, /dining/recipes/{id}, /dining/menus
/openapi.json
/docs, /explore, /static/{version}/{path}
/__lbheartbeat__, /__heartbeat__, /__version__, /__metrics__
"""

from campus_api.domain import ids


class Resource:
    """A place in the tree; its parent gives it its name."""

    __name__ = None
    __parent__ = None

    def within(self, parent, name):
        """Return this resource, placed below `parent`."""
        self.__parent__, self.__name__ = parent, name
        return self


class Folder(Resource):
    """A place that holds a few others."""

    def __init__(self, **children):
        self._children = {name: child.within(self, name) for name, child in children.items()}

    def __getitem__(self, name):
        return self._children[name]


class Root(Folder):
    """The place that holds all others, and tells what there is."""

    def __init__(self, index, **children):
        super().__init__(**children)
        self.index = index


class Collection(Resource):
    """A place that holds one item for each id in its store."""

    def __init__(self, store):
        self.store = store

    def __getitem__(self, name):
        id_ = ids.from_path(name)
        data = None if id_ is None else self.store.get(id_)
        if data is None:
            raise KeyError(name)
        return Item(data).within(self, name)


class Item(Resource):
    """One building, category, location or recipe."""

    def __init__(self, data):
        self.data = data


class Buildings(Collection):
    """The buildings, which can be searched."""


class Names(Collection):
    """The categories, the locations or the recipes."""


class Menus(Resource):
    """The menus: a leaf, told apart by the query string."""

    def __init__(self, store, clock):
        self.store = store
        self.clock = clock


class Page(Resource):
    """A page for people."""

    def __init__(self, assets, name):
        self._assets = assets
        self._name = name

    def file(self, base):
        """Return the page; its addresses begin with `base`."""
        return self._assets.page(self._name, base)


class Static(Resource):
    """A folder of the files that pages consist of."""

    def __init__(self, files, path=""):
        self._files = files
        self._path = path

    def __getitem__(self, name):
        path = f"{self._path}{name}"
        if path in self._files:
            return StaticFile(self._files[path]).within(self, name)
        if not any(each.startswith(f"{path}/") for each in self._files):
            raise KeyError(name)
        return Static(self._files, f"{path}/").within(self, name)


class StaticFile(Resource):
    """One of these files."""

    def __init__(self, file):
        self._file = file

    def file(self, base):
        """Return the file, the same wherever the service stands."""
        return self._file


class Description(Resource):
    """The description of the service, for programs."""

    def __init__(self, clock):
        self.clock = clock


class Ping(Resource):
    """Whether this process answers."""


class Heartbeat(Resource):
    """How the service is."""

    def __init__(self, health):
        self.health = health


class Version(Resource):
    """Which version of the service runs."""


class Measurements(Resource):
    """The numbers for monitoring."""

    def __init__(self, metrics):
        self.metrics = metrics


def root(stores, clock, health, metrics, assets, index):
    """Return the tree over `stores` and `assets`; `clock` tells menus what today is, `index` tells what there is."""
    dining = Folder(
        categories=Names(stores.categories),
        locations=Names(stores.locations),
        recipes=Names(stores.recipes),
        menus=Menus(stores.menus, clock),
    )
    service = {
        "openapi.json": Description(clock),
        "__lbheartbeat__": Ping(),
        "__heartbeat__": Heartbeat(health),
        "__version__": Version(),
        "__metrics__": Measurements(metrics),
    }
    pages = {name: Page(assets, name) for name in ("docs", "explore")}
    pages |= {"static": Folder(**{assets.version: Static(assets.static)})}
    return Root(index, map=Folder(buildings=Buildings(stores.buildings)), dining=dining, **pages, **service)
