import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.cli.main import main
from tests.factories import feature, huds_line

CAMPUS_LOAD = Path(sys.executable).with_name("campus-load")
COLLECTION = json.dumps({"type": "FeatureCollection", "features": [feature(7, NAME="Widener")]}).encode()


def run(path):
    return CliRunner().invoke(main, ["profile", str(path)])


def test_the_profile_goes_to_standard_output(save):
    result = run(save(COLLECTION, "map.geojson"))

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("# map.geojson: GeoJSON, 1 feature,")


@pytest.mark.parametrize("content", [COLLECTION, gzip.compress(COLLECTION), huds_line().encode()])
def test_an_export_may_come_from_standard_input(content):
    result = subprocess.run([CAMPUS_LOAD, "profile", "-"], input=content, capture_output=True, timeout=60, check=False)

    assert (result.returncode, result.stdout.partition(b":")[0]) == (0, b"# standard input")


def test_the_output_is_a_valid_profile(save):
    result = run(save(huds_line(hall="QUINCY"), "menu.csv"))

    profile = profiles.load_dining_profile(str(save(result.stdout, "custom.toml")))

    assert profile.locations == {"QUINCY": NamedEntity(1001, "Quincy")}


def test_an_unknown_format_exits_with_2(save):
    path = save("id;name;city\n")

    result = run(path)

    message = "it looks like CSV, but neither of a map nor of menus; its first line has 3 columns: 'id', 'name', 'city'"
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"campus-load: {path}: is not in a known format: {message}; buildings need ")


def test_a_missing_file_exits_with_2(tmp_path):
    result = run(tmp_path / "no.csv")

    assert (result.exit_code, "cannot be read: No such file" in result.stderr) == (2, True)
