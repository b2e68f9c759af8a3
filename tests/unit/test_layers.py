"""Imports point one way: the table of docs/architecture.md, checked against every module."""

import ast
from fnmatch import fnmatchcase
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ["campus_api", "conformance", "loaders"]

# What each module may import of the project; the first row that fits a module holds.
MAY_IMPORT = {
    "campus_api": ["campus_api", "loaders.samples"],
    "campus_api.domain.ids": [],
    "campus_api.domain.text": [],
    "campus_api.domain.clock": [],
    "campus_api.domain.models": [],
    "campus_api.settings": [],
    "campus_api.http.request_id": [],
    "campus_api.validation.suggestions": [],
    "campus_api.openapi": ["campus_api.assets"],
    "campus_api.db.search": ["campus_api.domain.text"],
    "campus_api.db.stores": [f"campus_api.{name}" for name in ("datasets", "database", "search", "folding", "models")],
    "campus_api.domain.geojson": [],
    "campus_api.views": [f"campus_api.{name}" for name in ("canonical", "geojson")],
    "campus_api.views.errors": [f"campus_api.{name}" for name in ("resources", "schemas", "database", "request_ids")],
    "campus_api.views.description": ["campus_api.resources", "campus_api.openapi"],
    "campus_api.views.buildings": [f"campus_api.{name}" for name in ("resources", "schemas", "views")],
    "campus_api.views*": [f"campus_api.{name}" for name in ("resources", "schemas", "days")],
    "campus_api.*": ["campus_api"],
    "conformance*": ["conformance"],
    "loaders*": [
        "loaders",
        *(f"campus_api.{name}" for name in ("models", "ids", "folding", "database", "settings")),
    ],
}

# The only modules that may import these packages.
ONLY = {
    ("pymongo", "bson", "mongomock"): [
        *(f"campus_api.{name}" for name in ("stores", "search", "datasets", "database", "embedded", "inspection")),
        "loaders.publishing",
        *(f"loaders.{name}" for name in ("cli.database", "documents.spool", "samples")),
    ],
}

# The modules that may not.
NEVER = {
    ("pyramid",): ["campus_api.resources", "campus_api.domain.models"],
}


def sources():
    """Return the path of every module of the project by its name."""
    paths = [path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in sorted(paths)}


SOURCES = sources()


def read(module):
    return (ROOT / SOURCES[module]).read_text(encoding="utf-8")


def imports(module, source, *, is_package=False):
    """Return the full names of what a module imports anywhere in its text."""
    package = module if is_package else module.rpartition(".")[0]
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = resolve_name("." * node.level + (node.module or ""), package)
            names |= {f"{start}.{alias.name}" for alias in node.names}
    return names


def within(name, packages):
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def violations(module, source, *, is_package=False):
    """Return the full names of what a module imports and may not."""
    names = imports(module, source, is_package=is_package)
    allowed = next(allowed for pattern, allowed in MAY_IMPORT.items() if fnmatchcase(module, pattern))
    wrong = {name for name in names if within(name, PACKAGES) and not within(name, allowed)}
    for packages, modules in ONLY.items():
        wrong |= {name for name in names if within(name, packages) and not within(module, modules)}
    for packages, modules in NEVER.items():
        wrong |= {name for name in names if within(name, packages) and module in modules}
    return sorted(wrong)


@pytest.mark.parametrize("module", SOURCES)
def test_a_module_imports_only_what_its_layer_may(module):
    is_package = SOURCES[module].name == "__init__.py"

    assert violations(module, read(module), is_package=is_package) == []


def test_no_modules_import_each_other_even_by_way_of_others():
    graph = {}
    for module, path in SOURCES.items():
        names = imports(module, read(module), is_package=path.name == "__init__.py")
        graph[module] = {name if name in SOURCES else name.rpartition(".")[0] for name in names} & SOURCES.keys()

    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("name", [*MAY_IMPORT, *sum([*MAY_IMPORT.values(), *ONLY.values(), *NEVER.values()], [])])
