import json
import re
from datetime import UTC, datetime

import pytest

from loaders.publishing import history
from loaders.publishing.lock import locked
from tests.factories import building, feature, foodpro_row, serving
from tests.loaders.states import load_that_dies

SHA256 = re.compile(r"sha256 [0-9a-f]{64}")


def states(database, *datasets):
    return [entry["state"] for entry in history.imports(database, list(datasets or ("buildings", "dining")))]


def leave_unfinished(database):
    """Leave the last load as one that died after its revision went live, before it said so."""
    last = database.imports.find_one(sort=[("_id", -1)])["_id"]
    database.imports.update_one({"_id": last}, {"$set": {"state": "started"}, "$unset": {"finished_at": ""}})


@pytest.fixture
def rows(campus_load):
    """Return the lines of the history, each with the words of its columns."""

    def rows(*arguments):
        return [re.split(r"\s{2,}", line) for line in campus_load("history", *arguments).stdout.splitlines()]

    return rows


def test_before_a_first_load_there_is_no_history(campus_load):
    ended = campus_load("history")

    assert (ended.exit_code, ended.stdout, ended.stderr) == (0, "no loads yet\n", "")


def test_a_load_is_listed_with_its_files_and_what_it_changed(campus_load, rows, save_features):
    paths = [save_features(feature(1), name="north.geojson"), save_features(feature(2), name="south.geojson")]
    campus_load("buildings", *paths)

    head, first, hash_of_first, second, hash_of_second = rows()

    assert head == ["started (UTC)", "data", "revision", "state", "files", "changes"]
    assert first[1:] == ["buildings", "1", "published", "north.geojson", "buildings: 2 added"]
    assert abs(datetime.fromisoformat(f"{first[0]}+00:00") - datetime.now(UTC)).total_seconds() < 60
    assert second[-1] == "south.geojson"
    assert [bool(SHA256.fullmatch(words[-1])) for words in (hash_of_first, hash_of_second)] == [True, True]


def test_loads_of_all_states_are_listed_oldest_first(campus_load, mongod_database, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    campus_load("buildings", save_features(feature(1), feature(2)))
    campus_load("buildings", save_features(feature(1)))
    campus_load("buildings", save_features(feature(1)), "--accept-shrink")
    campus_load("undo", "buildings")
    load_that_dies(mongod_database, "buildings", [building(3)], at_write=1)

    found = json.loads(campus_load("history", "--json").stdout)

    assert [(entry["state"], entry["revision"], entry.get("undoes")) for entry in found] == [
        ("published", 1, None),
        ("unchanged", 1, None),
        ("refused", 1, None),
        ("undone", 2, None),
        ("published", 3, 2),
        ("interrupted", 4, None),
    ]


def test_an_undo_is_listed_as_one(campus_load, rows, save_features):
    for id_ in (1, 2):
        campus_load("buildings", save_features(feature(1), feature(2), feature(3), feature(10 * id_)))
    campus_load("undo", "buildings")

    said = [row[3] for row in rows() if row[1:2] == ["buildings"]]

    assert said == ["published", "undone", "published (undoes 2)"]


def test_the_history_of_one_data_set_can_be_asked_for(campus_load, save_features, save_rows):
    campus_load("buildings", save_features(feature(1)))
    campus_load("dining", save_rows(foodpro_row()))

    found = json.loads(campus_load("history", "dining", "--json").stdout)

    assert [entry["dataset"] for entry in found] == ["dining"]


def test_the_history_as_json_has_what_is_on_record(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature("x")), "--allow-bad", 1)

    [entry] = json.loads(campus_load("history", "--json").stdout)

    assert entry.keys() == {
        "dataset",
        "revision",
        "started_at",
        "finished_at",
        "sources",
        "collections",
        "bad_records",
        "state",
    }
    assert (entry["bad_records"], entry["collections"]["buildings"]["added"]) == (1, 1)
    assert [source["file"] for source in entry["sources"]] == ["buildings.geojson"]


def test_times_in_the_history_as_json_have_a_zone(campus_load, save_features):
    campus_load("buildings", save_features(feature(1)))

    [entry] = json.loads(campus_load("history", "--json").stdout)

    assert datetime.fromisoformat(entry["started_at"]).tzinfo is not None


def test_brackets_in_the_name_of_a_file_are_shown(campus_load, rows, save_features):
    campus_load("buildings", save_features(feature(1), name="[red]north.geojson"))

    assert rows()[1][4] == "[red]north.geojson"


def test_a_load_that_began_and_did_not_end_was_interrupted(database, load_dining):
    load_dining(serving(1))
    load_that_dies(database, "dining", [serving(2)], at_write=2)

    assert states(database) == ["published", "interrupted"]


def test_a_load_that_began_is_running_while_the_lock_is_held(database, load_dining):
    load_dining(serving(1))
    load_that_dies(database, "dining", [serving(2)], at_write=2)

    with locked(database, "dining", patience=0):
        found = states(database)

    assert found == ["published", "running"]


def test_of_two_loads_that_began_the_last_one_is_running(database):
    for id_ in (1, 2):
        load_that_dies(database, "dining", [serving(id_)], at_write=2)
    database.imports.update_many({}, {"$set": {"state": "started"}})

    with locked(database, "dining", patience=0):
        found = states(database)

    assert found == ["interrupted", "running"]


def test_a_load_is_not_running_because_one_of_other_data_is(database):
    load_that_dies(database, "dining", [serving(1)], at_write=2)

    with locked(database, "buildings", patience=0):
        found = states(database)

    assert found == ["interrupted"]


def test_a_load_whose_revision_is_live_is_published_though_it_died(database, load_dining):
    load_dining(serving(1))
    leave_unfinished(database)

    assert states(database) == ["published"]


def test_a_load_whose_revision_is_live_and_that_died_is_finished_by_the_next(database, load_dining):
    load_dining(serving(1))
    leave_unfinished(database)

    load_dining(serving(2))

    found = history.imports(database, ["dining"])
    assert [(entry["state"], "finished_at" in entry) for entry in found] == [("published", True), ("published", True)]


def test_what_a_load_changed_that_is_live_and_died_is_told(database, load_dining):
    load_dining(serving(1))
    load_dining(serving(2))
    leave_unfinished(database)

    entry, changes = history.differences(database, "dining", 2)

    assert (entry["revision"], len(changes["menus"])) == (2, 1)


def test_looking_at_the_history_writes_nothing(database, load_dining):
    load_that_dies(database, "dining", [serving(1)], at_write=2)

    history.imports(database, ["dining"])

    assert database.imports.find_one()["state"] == "started"
