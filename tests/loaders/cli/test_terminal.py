"""Control characters of servers and files, which a terminal would execute."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile

import numpy as np
import pyogrio.raw
import pytest
import shapely
from click.testing import CliRunner

from loaders.cli.main import main
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


def test_a_file_name_is_escaped(campus_load, save):
    result = campus_load("buildings", save("[", HOSTILE))

    assert_is_escaped(result)
    assert r"a\u001b]0;x\u0007\u000ab\u007f\u009b2J\u2028\u202ec" in result.stderr


def test_a_reason_phrase_is_escaped(campus_load, web):
    web.responses["/a.csv"] = lambda request: request.send_response_only(500, "No\x1b[31m\x9b") or (500, {}, b"")

    result = campus_load("dining", web.url("/a.csv"))

    assert_is_escaped(result)
    assert r"HTTP 500 No\u001b[31m\u009b" in result.stderr


def test_names_of_layers_and_fields_are_escaped(campus_load, tmp_path):
    for layer in (f"x{BIDI}", f"y{BIDI}"):
        pyogrio.raw.write(
            tmp_path / "campus.gpkg",
            shapely.to_wkb(np.array([shapely.Point(-71.1, 42.3)])),
            [np.array(["7"], dtype=object)],
            [f"f{BIDI}"],
            crs="EPSG:4326",
            driver="GPKG",
            geometry_type="Point",
            layer=layer,
            append=layer.startswith("y"),
        )

    result = campus_load("buildings", tmp_path / "campus.gpkg")

    assert_is_escaped(result)
    assert r"xWid\u202eener\u2066" in result.stderr


def test_names_of_members_of_a_zip_are_escaped(campus_load, tmp_path):
    with zipfile.ZipFile(tmp_path / "campus.zip", "w") as file:
        file.writestr(f"{HOSTILE}.kml", "<kml></kml>")
        file.writestr("b.kml", "<kml></kml>")

    result = campus_load("buildings", tmp_path / "campus.zip")

    assert_is_escaped(result)
    assert r"a\u001b]0;x\u0007" in result.stderr


def test_names_in_changes_history_and_differences_are_escaped(campus_load, save_features):
    name = f"map{HOSTILE}.geojson"
    campus_load("buildings", save_features(feature(1), name=name))

    load = campus_load("buildings", save_features(feature(1, name=BIDI), name=name))

    assert r"Wid\u202eener\u2066" in load.stdout
    for result in (load, campus_load("history"), campus_load("diff", "buildings", 2)):
        assert result.exit_code == 0
        assert_is_escaped(result)


def test_json_is_escaped_and_means_the_same(campus_load, save_features):
    campus_load("buildings", save_features(feature(1)))
    campus_load("buildings", save_features(feature(1, name=BIDI)))

    result = campus_load("diff", "buildings", 2, "--json")

    assert_is_escaped(result)
    assert json.loads(result.stdout)["changes"]["buildings"][0]["name"] == BIDI


def test_the_problems_of_a_file_are_escaped(campus_load, save_features, tmp_path):
    problems = tmp_path / "problems.txt"
    export = save_features(feature("x" + HOSTILE), feature("y"), name=f"map{HOSTILE}.geojson")

    result = campus_load("buildings", export, "--problems", problems)

    assert_is_escaped(result)
    assert (CONTROLS.findall(problems.read_text()), len(problems.read_text().splitlines())) == ([], 2)


def test_a_proposed_profile_is_escaped_and_valid_toml(save_features):
    export = save_features(feature(1, **{f"f{HOSTILE}": f"v{BIDI}"}), name=f"map{HOSTILE}.geojson")

    result = CliRunner().invoke(main, ["profile", str(export)])

    assert_is_escaped(result)
    assert tomllib.loads(result.stdout)["format"] == "geojson"


def test_a_proposed_profile_of_menus_is_escaped_and_valid_toml(save):
    result = CliRunner().invoke(main, ["profile", str(save(huds_line(hall=BIDI), "menus.csv"))])

    assert_is_escaped(result)
    assert tomllib.loads(result.stdout)["format"] == "huds"


def test_a_table_is_escaped_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")

    write(table("name", rows=[[HOSTILE], [["x", HOSTILE]]]), HOSTILE, bold=True)

    printed = re.sub("\x1b\\[[0-9]*m", "", capsys.readouterr().out)
    assert (CONTROLS.findall(printed), printed.count(r"a\u001b]0;x\u0007")) == ([], 3)


def test_a_real_process_prints_no_escape_codes(tmp_path):
    path = tmp_path / HOSTILE
    path.write_text("[")
    command = [sys.executable, "-m", "loaders.cli.main", "profile", path]
    code = "import sys; from loaders.cli.main import main; main(sys.argv[1:])"

    result = subprocess.run([sys.executable, "-c", code, *command[3:]], capture_output=True, env=os.environ)

    assert (result.returncode, CONTROLS.findall(result.stderr.decode())) == (2, [])


@pytest.mark.parametrize("text", ["Café “Noir” — 日本", "tabs and \\u001b stay"])
def test_other_characters_are_printed_as_they_are(capsys, text):
    write(text)

    assert capsys.readouterr().out == f"{text}\n"
