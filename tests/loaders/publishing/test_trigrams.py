"""Trigrams and their index."""

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from campus_api.domain.text import decode_frequencies
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import building
from tests.loaders.live import live_buildings


def record(database):
    return database.datasets.find_one({"_id": "buildings"})


def search(database, text):
    return [row["id"] for row in Stores(RevisionMonitor(database).snapshot()).buildings.search(name=[text])]


def test_a_building_has_the_trigrams_of_its_normalized_text(database, load_buildings):
    load_buildings(building(name="Café A", address="1 Oakoak"))

    [document] = live_buildings(database)

    name, address = ["ncaf", "nafe", "nfe ", "ne a"], ["a1 o", "a oa", "aoak", "aako", "akoa"]
    assert document["search"]["trigrams"] == sorted([*name, *address])


def test_every_revision_has_a_trigram_index(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(2))

    for name in ("buildings_1", "buildings_2"):
        fields = [field for index in database[name].index_information().values() for field, _ in index["key"]]
        assert fields == ["_id", "search.trigrams"]


def test_the_record_has_the_frequencies_of_common_trigrams(database, load_buildings):
    load_buildings(*(building(id_, name="Oak" if id_ < 64 else "Elm", address="Yard") for id_ in range(127)))

    assert decode_frequencies(record(database)["common_trigrams"]) == {"noak": 64, "ayar": 64, "aard": 64}


def test_an_undo_restores_the_index(database, load_buildings):
    load_buildings(*(building(id_, name="Oak Hall") for id_ in range(64)))
    before = record(database)
    load_buildings(*(building(id_, name="Elm Hall") for id_ in range(64)))

    publish(database, plan_undo(database, "buildings"), [])

    assert record(database)["common_trigrams"] == before["common_trigrams"]
    assert record(database)["indexed"] == "buildings_1"
    assert (search(database, "oak")[:2], search(database, "elm")) == ([0, 1], [])
