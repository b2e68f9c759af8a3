"""Fixtures for tests of the loaders: export files and empty databases."""

import csv
import json
from io import StringIO

import pytest
from click.testing import CliRunner

from loaders import profiles
from loaders.cli.main import main
from loaders.inference import propose
from tests.loaders.ini import ini_text
from tests.loaders.web_server import serve
from tests.publishing import publish_buildings, publish_dining

SOURCES = [{"file": "export.csv", "sha256": "c0ffee"}]


@pytest.fixture
def save(tmp_path):
    """Write text or bytes to a file and return its path."""

    def save(content, name="export.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return save


@pytest.fixture
def save_features(save):
    """Write a GeoJSON FeatureCollection and return its path."""
    collection = {"type": "FeatureCollection"}
    return lambda *features, name="buildings.geojson": save(json.dumps({**collection, "features": features}), name)


@pytest.fixture
def save_rows(save):
    """Write FoodPro rows as a JSON array and return its path."""
    return lambda *rows, name="foodpro.json": save(json.dumps(rows), name)


@pytest.fixture
def save_csv(save):
    """Write FoodPro rows as CSV with a header and return its path."""

    def save_csv(*rows, name="foodpro.csv", delimiter=",", encoding="utf-8"):
        text = StringIO(newline="")
        writer = csv.DictWriter(text, rows[0], delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return save(text.getvalue().encode(encoding), name)

    return save_csv


@pytest.fixture
def building_profile(save):
    """Load a profile of buildings with this text, by default one of GeoJSON."""
    return lambda text, form="geojson": profiles.load_building_profile(_save(save, text, form))


@pytest.fixture
def dining_profile(save):
    """Load a profile of menus with this text, by default one of FoodPro."""
    return lambda text, form="foodpro": profiles.load_dining_profile(_save(save, text, form))


def _save(save, text, form):
    head = f'format = "{form}"\n' if form else ""
    return str(save(head + text, "custom.toml"))


@pytest.fixture
def save_profile(save):
    """Save the proposed profile of an export and return its path as text."""
    return lambda path: str(save(propose.profile(path), "custom.toml"))


@pytest.fixture
def database(mongod_database):
    """An empty database in the real MongoDB."""
    return mongod_database


@pytest.fixture
def empty(database):
    """Drop all collections of the database."""
    return lambda: database.client.drop_database(database.name)


@pytest.fixture
def load_buildings(database):
    """Publish these buildings."""
    return lambda *buildings: publish_buildings(database, buildings, SOURCES)


@pytest.fixture
def load_dining(database):
    """Publish these servings, and facts by the id of the recipe."""
    return lambda *servings, **lists: publish_dining(database, servings, SOURCES, **lists)


@pytest.fixture
def campus_load_into(save):
    """Return a function that runs campus-load on the database of a URI, in this process."""

    def campus_load_into(uri):
        config = "--config", str(save(ini_text(uri), f"campus_load_{uri.rpartition('/')[2]}.ini"))
        return lambda *arguments, **options: CliRunner().invoke(main, [*map(str, arguments), *config], **options)

    return campus_load_into


@pytest.fixture
def campus_load(campus_load_into, mongod_uri):
    """Run campus-load on the real MongoDB, in this process."""
    return campus_load_into(mongod_uri)


@pytest.fixture
def dump(campus_load, tmp_path):
    """Dump a data set and return the path of the dump."""

    def dump(dataset):
        path = tmp_path / f"{dataset}.json"
        assert campus_load("dump", dataset, path).exit_code == 0
        return path

    return dump


@pytest.fixture
def web():
    """A web server on 127.0.0.1."""
    with serve() as server:
        yield server
