"""Exports from standard input and other pipes, which can be read only once."""

import json
import os

import pytest

from tests.factories import feature, foodpro_row, huds_line

BUILDINGS = json.dumps({"type": "FeatureCollection", "features": [feature(1)]})
MENUS = json.dumps([foodpro_row()])


@pytest.fixture
def pipe():
    """Write text to a pipe and return the path of its read end."""
    ends = []

    def pipe(text):
        to_read, to_write = os.pipe()
        ends.append(to_read)
        os.write(to_write, text.encode())
        os.close(to_write)
        return f"/dev/fd/{to_read}"

    yield pipe
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("content", [BUILDINGS, MENUS, huds_line()])
def test_the_format_of_standard_input_is_detected_by_check(campus_load, content):
    result = campus_load("check", "-", input=content)

    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "verdict: can be published")


@pytest.mark.parametrize(("dataset", "content"), [("buildings", BUILDINGS), ("dining", MENUS), ("dining", huds_line())])
def test_the_format_of_standard_input_is_detected_by_loads(campus_load, dataset, content):
    result = campus_load(dataset, "-", input=content)

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, f"{dataset}: published as revision 1")


@pytest.mark.parametrize(("dataset", "content"), [("buildings", BUILDINGS), ("dining", MENUS)])
@pytest.mark.parametrize(
    "named",
    [
        True,
        False,
    ],
    ids=["with a profile", "without"],
)
def test_a_pipe_can_be_loaded(campus_load, pipe, dataset, content, named):
    profile = {"buildings": "geojson", "dining": "foodpro"}[dataset]

    result = campus_load(dataset, pipe(content), *["--profile", profile][: 2 * named])

    assert (result.exit_code, result.stdout.splitlines()[:1]) == (0, [f"{dataset}: published as revision 1"])


def test_the_format_of_a_pipe_is_detected(campus_load, pipe):
    result = campus_load("check", pipe(huds_line()))

    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "verdict: can be published")


def test_errors_name_a_pipe(campus_load, pipe):
    path = pipe("x")

    result = campus_load("dining", path)

    message = f"campus-load: {path}: is not in a known format: it begins with 'x'\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_standard_input_is_read_again_with_another_date_format(campus_load):
    result = campus_load("dining", "-", input=json.dumps([foodpro_row(Serve_Date="20/11/2026")]))

    assert (result.exit_code, "  standard input: dates DD/MM/YYYY\n" in result.stdout) == (0, True)


def test_a_report_has_what_was_detected_in_an_export(campus_load, save):
    rows = [foodpro_row(Serve_Date="20/11/2026", Recipe_Print_As_Name="Café")]
    text = ";".join(rows[0]) + "\n" + ";".join(rows[0].values()) + "\n"

    result = campus_load("dining", save(text.encode("cp1252"), "menus.csv"))

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-2] == "  menus.csv: delimiter ;, encoding cp1252, dates DD/MM/YYYY"
