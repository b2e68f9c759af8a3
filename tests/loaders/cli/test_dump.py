"""Dumps, which can be loaded again, also into another database; copies of all collections."""

import json
import os
from uuid import UUID

import pytest

from campus_api.db.connection import read_database_id
from campus_api.domain.models import Facts, LocationDetails
from tests.factories import RING, building, facts, hall, serving
from tests.functional.service import Service
from tests.loaders.interruptions import interrupted, kill
from tests.loaders.live import live_collection
from tests.publishing import publish_buildings, publish_dining

BUILDINGS = [
    building(1, name=None, image="https://example.edu/a%20b%2Fc.jpg", point=(42.123456789012345, -71.0), polygons=()),
    building(2, name="Café “Ω”", address="", city="", polygons=(RING, tuple((x + 0.25, y) for x, y in RING))),
    building(2**40, image="https://example.edu/photo.jpg?a=1&b=2"),
]
MENUS = [
    serving(1, "Tomato Soup", date="2026-11-20", meal=2, location=7, category=30),
    serving(2, "Zebra Cake", date="2026-11-20", meal=2, location=7, category=5),
    serving(1, "Apple <Pie> &amp; Cream", date="2026-11-20", meal=0, location=8),
    serving(1, "Tomato Bisque", date="2026-11-23"),
]


def served(uri, *paths):
    """Return the responses of the service, with the headers that depend on the data."""
    service = Service(uri)
    responses = [service.app.get(path) for path in paths]
    service.close()
    return [(each.body, [each.headers.get(name) for name in ("Link", "X-Campus-Empty")]) for each in responses]


@pytest.fixture
def copy_uri(mongod, database):
    """The URI of another empty database."""
    yield f"{mongod}/copy"
    database.client.drop_database("copy")


@pytest.fixture
def load_copy(campus_load_into, copy_uri):
    """Run campus-load on the copy."""
    return campus_load_into(copy_uri)


@pytest.fixture
def copy(dump, load_copy):
    """Dump a data set, load it into the copy and return the dump."""

    def copy(dataset):
        path = dump(dataset)
        result = load_copy(dataset, path)
        assert (result.exit_code, result.stderr) == (0, "")
        return path

    return copy


@pytest.fixture
def loaded(database):
    publish_buildings(database, BUILDINGS)


@pytest.mark.usefixtures("loaded")
def test_a_dump_of_buildings_is_the_response_of_the_service_and_gives_the_same(mongod_uri, copy, copy_uri):
    path = copy("buildings")

    paths = ["/map/buildings", "/map/buildings?name=cafe", f"/map/buildings/{2**40}"]
    (body, _), *others = served(mongod_uri, *paths)
    assert served(copy_uri, *paths) == [(body, [None, None]), *others]
    assert json.loads(path.read_bytes())["buildings"] == json.loads(body)


def test_dumps_give_the_same_menus_facts_hours_and_search(database, mongod_uri, copy, copy_uri):
    facts_of = {1: facts(), 2: Facts(calories=0.5, as_of="2026-11-20")}
    halls = {30: hall(203), 7: hall(None), 8: LocationDetails(161, aliases=("berg", "The Berg"))}
    publish_buildings(database, [building(161, aliases="Pfoho", tags="dormitory"), building(203)])
    publish_dining(database, [*MENUS, serving(2), serving(3)], facts=facts_of, configured_halls=halls)
    for name, id_ in (("categories", 77), ("locations", 78), ("recipes", 79)):
        live_collection(database, name).insert_one({"_id": id_, "name": f"Unused {id_}"})
        database.datasets.update_one({"_id": "dining"}, {"$inc": {f"counts.{name}": 1}})
    live_collection(database, "recipes").update_one({"_id": 1}, {"$set": {"name": "Current Name"}})
    # The long gap before it has no closed days.
    publish_dining(database, [serving(date="2027-06-01")])

    for dataset in ("buildings", "dining"):
        copy(dataset)

    dates = ("2026-11-20", "2026-11-21", "2026-11-23", "2026-11-24", "2026-12-01", "2027-06-01")
    paths = [f"/dining/{name}" for name in ("categories", "locations", "recipes", "menus", "hours")]
    paths += [f"/dining/menus?date={day}" for day in dates]
    paths += [f"/dining/recipes/{id_}/facts" for id_ in (1, 2, 3)]
    paths += [f"/search?q={text}" for text in ("berg", "pfoho", "dormitory")]
    assert served(copy_uri, *paths) == served(mongod_uri, *paths)


