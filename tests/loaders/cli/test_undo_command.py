import json

import pytest

from tests.factories import foodpro_row


@pytest.fixture
def load_two_menus(campus_load, save_rows):
    """Load menus, and then replace them."""

    def load_two_menus():
        for name in ("Rice", "Soup"):
            campus_load("dining", save_rows(foodpro_row(Recipe_Print_As_Name=name)))

    return load_two_menus


def test_the_command_prints_the_changes(campus_load, load_two_menus):
    load_two_menus()

    result = campus_load("undo", "dining")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "dining: revision 2 is undone, published as revision 3",
        "collection  added  changed  removed  unchanged",
        "categories      0        0        0          1",
        "locations       0        0        0          1",
        "recipes         0        1        0          0",
        "days            0        1        0          0",
    ]


def test_the_command_prints_one_json_object(campus_load, load_two_menus):
    load_two_menus()

    result = campus_load("undo", "dining", "--json")

    report = json.loads(result.stdout)
    assert report.pop("collections")["menus"] == {"added": 0, "changed": 1, "removed": 0, "unchanged": 0}
    assert report == {"dataset": "dining", "state": "published", "revision": 3, "reverts": 2}


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_undo_without_a_load_exits_with_2(campus_load, dataset):
    result = campus_load("undo", dataset)

    message = f"campus-load: no load of {dataset} has replaced anything\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_a_second_undo_exits_with_2(campus_load, load_two_menus):
    load_two_menus()
    campus_load("undo", "dining")

    result = campus_load("undo", "dining")

    message = "campus-load: the last load of dining was undone already: revision 2\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


@pytest.mark.parametrize("dates", [["11/20/2026"], ["11/19/2026", "11/21/2026"]], ids=["unchanged", "refused"])
def test_a_load_that_published_nothing_is_not_undone(campus_load, save_rows, load_two_menus, dates):
    load_two_menus()
    campus_load("dining", save_rows(*(foodpro_row(Serve_Date=date, Recipe_Print_As_Name="Soup") for date in dates)))

    result = campus_load("undo", "dining")

    assert result.stdout.splitlines()[0] == "dining: revision 2 is undone, published as revision 3"


def test_a_quiet_undo_prints_nothing(campus_load, load_two_menus):
    load_two_menus()

    result = campus_load("undo", "dining", "--quiet")

    assert (result.exit_code, result.output) == (0, "")


def test_a_quiet_undo_prints_errors(campus_load):
    result = campus_load("undo", "dining", "--quiet")

    assert (result.exit_code, result.stderr) == (2, "campus-load: no load of dining has replaced anything\n")


def test_a_quiet_undo_prints_the_json_object(campus_load, load_two_menus):
    load_two_menus()

    result = campus_load("undo", "dining", "--quiet", "--json")

    assert json.loads(result.stdout)["reverts"] == 2
