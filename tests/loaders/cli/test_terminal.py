"""Control characters of servers and files, which a terminal would execute; the progress that a terminal shows."""

import json
import re
import tomllib

from loaders.cli.output import table, write
from tests.factories import feature, huds_line

# Escape, line feed, delete, a C1 control, a line separator, and an override of the direction of text.
HOSTILE = "a\x1b]0;x\x07\nb\x7f\x9b2J\u2028\u202ec"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
BIDI = "Wid\u202eener\u2066"


def assert_is_escaped(result):
    """Fail if there is a control character but the line feeds after lines that the command prints."""
    output = result.stdout + result.stderr
    assert CONTROLS.findall(output) == []
    assert "\nb" + r"\u007f" not in output


def test_names_in_changes_history_and_differences_are_escaped(campus_load, save_features):
    name = f"map{HOSTILE}.geojson"
    campus_load("buildings", save_features(feature(1), name=name))

    load = campus_load("buildings", save_features(feature(1, name=BIDI), name=name))

    assert r"Wid\u202eener\u2066" in load.stdout
    as_json = campus_load("diff", "buildings", 2, "--json")
    for result in (load, campus_load("history"), campus_load("diff", "buildings", 2), as_json):
        assert result.exit_code == 0, result
        assert_is_escaped(result)
    assert json.loads(as_json.stdout)["changes"]["buildings"][0]["name"] == BIDI


def test_the_name_and_the_problems_of_a_file_are_escaped(campus_load, save, save_features, tmp_path):
    problems = tmp_path / "problems.txt"
    export = save_features(feature("x" + HOSTILE), feature("y"), name=f"map{HOSTILE}.geojson")

    for path in (save("[", HOSTILE), export):
        result = campus_load("buildings", path, "--problems", problems)

        assert_is_escaped(result)
        assert r"a\u001b]0;x\u0007\u000ab\u007f\u009b2J\u2028\u202ec" in result.stderr, path
    assert (CONTROLS.findall(problems.read_text()), len(problems.read_text().splitlines())) == ([], 2)


def test_a_proposed_profile_is_escaped_and_valid_toml(run, save, save_features):
    buildings = save_features(feature(1, **{f"f{HOSTILE}": f"v{BIDI}"}), name=f"map{HOSTILE}.geojson")
    menus = save(huds_line(hall=BIDI), "menus.csv")

    for path, format_ in [(buildings, "geojson"), (menus, "huds")]:
        result = run("profile", path, config=None)
        assert_is_escaped(result)
        assert tomllib.loads(result.stdout)["format"] == format_, path


def test_a_table_is_escaped_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")

    for part in (table("name", rows=[[HOSTILE], [["x", HOSTILE]]]), HOSTILE):
        write(part, bold=True)

    printed = re.sub("\x1b\\[[0-9]*m", "", capsys.readouterr().out)
    assert (CONTROLS.findall(printed), printed.count(r"a\u001b]0;x\u0007")) == ([], 3)
