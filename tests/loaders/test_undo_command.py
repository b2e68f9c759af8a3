import json

import pytest

from tests.factories import foodpro_row


@pytest.fixture
def load_two_menus(campus_load, save_rows):
    """Load menus, and other menus in their place."""

    def load_two_menus():
        for name in ("Rice", "Soup"):
            campus_load("dining", save_rows(foodpro_row(Recipe_Print_As_Name=name)))

    return load_two_menus


def test_the_command_says_what_it_brought_back(campus_load, load_two_menus):
    load_two_menus()

    ended = campus_load("undo", "dining")

    assert (ended.exit_code, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == [
        "dining: revision 2 is undone, published as revision 3",
        "collection  added  changed  removed  unchanged",
        "categories      0        0        0          1",
        "locations       0        0        0          1",
        "recipes         0        1        0          0",
        "menus           0        1        0          0",
    ]


def test_the_command_prints_one_json_object_if_asked_to(campus_load, load_two_menus):
    load_two_menus()

    ended = campus_load("undo", "dining", "--json")

    said = json.loads(ended.stdout)
    assert said.pop("collections")["menus"] == {"added": 0, "changed": 1, "removed": 0, "unchanged": 0}
    assert said == {"dataset": "dining", "state": "published", "revision": 3, "reverts": 2}


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_the_command_ends_with_2_when_there_is_nothing_to_undo(campus_load, dataset):
    ended = campus_load("undo", dataset)

    said = f"campus-load: no load of {dataset} has replaced anything\n"
    assert (ended.exit_code, ended.stdout, ended.stderr) == (2, "", said)


def test_the_command_ends_with_2_the_second_time(campus_load, load_two_menus):
    load_two_menus()
    campus_load("undo", "dining")

    ended = campus_load("undo", "dining")

    said = "campus-load: the last load of dining was undone already: revision 2\n"
    assert (ended.exit_code, ended.stdout, ended.stderr) == (2, "", said)


@pytest.mark.parametrize("dates", [["11/20/2026"], ["11/19/2026", "11/21/2026"]], ids=["unchanged", "refused"])
def test_a_load_that_published_nothing_is_not_what_is_undone(campus_load, save_rows, load_two_menus, dates):
    load_two_menus()
    campus_load("dining", save_rows(*(foodpro_row(Serve_Date=date, Recipe_Print_As_Name="Soup") for date in dates)))

    ended = campus_load("undo", "dining")

    assert ended.stdout.splitlines()[0] == "dining: revision 2 is undone, published as revision 3"
