"""Fixtures of all tests: a MongoDB that is started once, and databases in it."""

import fcntl
import os
import shutil
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pyogrio
import pytest
from hypothesis import HealthCheck, settings
from pymongo import MongoClient
from pyogrio._ogr import _register_drivers

from campus_api.db import embedded

# Slow examples only mean a busy machine; the examples of a test over HTTP share a service.
settings.register_profile(
    "campus", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
# For `--hypothesis-profile nightly`.
settings.register_profile("nightly", settings.get_profile("campus"), max_examples=1000)
settings.load_profile("campus")

_names = (f"test_{number}" for number in count())
# Variables that change the colors and the line width of output.
_TERMINAL = {"COLORTERM", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
_MEMORY = Path("/dev/shm")
_ENOUGH_MEMORY = 2 * 1024**3


def pytest_configure():
    # Settings in the environment would override those of the tests, including the database.
    for name in [name for name in os.environ if name.startswith("CAMPUS_") or name in _TERMINAL]:
        del os.environ[name]
    # On a tmpfs, databases take a third of the time.
    if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH_MEMORY:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


def pytest_collection_modifyitems(items):
    # What waits for processes first, so that no worker idles at the end.
    items.sort(key=lambda item: not {"smoke", "nightly"}.intersection(item.path.parts))


@pytest.fixture(scope="session")
def mongod(tmp_path_factory):
    """The URI of a real MongoDB; the tests fail if it does not start."""
    folder = tmp_path_factory.mktemp("mongod")
    uri, release = embedded.lease(folder)
    yield uri
    release()
    # Wait for the supervisor, which holds this lock until mongod has stopped.
    with (folder / "supervisor.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)


@contextmanager
def _empty_database(mongod):
    name = next(_names)
    with MongoClient(mongod, tz_aware=True) as client:
        yield client[name]
        client.drop_database(name)


@pytest.fixture
def mongod_uri(mongod):
    """The URI of an empty database in the real MongoDB."""
    with _empty_database(mongod) as database:
        yield f"{mongod}/{database.name}"


@pytest.fixture
def mongod_database(mongod_uri):
    """An empty database in the real MongoDB."""
    with MongoClient(mongod_uri, tz_aware=True) as client:
        yield client.get_default_database()


@pytest.fixture(scope="module")
def shared_uri(mongod):
    """The URI of a database in the real MongoDB, for all tests of a module."""
    with _empty_database(mongod) as database:
        yield f"{mongod}/{database.name}"


@pytest.fixture
def all_gdal_drivers():
    """All drivers and file systems of GDAL: loads in the same process leave only those for exports."""
    pyogrio.set_gdal_config_options({"GDAL_SKIP": None, "CPL_VSIL_CURL_ALLOWED_FILENAME": None})
    _register_drivers()
