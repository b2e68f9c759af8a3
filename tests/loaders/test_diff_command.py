import json

import pytest

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building, feature


@pytest.fixture
def load_twice(mongod_database):
    """Load two buildings, and others in their place."""
    for given in ([building(1), building(2)], [building(2, city="Boston", polygons=()), building(3)]):
        publish(mongod_database, plan_buildings(mongod_database, given), [])


@pytest.mark.parametrize(
    "revision",
    [
        3,
        2**31,
        2**63,
    ],
)
@pytest.mark.usefixtures("load_twice")
def test_the_command_ends_with_2_when_the_revision_is_not_there(campus_load, revision):
    ended = campus_load("diff", "buildings", revision)

    said = f"campus-load: buildings have no revision {revision}\n"
    assert (ended.exit_code, ended.stdout, ended.stderr) == (2, "", said)


@pytest.mark.usefixtures("load_twice")
def test_the_command_tells_numbers_and_changes(campus_load):
    ended = campus_load("diff", "buildings", 2)

    assert (ended.exit_code, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == [
        "collection  added  changed  removed  unchanged",
        "buildings       1        1        1          0",
        "  buildings: changed 2 Widener Library: city 'Cambridge' -> 'Boston'; geometry",
        "  buildings: added 3 Widener Library",
        "  buildings: removed 1 Widener Library",
    ]


@pytest.mark.usefixtures("load_twice")
def test_the_command_tells_the_same_as_json(campus_load):
    ended = campus_load("diff", "buildings", 2, "--json")

    found = json.loads(ended.stdout)
    assert (found["dataset"], found["revision"]) == ("buildings", 2)
    assert found["collections"] == {"buildings": {"added": 1, "changed": 1, "removed": 1, "unchanged": 0}}
    assert found["changes"]["buildings"][0] == {
        "action": "changed",
        "id": 2,
        "name": "Widener Library",
        "fields": {"city": ["Cambridge", "Boston"], "geometry": [None, None]},
    }


def test_a_refused_load_is_no_revision(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    campus_load("buildings", save_features(feature(1)))

    ended = campus_load("diff", "buildings", 2)

    assert (ended.exit_code, ended.stderr) == (2, "campus-load: buildings have no revision 2\n")
