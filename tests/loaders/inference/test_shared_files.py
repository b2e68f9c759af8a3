"""Small exports that other importers failed on, as proposed and unedited; skipped where they are absent."""

from pathlib import Path

import pytest

from loaders.cli.datasets import read_with
from loaders.inference import propose
from tests.loaders.errors import message_of

FILES = Path(__file__).parents[4] / "shared/data/files"

pytestmark = pytest.mark.skipif(not FILES.is_dir(), reason="the shared files are absent")


def read(name):
    """Read a file with the profile that is proposed for it."""
    return read_with([FILES / name], propose.profile(FILES / name), {})


def test_buildings_have_their_names_and_positions():
    houses = ["Alpha Haus", "Beta Haus", "Gamma Haus"]
    for name, expected, errors in [
        *((f"names/{path.name}", houses, 0) for path in sorted((FILES / "names").iterdir())),
        ("no-ids.geojson", [None] * 30, 0),
        ("names-in-languages.geojson", ["Main Building", "Library", "Dining Hall"], 0),
        ("lat-lon-lists.json", ["Old Hall", "Library", "Gymnasium"], 0),
        ("no-decimals.csv", ["Hall B"], 1),
        ("two-folders.kml", ["Hall A", "Hall C"], 1),
    ]:
        result = read(name)

        assert ([each.name for each in result.records], len(result.errors)) == (expected, errors), name
    assert [*map(round, read("lat-lon-lists.json").records[0].point)] == [44, -93]


def test_menus_have_their_meals_ids_and_facts():
    rows = {name: read(name).records for name in ("float-meals.csv", "meals-0-1-2.csv")}
    facts = read("labels.csv").lists.facts.values()

    assert [(row.meal, row.location.id, row.recipe.id) for row in rows["float-meals.csv"]] == [(1, 30, 101)]
    assert [(row.meal, row.recipe.id) for row in rows["meals-0-1-2.csv"]] == [(0, 101), (1, 102), (2, 103)]
    labels = [(410, "Vegan"), (300, "Vegetarian"), (520, None)]
    assert [(each.calories, each.labels and each.labels[0].code) for each in facts] == labels


def test_text_in_another_encoding_is_read_as_proposed_or_an_error_has_the_line_that_reads_it():
    assert read("cp1251-without-cpg.zip").records[0].name == "Главный корпус"
    assert message_of(propose.profile, FILES / "gbk.csv").endswith('looks like gbk: the profile needs encoding = "gbk"')
