"""The profiles and the crontab in docs/data.md."""

import re
import subprocess
import tomllib

from loaders import profiles
from loaders.profiles.thresholds import Thresholds, parse_thresholds
from tests.documents import ROOT, blocks
from tests.nightly.documents.setups import trial_database
from tests.processes.checkout import Checkout

BLOCKS = blocks(ROOT / "docs/data.md")


def of_language(language):
    return [block.text for block in BLOCKS if block.language == language]


def test_the_documented_limits_are_the_defaults():
    [shown] = [table["limits"] for table in map(tomllib.loads, of_language("toml")) if "limits" in table]

    del shown["area"]  # The default is no area.
    assert parse_thresholds(shown) == Thresholds()


def test_the_documented_profiles_of_menus_are_valid(tmp_path):
    def dining_profile(part):
        [shown] = [text for text in of_language("toml") if part in text and "rows" not in text]
        (tmp_path / "shown.toml").write_text(shown, encoding="utf-8")
        return profiles.load_dining_profile(str(tmp_path / "shown.toml"))

    assert {named.id for named in dining_profile('"07" =').locations.values()} == {7}
    assert dining_profile('format = "menu-table"').columns["dish"] == ("Gericht",)


def test_the_documented_profiles_of_buildings_are_valid(tmp_path):
    shown = [text for text in of_language("toml") if 'format = "geojson"' in text]
    [corrections] = [text for text in of_language("toml") if text.startswith("# corrections.toml")]
    (tmp_path / "corrections.toml").write_text(corrections, encoding="utf-8")
    paths = [tmp_path / f"{number}.toml" for number in range(len(shown))]
    for path, text in zip(paths, shown, strict=True):
        path.write_text(text, encoding="utf-8")

    assert [profiles.load_building_profile(str(path)).format for path in paths] == ["geojson"] * len(shown) != []


def test_the_documented_crontab_line_loads_menus(tmp_path):
    checkout = Checkout(tmp_path)
    [crontab] = of_language("cron")
    [line] = re.findall(r"^[\d*]+ [\d*]+ \* \* \* (.*)$", crontab, re.MULTILINE)
    with (ROOT / "loaders/samples/foodpro.csv").open("rb") as export:
        gzipped = subprocess.run(["gzip", "-c"], stdin=export, capture_output=True, check=True).stdout
    (checkout.folder / "menus.csv.gz").write_bytes(gzipped)
    # Without the allergens that the provider names, each load has a warning about those that it never lists.
    (checkout.folder / "menus.toml").write_text('format = "foodpro"\ntracked_allergens = ["milk"]\n')
    checkout.replacements["/srv/campus"] = str(checkout.folder)
    checkout.environment["CAMPUS_MONGO_URI"] = "embedded:var/trial"
    # The samples have menus until then.
    checkout.environment["CAMPUS_CLOCK_FROZEN_AT"] = "2024-01-09T12:00:00-05:00"

    with trial_database(checkout):
        assert checkout.run(line) == (0, "")
    assert '"state":"published","revision":1' in (checkout.folder / "loads.log").read_text()
