import json
import re
from datetime import UTC, datetime, timedelta

from loaders.publishing import history
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import building, feature, foodpro_row, serving


def states(database, *datasets):
    return [entry["state"] for entry in history.list_loads(database, list(datasets or ("buildings", "dining")))]


def rows(campus_load):
    """Return the rows of the history as lists of columns."""
    return [re.split(r"\s{2,}", line) for line in campus_load("history").stdout.splitlines()]


def test_a_load_is_listed_with_its_files_and_counts_in_80_columns(campus_load, save_features):
    paths = [save_features(feature(1), name="[red].geojson"), save_features(feature(2), name="south.geojson")]
    campus_load("buildings", *paths)

    head, first, second, changes = rows(campus_load)

    assert head == ["started (UTC)", "data", "revision", "state", "files (sha256) and changes"]
    assert first[1:4] == ["buildings", "1", "published"]
    assert timedelta() <= datetime.now(UTC) - datetime.fromisoformat(f"{first[0]}+00:00") < timedelta(hours=1)
    assert re.fullmatch(r"\[red\].geojson \([0-9a-f]{12}\)", first[4])
    assert re.fullmatch(r"south.geojson \([0-9a-f]{12}\)", second[-1])
    assert changes[-1] == "buildings: 2 added"
    campus_load("buildings", save_features(feature(1), name="a rather long name of an export of buildings.geojson"))
    assert max(map(len, campus_load("history").stdout.splitlines())) <= 80


def test_loads_of_all_states_are_listed_oldest_first(campus_load, database, save_features):
    for number in (2, 3, 3, 1):
        campus_load("buildings", save_features(*map(feature, range(number))))
    campus_load("undo", "buildings")
    history.start(database, plan_buildings(database, [building(3)]), 4)

    loads = json.loads(campus_load("history", "--json").stdout)

    assert [(entry["state"], entry["revision"], entry.get("reverts")) for entry in loads] == [
        ("published", 1, None),
        ("undone", 2, None),
        ("unchanged", 2, None),
        ("refused", 2, None),
        ("published", 3, 2),
        ("started", 4, None),
    ]
    assert ["undoes revision 2"] in [row[-1:] for row in rows(campus_load)]


def test_an_invalid_load_is_listed_with_its_reason(campus_load, save, save_features):
    campus_load("buildings", save_features(feature(1)))
    for content, errors, reason in [
        ([feature("x")], 1, "export.geojson, line 1 (record 1): id 'x' is not an integer of zero or more"),
        ("<html>", 0, "export.geojson: is not a GeoJSON FeatureCollection with a list of features"),
        ([], 0, "export.geojson: has no records"),
    ]:
        path = save(json.dumps({"type": "FeatureCollection", "features": content}), "export.geojson")

        campus_load("buildings", path, "--profile", "geojson")

        entry = json.loads(campus_load("history", "--json").stdout)[-1]
        assert (entry["state"], entry["revision"], entry["errors"]) == ("invalid", 1, errors), content
        assert reason in entry["reasons"][0], content
    assert [row[3] for row in rows(campus_load) if row[1:2] == ["buildings"]] == ["published", *["invalid"] * 3]
    campus_load("buildings", save_features(feature(2)), "--override", "all")
    assert json.loads(campus_load("history", "--json").stdout)[-1]["state"] == "published"


def test_the_history_as_json_has_all_recorded_fields_also_of_one_data_set(campus_load, save_features, save_rows):
    campus_load("buildings", save_features(feature(1), feature("x")), "--max-errors", 1)
    campus_load("dining", save_rows(foodpro_row()))

    [entry] = json.loads(campus_load("history", "buildings", "--json").stdout)

    ended = {"dataset", "revision", "started_at", "loaded_at", "finished_at", "state"}
    assert entry.keys() == {*ended, "sources", "collections", "errors"}
    assert (entry["errors"], entry["collections"]["buildings"]["added"]) == (1, 1)
    assert [source["file"] for source in entry["sources"]] == ["buildings.geojson"]
    assert datetime.fromisoformat(entry["started_at"]).tzinfo is not None


def test_a_started_load_is_interrupted_once_another_of_its_data_set_is_published(database, load_buildings, load_dining):
    load_dining(serving(1))
    for revision in (2, 9):
        history.start(database, plan_dining(database, [serving(2)]), revision)
    load_buildings(building(1))
    assert states(database, "dining") == ["published", "started", "started"]

    load_dining(serving(3))
    database.loads.update_one({"state": "interrupted"}, {"$set": {"state": "started"}})

    assert states(database, "dining") == ["published", "interrupted", "started", "published"]
    # Reading the history writes nothing.
    assert database.loads.count_documents({"state": "started"}) == 2
    publish(database, plan_undo(database, "dining"))
    assert states(database, "dining") == ["published", "interrupted", "started", "undone", "published"]


def test_a_killed_load_with_a_live_revision_is_published_and_finished_by_the_next_one(database, load_dining):
    load_dining(serving(1))
    load_dining(serving(2))
    database.loads.update_one({"revision": 2}, {"$set": {"state": "started"}, "$unset": {"finished_at": ""}})

    entry, changes = history.read_changes(database, "dining", 2)
    assert (states(database), entry["revision"], len(changes["menus"])) == (["published"] * 2, 2, 1)
    load_dining(serving(3))
    loads = history.list_loads(database, ["dining"])
    assert [(entry["state"], "finished_at" in entry) for entry in loads] == [("published", True)] * 3
