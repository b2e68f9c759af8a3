"""The digest of a profile is equal for files that are read alike, and for no others."""

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
LONG = "|".join(f"tag_{number}" for number in range(50))


@pytest.fixture
def save_profile(save):
    """Save a profile with these patterns and return its path."""

    def save_profile(pattern="^(?!no$).", id_pattern="([0-9]+)$"):
        return str(save(PROFILE.format(pattern=pattern, id_pattern=id_pattern), "custom.toml"))

    return save_profile


def digest(path):
    return settings_digest(profiles.load_building_profile(path))


def test_a_profile_has_one_digest_and_another_if_the_end_of_a_long_pattern_differs(save_profile):
    for before, after, are_equal in [
        ({}, {}, True),
        ({"pattern": f"{LONG}|yes"}, {"pattern": f"{LONG}|no"}, False),
        ({"id_pattern": f"({LONG})$"}, {"id_pattern": f"({LONG})"}, False),
    ]:
        assert (digest(save_profile(**before)) == digest(save_profile(**after))) is are_equal, before
