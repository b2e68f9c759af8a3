"""What building searches examine in a real MongoDB."""

import pytest

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building

WORDS = ["Oak", "Library", "Hall", "Garden", "Café"]
FEW = list(range(980, 1000))
INDEX = "IXSCAN { search.trigrams: 1 }"


def queries_of(database):
    """Return the profiled queries of buildings."""
    return list(database.system.profile.find({"ns": f"{database.name}.buildings_1", "op": "query"}))


@pytest.fixture
def search(mongod_database):
    """Search 1,000 buildings, of which 20 are Wigglesworth Hall; return ids, query plans and examined documents."""
    many = [building(id_, name=" ".join(WORDS[id_ // step % 5] for step in (1, 5, 25))) for id_ in range(980)]
    few = [building(id_, name="Wigglesworth Hall", address=f"{id_} Oak Lane") for id_ in range(980, 1000)]
    publish(mongod_database, plan_buildings(mongod_database, many + few), [])
    store = Stores(RevisionMonitor(mongod_database).snapshot()).buildings
    store.get(1)
    mongod_database.command("profile", 2)

    def search(**texts):
        ids = [row["id"] for row in store.search(**texts)]
        queries = queries_of(mongod_database)
        return ids, {query["planSummary"] for query in queries}, sum(query["docsExamined"] for query in queries)

    yield search
    mongod_database.command("profile", 0)


@pytest.mark.parametrize(
    "texts",
    [
        {"name": ["wigglesworth"]},
        {"name": ["gle"]},
        {"name": ["GLÉSWORTH HALL"]},
        {"name": ["rth ha"]},
        {"name": ["wigglesworth hall"]},
        {"address": ["oak lane"]},
    ],
)
def test_a_text_of_three_characters_or_more_examines_only_its_matches(search, texts):
    assert search(**texts) == (FEW, {INDEX}, len(FEW))


@pytest.mark.parametrize(
    "texts",
    [
        {"name": ["gle", "zzz"]},
        {"name": [*(f"{number}nowhere" for number in range(36)), "wigglesworth"]},
        {"name": ["wiggles"], "address": ["oak"]},
        {"name": ["hall"], "address": ["oak lane"]},
        {"name": ["h"], "address": ["k lane", "oak lane"]},
        {"name": ["hall", "zzz"], "address": ["k lane", "oak lane", "yyy"]},
    ],
)
def test_alternatives_and_both_fields_examine_only_their_matches(search, texts):
    assert search(**texts) == (FEW, {INDEX}, len(FEW))


@pytest.mark.parametrize("after", ["garden oak library", "wigglesworth hall"])
def test_previous_searches_do_not_change_what_a_search_examines(search, mongod_database, after):
    for _ in range(5):
        search(name=[after])
    before = search(name=[after])[2]

    assert search(name=["wigglesworth"])[2] - before == len(FEW)


def test_any_number_of_texts_is_one_query(search, mongod_database):
    nowhere = [f"{number}nowhere" for number in range(300)]

    ids, _, _ = search(name=[" hall", *nowhere, "wigglesworth"], address=[" oak", *nowhere, "lane"])

    assert (ids, [query["nreturned"] for query in queries_of(mongod_database)]) == (FEW, [len(FEW)])


@pytest.mark.parametrize("text", ["ks", "t ", " l", "  "])
def test_a_short_text_scans_the_collection(search, text):
    _, plans, examined = search(name=["wigglesworth", text])

    assert (plans, examined) == ({"COLLSCAN"}, 1000)


@pytest.mark.parametrize("texts", [["hall"], ["wigglesworth", "library"], ["zzz", "garden", "café", "oak"]])
def test_common_texts_scan_the_collection(search, texts):
    _, plans, examined = search(name=texts)

    assert (plans, examined) == ({"COLLSCAN"}, 1000)


def test_all_buildings_are_read_without_an_index(search):
    ids, plans, _ = search()

    assert (ids, plans) == (list(range(1000)), {"COLLSCAN"})