@pytest.mark.usefixtures("loaded")
def test_the_dump_of_a_dump_is_the_same_and_unchanged(campus_load, database, copy, load_copy):
    publish_dining(database, MENUS, facts={1: facts()})
    for dataset in ("buildings", "dining"):
        path = copy(dataset)

        assert load_copy("dump", dataset).stdout_bytes == path.read_bytes(), dataset
        assert campus_load("check", path).stdout.splitlines()[-1] == "verdict: nothing to change", dataset
        assert campus_load(dataset, path).stdout.startswith(f"{dataset}: unchanged, revision 1 stays"), dataset


def test_nothing_is_dumped_before_the_first_load(campus_load, tmp_path):
    for dataset in ("buildings", "dining"):
        result = campus_load("dump", dataset, tmp_path / "dump.json")

        message = f"campus-load: {dataset} cannot be dumped: nothing has been loaded\n"
        assert (result.exit_code, result.stderr, list(tmp_path.glob("dump*"))) == (2, message, []), dataset


@pytest.mark.usefixtures("loaded")
def test_a_dump_that_loads_have_overtaken_or_that_cannot_be_written_is_an_error(campus_load, database, save):
    nowhere, yesterday = "/nowhere/dump.json", save("the dump of yesterday", "dump.json")
    unwritable = campus_load("dump", "buildings", nowhere)
    live_collection(database, "buildings").drop()
    overtaken = campus_load("dump", "buildings", yesterday)

    assert (unwritable.exit_code, f"{nowhere}: cannot be written: No such file" in unwritable.stderr) == (2, True)
    message = "campus-load: another load of buildings was published in the meantime: run it again\n"
    assert (overtaken.exit_code, overtaken.stderr, yesterday.read_text()) == (1, message, "the dump of yesterday")


@pytest.mark.usefixtures("loaded")
def test_a_dump_is_a_new_file_with_its_permissions_unless_it_is_interrupted_or_a_pipe(
    campus_load, dump, save, tmp_path
):
    with interrupted(kill, "find", "buildings_1"):
        result = campus_load("dump", "buildings", tmp_path / "dump.json")
    assert (result.exit_code, result.stderr) == (130, "campus-load: interrupted: run the load again\n")
    assert list(tmp_path.glob("*dump*")) == []

    other, new = save("the user's own file", "buildings.json.part"), save("", "new.json")
    path = dump("buildings")
    assert (path.stat().st_mode, other.read_text()) == (new.stat().st_mode, "the user's own file")

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Does not wait for a writer.
    descriptor = os.open(pipe, os.O_RDWR)
    assert (campus_load("dump", "buildings", pipe).exit_code, pipe.is_fifo()) == (0, True)
    assert len(json.loads(os.read(descriptor, 2**16))["buildings"]) == len(BUILDINGS)
    os.close(descriptor)


@pytest.mark.usefixtures("loaded")
def test_the_uuid_of_a_database_is_never_replaced_and_that_of_its_first_dump(campus_load, database, dump, save):
    publish_dining(database, MENUS)
    paths, uuid = [dump(dataset) for dataset in ("buildings", "dining")], read_database_id(database)
    assert {json.loads(path.read_bytes())["database_id"] for path in paths} == {str(UUID(uuid))}

    for path in paths:
        database.client.drop_database(database.name)
        for export in (path, *paths):
            assert campus_load(export.stem, export).exit_code == 0, path
        assert read_database_id(database) == uuid, path

    other = save(paths[1].read_text().replace(uuid, str(UUID(int=1))), "other.json")
    assert (campus_load("dining", other).exit_code, read_database_id(database)) == (0, uuid)
    for export, name in ((path, path.stem) for path in paths):
        broken = save(export.read_text().replace(uuid, "x"), "broken.json")
        assert "has a database_id that is not a UUID" in campus_load(name, broken).stderr, name


@pytest.mark.usefixtures("loaded")
def test_a_copy_of_all_collections_serves_the_same_and_its_last_load_can_be_undone(
    database, mongod_uri, copy_uri, load_copy
):
    paths = ["/map/buildings", "/dining/recipes", "/dining/menus?date=2026-11-20"]
    publish_dining(database, MENUS)
    first = served(mongod_uri, *paths)
    publish_dining(database, [*MENUS[2:], serving(2)])

    for name in database.list_collection_names():
        database.client["copy"][name].insert_many(database[name].find())

    assert served(copy_uri, *paths) == served(mongod_uri, *paths) != first
    assert [load_copy("undo", "dining").exit_code for _ in range(2)] == [0, 2]
    assert served(copy_uri, *paths) == first
