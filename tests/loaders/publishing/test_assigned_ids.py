"""Integers that the database assigns to the text ids of providers."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymongo.errors import BulkWriteError

from loaders import profiles
from loaders.errors import InvalidValue
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.assigned_ids import AssignedIdsConflict, read_assigned_ids, store_assigned_ids
from loaders.publishing.checks import ALL_GUARDS
from loaders.publishing.load import PublishOptions, load_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from loaders.readers import buildings
from loaders.readers.buildings import IdAssigner
from tests.factories import feature
from tests.loaders.interruptions import interrupted, kill
from tests.loaders.live import live_buildings
from tests.rejection import raised

OSM = profiles.load_building_profile("openstreetmap")
OPTIONS = PublishOptions(overrides=frozenset({ALL_GUARDS}))
# The command before a load stores new ids.
ASSIGNMENT = ("createIndexes", "building_ids")


@pytest.fixture
def save_ways(save_features):
    """Write an extract with these buildings, each in its own place, and return its path."""

    def save_ways(*names, file="extract.geojson"):
        places = {name: {"type": "Point", "coordinates": [-71 - ord(name) / 1000, 42]} for name in names}
        ways = [feature(f"way/{name}", places[name], building="yes", name=name) for name in names]
        return save_features(*ways, name=file)

    return save_ways


def load_extract(database, path, options=OPTIONS):
    reading = buildings.read([(OSM, [path])], assigned_ids=read_assigned_ids(database))
    return load_buildings(database, reading, Thresholds(), options)


def live_ids(database):
    return {document["name"]: document["_id"] for document in live_buildings(database)}


def test_a_building_that_comes_back_has_its_id_again_and_no_other_building_has_it(database, save_ways):
    def load_ways(*names):
        load_extract(database, save_ways(*names))
        return live_ids(database)

    assert load_ways("b", "a", "c") == {"b": 1, "a": 2, "c": 3}
    load_ways("b", "c")

    assert load_ways("b", "c", "d") == {"b": 1, "c": 3, "d": 4}
    publish(database, plan_undo(database, "buildings"))
    assert load_ways("b", "a", "c", "e") == {"b": 1, "a": 2, "c": 3, "e": 5}


def test_ids_of_rejected_features_are_not_used_for_others(database, save_features, save_ways):
    broken = {**feature("way/x", building="yes"), "geometry": None}
    reading = buildings.read([(OSM, [save_features(broken, feature("way/a", building="yes", name="a"))])])
    load_buildings(database, reading, Thresholds(), OPTIONS)

    load_extract(database, save_ways("a", "b"))

    assert sorted(live_ids(database).values()) == [2, 3]


def test_neither_a_text_nor_an_integer_is_assigned_twice(database):
    for ids in ({"way/a": 1}, {"way/a": 1, "way/b": 2}):
        store_assigned_ids(database, ids)

    for ids in ({"way/a": 3, "way/d": 9}, {"way/c": 1, "way/d": 9}):
        assert raised(AssignedIdsConflict, store_assigned_ids, database, ids), ids
        assert read_assigned_ids(database) == {"way/a": 1, "way/b": 2}, ids
    for text, id_ in [("way/c", 9), ("way/d", 3)]:
        row = {"_id": text, "id": id_}
        with interrupted(partial(database.building_ids.insert_one, row), *ASSIGNMENT):
            assert raised(AssignedIdsConflict, store_assigned_ids, database, {"way/c": 3}), row
        database.building_ids.delete_one(row)


def test_an_export_is_read_again_if_another_load_has_assigned_its_ids(campus_load, database, save_ways):
    row = {"_id": "way/z", "id": 1}

    with interrupted(partial(database.building_ids.replace_one, row, row, upsert=True), *ASSIGNMENT):
        result = campus_load("buildings", save_ways("a", "b"), "--profile", "openstreetmap")

    assert result.exit_code == 0, result.output
    assert sorted(live_ids(database).values()) == [2, 3]


def test_another_error_of_a_write_is_not_a_conflict(database):
    database.create_collection("building_ids", validator={"id": {"$type": "string"}})

    with pytest.raises(BulkWriteError, match="Document failed validation"):
        store_assigned_ids(database, {"way/a": 1})


@given(st.lists(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([1, 5, 100])), max_size=8)))
def test_an_id_never_changes_and_is_never_used_again(loads):
    table = {}
    for texts in loads:
        assigner = IdAssigner(dict(table))
        assigned = {text: assigner.assign(text, first=first) for text, first in texts}
        assert all(table.get(text, id_) == id_ for text, id_ in assigned.items()), texts
        assert not table.keys() & assigner.new.keys(), texts
        table |= assigner.new

    assert len(set(table.values())) == len(table)


def test_texts_that_differ_in_their_unicode_normalization_have_one_integer():
    for live, text in [("Café", "Cafe\u0301"), ("Cafe\u0301", "Café")]:
        assigner = IdAssigner({live: 7})

        assert (assigner.assign(text), assigner.new) == (7, {}), live
    assigner = IdAssigner({})
    assert [assigner.assign(text) for text in ("Cafe\u0301", "Café", "Cafe")] == [1, 1, 2]


def test_an_integer_that_leaves_no_room_for_others_is_not_assigned():
    assigner = IdAssigner({"way/a": 2**53 - 1})

    assert assigner.assign("way/b") == 2**53
    with pytest.raises(InvalidValue, match="it would follow 9007199254740992, the greatest"):
        assigner.assign("way/c")


def test_ids_are_the_same_after_a_killed_load(database, save_ways):
    before, after = save_ways("a", "b", file="before.geojson"), save_ways("c", "a", "b", file="after.geojson")
    load_extract(database, before)

    inserts = (("insert", name) for name in ("building_ids", "loads"))
    for command, collection in [ASSIGNMENT, *inserts, ("findAndModify", "datasets")]:
        with interrupted(kill, command, collection):
            assert raised(KeyboardInterrupt, load_extract, database, after), (command, collection)
        assert read_assigned_ids(database) in ({"way/a": 1, "way/b": 2}, {"way/a": 1, "way/b": 2, "way/c": 3}), command

    load_extract(database, after)
    assert live_ids(database) == {"a": 1, "b": 2, "c": 3}