def test_every_module_that_the_rule_names_exists(name):
    assert any(fnmatchcase(module, name) for module in SOURCES)


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("campus_api.domain.ids", "import campus_api", ["campus_api"]),
        ("campus_api.domain.ids", "from campus_api import folding", ["campus_api.domain.text"]),
        ("campus_api.domain.clock", "from campus_api.settings import load", ["campus_api.settings.load"]),
        ("campus_api.domain.models", "from . import ids", ["campus_api.domain.ids"]),
        ("campus_api.validation.suggestions", "from .ids import from_query", ["campus_api.domain.ids.from_query"]),
        ("campus_api.domain.text", "def late():\n    import campus_api.domain.ids as i", ["campus_api.domain.ids"]),
        (
            "campus_api.settings",
            "if TYPE_CHECKING:\n    from loaders.publishing import plan",
            ["loaders.publishing.plan"],
        ),
        ("campus_api.db.stores", "from campus_api import *", ["campus_api.*"]),
        ("campus_api.db.stores", "from campus_api import ids, folding", ["campus_api.domain.ids"]),
        ("campus_api.views.menus", "from campus_api.db.connection import MENUS", ["campus_api.db.connection.MENUS"]),
        ("campus_api.views.menus", "from ..stores import Stores", ["campus_api.db.stores.Stores"]),
        ("campus_api.views.menus", "from campus_api.schemas_of import x", ["campus_api.schemas_of.x"]),
        ("campus_api.views.errors", "from campus_api import stores", ["campus_api.db.stores"]),
        ("campus_api.views.new", "import os, bson.json_util", ["bson.json_util"]),
        ("campus_api.resources", "from pyramid.view import view_config", ["pyramid.view.view_config"]),
        ("campus_api.domain.models", "import pyramid", ["pyramid"]),
        (
            "campus_api.validation.schemas",
            "class A:\n    def f(self):\n        from pymongo import MongoClient",
            ["pymongo.MongoClient"],
        ),
        ("campus_api.http.tweens", "try:\n    import mongomock\nexcept ImportError:\n    pass", ["mongomock"]),
        ("campus_api.db.connection", "import loaders.samples", ["loaders.samples"]),
        ("campus_api", "from loaders.publishing import publish", ["loaders.publishing.publish"]),
        ("loaders.readers.buildings", "from pymongo import MongoClient", ["pymongo.MongoClient"]),
        ("loaders.publishing.plan", "from campus_api.db.stores import Stores", ["campus_api.db.stores.Stores"]),
        ("loaders.samples", "from campus_api.domain.clock import Clock", ["campus_api.domain.clock.Clock"]),
        ("conformance.target", "from campus_api import ids", ["campus_api.domain.ids"]),
        ("conformance.checks.menus", "import loaders", ["loaders"]),
        ("campus_api.views.menus", "from conformance import runner", ["conformance.runner"]),
    ],
)
def test_the_check_sees_an_import_that_is_not_allowed(module, source, wrong):
    assert violations(module, source) == wrong


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("campus_api.domain.ids", "import re\nfrom collections import abc"),
        ("campus_api.domain.ids", "# import campus_api.folding\nTEXT = 'from campus_api import folding'"),
        ("campus_api.domain.ids", "import campus_api_of_others, loaders_of_others"),
        ("campus_api.http.tweens", "import pymongo_of_others, pyramid.tweens\nfrom campus_api import ids"),
        ("campus_api.db.stores", "from bson import Regex\nfrom campus_api.domain.models import Building"),
        ("campus_api.views.menus", "from campus_api import schemas\nfrom ..resources import Menus"),
        ("campus_api.views.errors", "from campus_api.db.connection import DatabaseUnavailable"),
        ("campus_api", "def main():\n    from loaders.samples import fill\n    import campus_api.http.tweens"),
        ("loaders.publishing.plan", "from campus_api import ids, models\nfrom . import dining\nimport pymongo"),
        ("loaders.readers.buildings", "from campus_api.domain.text import fold\nfrom loaders.readers import result"),
        ("conformance.checks.menus", "from conformance import expect\nimport rich"),
    ],
)
def test_the_check_lets_pass_what_is_allowed(module, source):
    assert violations(module, source) == []


def test_the_check_resolves_a_relative_import_in_a_package():
    assert violations("campus_api.views", "from .. import stores\nfrom . import menus", is_package=True) == [
        "campus_api.db.stores",
        "campus_api.views.menus",
    ]
