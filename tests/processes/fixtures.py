"""Fixtures for tests with real processes: the service, loads, a browser."""

import json
import sys
from functools import partial

import pytest
from pymongo import MongoClient

from tests.factories import NOON
from tests.processes import browser
from tests.processes import mongod as mongods
from tests.processes.commands import PRODUCTION, serve_samples, spawning, start_server, wait_for_process, write_ini


@pytest.fixture
def ini(tmp_path):
    """Write development.ini with a database in a temporary folder, and return its path."""
    return partial(write_ini, tmp_path)


@pytest.fixture
def spawn(tmp_path):
    with spawning(tmp_path) as spawn:
        yield spawn


@pytest.fixture
def serve(spawn):
    return partial(start_server, spawn)


@pytest.fixture(scope="module")
def spawn_shared(tmp_path_factory):
    """Start commands for all tests of a module."""
    with spawning(tmp_path_factory.mktemp("shared")) as spawn:
        yield spawn


@pytest.fixture(scope="module")
def shared_database(shared_uri):
    """A database for all tests of a module."""
    with MongoClient(shared_uri, tz_aware=True) as client:
        yield client.get_default_database()


@pytest.fixture(scope="module")
def serve_shared(spawn_shared, shared_uri):
    """Start production.ini on the database of the module, for tests that only read."""
    return partial(start_server, spawn_shared, PRODUCTION, CAMPUS_MONGO_URI=shared_uri)


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """The service with the sample data and a frozen clock, for tests that only read."""
    folder = tmp_path_factory.mktemp("samples")
    with spawning(folder) as spawn:
        yield serve_samples(spawn, write_ini(folder), CAMPUS_CLOCK_FROZEN_AT=NOON)


@pytest.fixture(scope="module")
def chromium():
    # Module scope: while it runs, no other test of this process can run an event loop.
    with browser.running() as chromium:
        yield chromium


@pytest.fixture
def visit(chromium, request):
    """Open a page in a new browser context, on the screen that `on_each_screen` sets."""
    with browser.visiting(chromium, **getattr(request, "param", {})) as visit:
        yield visit


@pytest.fixture
def explore(samples, visit):
    """Open the menus or the buildings of the samples with a query."""
    return lambda query="", **options: visit(f"{samples.url}/explore?{query}", **options)


@pytest.fixture
def lunch(explore):
    return explore("view=menus&date=2026-11-20&meal=1")


@pytest.fixture
def mongod_with_data(tmp_path):
    """A mongod with data that a test may pause, kill or restart."""
    with mongods.with_data(tmp_path) as mongod:
        yield mongod


@pytest.fixture
def mongod_with_auth(tmp_path_factory):
    """A mongod with access control, data and accounts."""
    with mongods.with_auth(tmp_path_factory.mktemp("m")) as mongod:
        yield mongod


@pytest.fixture
def load(spawn, tmp_path, mongod_uri):
    """Start `campus-load` on an export of this content; guards are overridden, as its names are all the same."""

    def load(dataset, name, content):
        export = tmp_path / f"{name}.json"
        export.write_text(json.dumps(content))
        options = ["--override", "all", "--config", PRODUCTION]
        return spawn("campus-load", dataset, export, *options, CAMPUS_MONGO_URI=mongod_uri)

    return load


@pytest.fixture
def embedded_user(spawn):
    """Start an idle process that leases the embedded MongoDB of a folder."""

    def start(folder):
        code = (
            "import pathlib, signal, sys; from campus_api.db import embedded;"
            "uri, release = embedded.lease(pathlib.Path(sys.argv[1])); print(uri, flush=True); signal.pause()"
        )
        process = spawn(sys.executable, "-c", code, folder)
        wait_for_process(process, lambda: "mongodb://" in process.output())
        return process

    return start
