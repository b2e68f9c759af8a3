"""The digest of a profile is that of all processes: otherwise each night downloads an unchanged URL again."""

import os
import subprocess
import sys

CODE = """\
import sys
from loaders import profiles
from loaders.publishing.load import settings_digest
print(settings_digest(profiles.load_building_profile(sys.argv[1])))
"""


def test_a_profile_has_one_digest_in_all_processes(tmp_path):
    path = tmp_path / "custom.toml"
    path.write_text('format = "geojson"\n[filter]\nbuilding = ["yes", "dormitory", "university", "library"]\n')

    digests = {
        subprocess.run(
            [sys.executable, "-c", CODE, path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "123"
    }

    assert len(digests) == 1
