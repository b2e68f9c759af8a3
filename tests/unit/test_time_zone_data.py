import zoneinfo
from importlib import metadata

import pytest

from campus_api.time_zone_data import origin


@pytest.fixture
def folder(tmp_path):
    """The only folder in which Python looks for time zones."""
    zoneinfo.reset_tzpath([str(tmp_path)])
    yield tmp_path
    zoneinfo.reset_tzpath()


def test_without_data_of_the_system_the_package_is_used(folder):
    assert origin("Europe/Paris") == ("package tzdata", metadata.version("tzdata"))


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("tzdata.zi", "# version 2025b\n# This zic input", "2025b"),
        ("+VERSION", "2024a\n", "2024a"),
        ("tzdata.zi", "# redistribution\n", None),
        ("README", "2025b\n", None),
    ],
)
def test_the_data_of_the_system_has_the_version_that_it_names(folder, file, text, version):
    (folder / "Paris").write_bytes(b"TZif")
    (folder / file).write_text(text)

    assert origin("Paris") == (str(folder), version)
