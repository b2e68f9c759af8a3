"""The commands undo and diff; the list of loads is tested with the history, dumps in a file for themselves."""

import json

from tests.factories import building, feature, foodpro_row
from tests.publishing import publish_buildings


def test_an_undo_prints_the_changes_one_json_object_or_nothing(campus_load, save_rows):
    rice, soup = (save_rows(foodpro_row(Recipe_Print_As_Name=name), name=name) for name in ("Rice", "Soup"))
    for path in (rice, soup):
        campus_load("dining", path)

    result, again = campus_load("undo", "dining"), campus_load("undo", "dining")

    assert (result.exit_code, result.stderr) == (0, "")
    head, *_, last = result.stdout.splitlines()
    assert head == "dining: revision 2 is undone, published as revision 3"
    assert last == "menus           0        1        0          0"
    message = "campus-load: the last load of dining was undone already: revision 2\n"
    assert (again.exit_code, again.stdout, again.stderr) == (2, "", message)
    campus_load("dining", soup)
    report = json.loads(campus_load("undo", "dining", "--quiet", "--json").stdout)
    assert report.pop("collections")["menus"] == {"added": 0, "changed": 1, "removed": 0, "unchanged": 0}
    assert report == {"dataset": "dining", "state": "published", "revision": 5, "reverts": 4}
    campus_load("dining", soup)
    quiet = campus_load("undo", "dining", "--quiet")
    assert (quiet.exit_code, quiet.output) == (0, "")


def test_a_diff_prints_counts_and_changes_of_a_revision_that_was_published(campus_load, database, save_features):
    for buildings in ([building(1), building(2)], [building(2, city="Boston", polygons=()), building(3)]):
        publish_buildings(database, buildings)
    assert campus_load("buildings", save_features(feature(2))).exit_code == 3

    result = campus_load("diff", "buildings", 2)

    assert (result.exit_code, result.stderr) == (0, "")
    _, counts, change, *others = result.stdout.splitlines()
    assert (counts, len(others)) == ("buildings       1        1        1          0", 2)
    assert change == "  buildings: changed 2 Widener Library: city 'Cambridge' -> 'Boston'; geometry"
    report = json.loads(campus_load("diff", "buildings", 2, "--json").stdout)
    assert (report["dataset"], report["revision"]) == ("buildings", 2)
    assert report["collections"] == {"buildings": {"added": 1, "changed": 1, "removed": 1, "unchanged": 0}}
    fields = {"city": ["Cambridge", "Boston"], "geometry": [None, None]}
    changed = {"action": "changed", "id": 2, "name": "Widener Library", "fields": fields}
    assert report["changes"]["buildings"][0] == changed
    for revision in (3, 2**31, 2**63):
        unknown = campus_load("diff", "buildings", revision)
        message = f"campus-load: there is no revision {revision} of buildings\n"
        assert (unknown.exit_code, unknown.stdout, unknown.stderr) == (2, "", message), revision
