"""Results of loads: exit status, messages, data and history."""

import json

import pytest

from loaders.samples import load_samples
from tests.factories import TODAY, feature, foodpro_row
from tests.loaders.live import all_data

FAR = {"type": "Point", "coordinates": [1, 1]}


def rows(*numbers, date="11/20/2026"):
    return [foodpro_row(Recipe_Number=number, Serve_Date=date) for number in numbers]


@pytest.fixture
def history(database):
    """Return the history entries, oldest first."""
    return lambda: list(database.loads.find({}, {"_id": False}, sort=[("_id", 1)]))


@pytest.fixture
def load_ten(campus_load, save_features, save_rows):
    """Publish ten buildings and ten items of a menu."""
    campus_load("buildings", save_features(*(feature(id_, name="Hall") for id_ in range(10)), name="ten.geojson"))
    campus_load("dining", save_rows(*rows(*range(10)), name="ten.json"))


# Exports that violate a guard after `load_ten`, and the reason.
REFUSED = {
    "a building far away": (
        "buildings",
        "outside-area",
        [*(feature(id_, name="Hall") for id_ in range(9)), feature(9, FAR, name="Hall")],
        "refused.json, line 1 (record 10): building 9 lies at 1.00000, 1.00000, outside the usual area"
        " (41.87 to 42.87, -71.62 to -70.62)",
    ),
    "lost items": ("dining", "lost-items", rows(1), "the menus of these dates would lose 9 (90%) of 10 items"),
}


@pytest.mark.parametrize(("dataset", "guard", "export", "reason"), REFUSED.values(), ids=REFUSED)
@pytest.mark.usefixtures("load_ten")
def test_a_refused_load_changes_nothing_until_its_guards_are_overridden(
    campus_load, database, history, save, dataset, guard, export, reason
):
    content = export if dataset == "dining" else {"type": "FeatureCollection", "features": export}
    path, before = save(json.dumps(content), "refused.json"), all_data(database)

    dry_run = campus_load(dataset, path, "--dry-run")
    message = f"{dataset}: dry run, nothing was written; this would be revision 2"
    assert (dry_run.exit_code, dry_run.stdout.splitlines()[0]) == (0, message)
    assert f"would be refused by {guard}: {reason}" in dry_run.stderr.splitlines()

    refused = campus_load(dataset, path)
    last = f"campus-load: refused, nothing was changed: if the export is right, load it with --override {guard}."
    assert (refused.exit_code, refused.stdout.splitlines()[0]) == (3, f"{dataset}: refused, nothing was changed")
    assert f"refused by {guard}: {reason}" in refused.stderr.splitlines()
    assert refused.stderr.splitlines()[-1] == last
    entry = history()[-1]
    assert (entry["dataset"], entry["state"], entry["revision"]) == (dataset, "refused", 1)
    assert reason in entry["reasons"]
    assert [source["file"] for source in entry["sources"]] == ["refused.json"]
    assert all_data(database) == before

    overridden = campus_load(dataset, path, f"--override={guard}")
    assert (overridden.exit_code, overridden.stdout.splitlines()[0]) == (0, f"{dataset}: published as revision 2")
    assert f"overridden {guard}: {reason}" in overridden.stderr.splitlines()
    assert history()[-1]["state"] == "published"


@pytest.mark.usefixtures("load_ten")
def test_an_override_applies_to_one_guard(campus_load, save_rows):
    export = save_rows(*rows(1), *rows(1, date="11/20/2029"))

    result = campus_load("dining", export, "--override", "lost-items")

    assert result.exit_code == 3
    assert [line.partition(":")[0] for line in result.stderr.splitlines()] == [
        *["refused by implausible-dates"] * 2,
        "overridden lost-items",
        "campus-load",
    ]


def test_at_most_twenty_changes_are_listed(campus_load, save_features):
    campus_load("buildings", save_features(*map(feature, range(30))))

    result = campus_load("buildings", save_features(*(feature(id_, name="Widener") for id_ in range(30))))

    changes = [line for line in result.stdout.splitlines() if "buildings: changed" in line]
    assert (len(changes), changes[0]) == (20, "  buildings: changed 0 Widener: name None -> 'Widener'")
    assert "  and 10 more changes of buildings" in result.stdout.splitlines()


def test_samples_may_be_replaced(campus_load, database, save_features, save_rows):
    load_samples(database, TODAY)

    for dataset, export in [("buildings", save_features(feature(1, FAR))), ("dining", save_rows(*rows(1)))]:
        assert campus_load(dataset, export).exit_code == 0, dataset
