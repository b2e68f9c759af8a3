"""The digest of a profile is equal for files that are read alike, and for no others."""

import os
import subprocess
import sys

import pytest

from loaders import profiles
from loaders.publishing.load import settings_digest

PROFILE = """\
format = "geojson"
[fields]
id = {{field = "@id", pattern = '{id_pattern}'}}
[filter]
building = ["yes", "dormitory", "university", "library", "chapel"]
amenity = {{pattern = '{pattern}'}}
"""
CODE = """\
import sys
from loaders import profiles
from loaders.publishing.load import settings_digest
print(settings_digest(profiles.load_building_profile(sys.argv[1])))
"""
LONG = "|".join(f"tag_{number}" for number in range(50))


@pytest.fixture
def save_profile(save):
    """Save a profile with these patterns and return its path."""

    def save_profile(pattern="^(?!no$).", id_pattern="([0-9]+)$"):
        return str(save(PROFILE.format(pattern=pattern, id_pattern=id_pattern), "custom.toml"))

    return save_profile


def digest_in_process(path, hash_seed):
    environ = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run([sys.executable, "-c", CODE, path], env=environ, capture_output=True, check=True).stdout


def test_a_profile_has_one_digest_in_all_processes(save_profile):
    path = save_profile()

    assert len({digest_in_process(path, hash_seed) for hash_seed in "123"}) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"pattern": f"{LONG}|yes"}, {"pattern": f"{LONG}|no"}),
        ({"id_pattern": f"({LONG})$"}, {"id_pattern": f"({LONG})"}),
    ],
    ids=["filter", "id"],
)
def test_profiles_that_differ_at_the_end_of_a_long_pattern_have_two_digests(save_profile, before, after):
    digests = {settings_digest(profiles.load_building_profile(save_profile(**each))) for each in (before, after)}

    assert len(digests) == 2
