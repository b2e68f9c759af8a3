"""What loads write for searches, and collections of buildings that an older version has loaded."""

import pytest

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from campus_api.domain.text import decode_frequencies
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import building
from tests.loaders.live import live_buildings


def record(database):
    return database.datasets.find_one({"_id": "buildings"})


def found(database, text):
    return [row["id"] for row in Stores(database, RevisionMonitor(database)).buildings.search(name=[text])]


@pytest.fixture
def make_old(database):
    """Make the live buildings what an older version would have loaded."""

    def make_old():
        live = database[record(database)["collections"]["buildings"]]
        live.drop_indexes()
        live.update_many({}, {"$unset": {"search.trigrams": ""}, "$set": {"digest": b"of an older version"}})
        fields = {"layout": "", "collections": "", "load": "", "previous": "", "indexed": "", "common_trigrams": ""}
        database.datasets.update_one({"_id": "buildings"}, {"$unset": fields, "$set": {"collection": live.name}})

    return make_old


def test_a_building_has_the_trigrams_of_its_folded_texts(database, load_buildings):
    load_buildings(building(name="Café A", address="1 Oakoak"))

    [document] = live_buildings(database)

    name, address = ["ncaf", "nafe", "nfe ", "ne a"], ["a1 o", "a oa", "aoak", "aako", "akoa"]
    assert document["search"]["trigrams"] == sorted([*name, *address])


def test_every_revision_has_an_index_of_trigrams(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(2))

    for name in ("buildings_1", "buildings_2"):
        fields = [field for index in database[name].index_information().values() for field, _ in index["key"]]
        assert fields == ["_id", "search.trigrams"]


def test_the_record_says_in_how_many_buildings_common_trigrams_are(database, load_buildings):
    load_buildings(*(building(id_, name="Oak" if id_ < 64 else "Elm", address="Yard") for id_ in range(127)))

    assert decode_frequencies(record(database)["common_trigrams"]) == {"noak": 64, "ayar": 64, "aard": 64}


def test_buildings_of_an_older_version_are_searched(database, load_buildings, make_old):
    load_buildings(building(1, name="Widener Library"), building(2, name="Weld"))
    make_old()

    assert (found(database, "dener"), found(database, "l")) == ([1], [1, 2])


def test_the_same_export_renews_buildings_of_an_older_version(database, load_buildings, make_old):
    load_buildings(building(1, name="Widener Library"))
    before = live_buildings(database)
    make_old()

    load_buildings(building(1, name="Widener Library"))

    assert live_buildings(database) == before
    assert record(database)["indexed"] == "buildings_2"


def test_an_undo_keeps_the_index(database, load_buildings):
    load_buildings(*(building(id_, name="Oak Hall") for id_ in range(64)))
    before = record(database)
    load_buildings(*(building(id_, name="Elm Hall") for id_ in range(64)))

    publish(database, plan_undo(database, "buildings"), [])

    assert record(database)["common_trigrams"] == before["common_trigrams"]
    assert record(database)["indexed"] == "buildings_1"
    assert (found(database, "oak")[:2], found(database, "elm")) == ([0, 1], [])


def test_an_undo_brings_buildings_of_an_older_version_back_to_be_searched(database, load_buildings, make_old):
    load_buildings(building(1, name="Widener Library"))
    make_old()
    load_buildings(building(2, name="Weld"))

    publish(database, plan_undo(database, "buildings"), [])

    assert "indexed" not in record(database)
    assert (found(database, "dener"), found(database, "eld")) == ([1], [])
