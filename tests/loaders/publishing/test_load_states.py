"""Results of loads: exit status, messages, data and history."""

from loaders.samples import load_samples
from tests.factories import TODAY, feature, foodpro_row
from tests.loaders.live import all_data

FAR = {"type": "Point", "coordinates": [1, 1]}


def last_load(database):
    return database.loads.find_one(sort=[("_id", -1)])


def rows(*numbers, date="11/20/2026"):
    return [foodpro_row(Recipe_Number=number, Serve_Date=date) for number in numbers]


def test_a_refused_load_changes_nothing_until_its_guard_is_overridden(campus_load, database, save_features):
    halls = [feature(id_, name="Hall") for id_ in range(10)]
    campus_load("buildings", save_features(*halls))
    path, before = save_features(*halls[1:], feature(0, FAR, name="Hall"), name="refused.json"), all_data(database)
    area = "outside the usual area (41.87 to 42.87, -71.62 to -70.62)"
    reason = f"refused.json, line 1 (record 10): building 0 lies at 1.00000, 1.00000, {area}"

    dry_run = campus_load("buildings", path, "--dry-run")
    message = "buildings: dry run, nothing was written; this would be revision 2"
    assert (dry_run.exit_code, dry_run.stdout.splitlines()[0]) == (0, message)
    assert f"would be refused by outside-area: {reason}" in dry_run.stderr.splitlines()

    refused = campus_load("buildings", path)
    last = "campus-load: refused, nothing was changed: if the export is right, load it with --override outside-area."
    assert (refused.exit_code, refused.stdout.splitlines()[0]) == (3, "buildings: refused, nothing was changed")
    assert refused.stderr.splitlines() == [f"refused by outside-area: {reason}", last]
    entry = last_load(database)
    assert (entry["dataset"], entry["state"], entry["revision"]) == ("buildings", "refused", 1)
    assert (entry["reasons"], [source["file"] for source in entry["sources"]]) == ([reason], ["refused.json"])
    assert all_data(database) == before

    overridden = campus_load("buildings", path, "--override=outside-area")
    assert (overridden.exit_code, overridden.stdout.splitlines()[0]) == (0, "buildings: published as revision 2")
    assert f"overridden outside-area: {reason}" in overridden.stderr.splitlines()
    assert last_load(database)["state"] == "published"


def test_an_override_applies_to_one_guard(campus_load, save_rows):
    campus_load("dining", save_rows(*rows(*range(10))))
    export = save_rows(*rows(1), *rows(1, date="11/20/2999"))

    result = campus_load("dining", export, "--override", "lost-items")

    starts = [line.partition(":")[0] for line in result.stderr.splitlines()]
    assert starts == [*["refused by implausible-dates"] * 2, "overridden lost-items", "campus-load"]
    assert result.exit_code == 3


def test_samples_may_be_replaced(campus_load, database, save_features, save_rows):
    load_samples(database, TODAY)

    for dataset, export in [("buildings", save_features(feature(1, FAR))), ("dining", save_rows(*rows(1)))]:
        assert campus_load(dataset, export).exit_code == 0, dataset
