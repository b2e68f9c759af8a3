import json

import pytest

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building, feature


@pytest.fixture
def load_twice(mongod_database):
    """Load two buildings, and then replace them."""
    for buildings in ([building(1), building(2)], [building(2, city="Boston", polygons=()), building(3)]):
        publish(mongod_database, plan_buildings(mongod_database, buildings), [])


@pytest.mark.parametrize(
    "revision",
    [
        3,
        2**31,
        2**63,
    ],
)
@pytest.mark.usefixtures("load_twice")
def test_an_unknown_revision_exits_with_2(campus_load, revision):
    result = campus_load("diff", "buildings", revision)

    message = f"campus-load: there is no revision {revision} of buildings\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


@pytest.mark.usefixtures("load_twice")
def test_the_command_prints_counts_and_changes(campus_load):
    result = campus_load("diff", "buildings", 2)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "collection  added  changed  removed  unchanged",
        "buildings       1        1        1          0",
        "  buildings: changed 2 Widener Library: city 'Cambridge' -> 'Boston'; geometry",
        "  buildings: added 3 Widener Library",
        "  buildings: removed 1 Widener Library",
    ]


@pytest.mark.usefixtures("load_twice")
def test_the_command_prints_counts_and_changes_as_json(campus_load):
    result = campus_load("diff", "buildings", 2, "--json")

    report = json.loads(result.stdout)
    assert (report["dataset"], report["revision"]) == ("buildings", 2)
    assert report["collections"] == {"buildings": {"added": 1, "changed": 1, "removed": 1, "unchanged": 0}}
    assert report["changes"]["buildings"][0] == {
        "action": "changed",
        "id": 2,
        "name": "Widener Library",
        "fields": {"city": ["Cambridge", "Boston"], "geometry": [None, None]},
    }


def test_a_refused_load_has_no_revision(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    campus_load("buildings", save_features(feature(1)))

    result = campus_load("diff", "buildings", 2)

    assert (result.exit_code, result.stderr) == (2, "campus-load: there is no revision 2 of buildings\n")
