"""The lock files pin the requirements of setup.py."""

import re
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.documents import ROOT

LOCKS = {
    "requirements.lock": {"granian", "mcp"},
    "requirements-run.lock": {"embedded"},
    "requirements-dev.lock": {"embedded", "granian", "testing"},
}


def required(extras):
    """Return the requirements of setup.py on this machine, including those of extras."""
    requirements = map(Requirement, metadata.requires("campus-api"))
    environments = [{"extra": extra} for extra in ("", *extras)]
    return [each for each in requirements if not each.marker or any(map(each.marker.evaluate, environments))]


def pinned(lock):
    """Return the requirements of a lock."""
    entries = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [entry for entry in entries if entry and not entry.lstrip().startswith("#")]


def versions(lock):
    """Return the versions of each package of a lock, which may differ between Python's versions and platforms."""
    pins = {}
    for entry in pinned(lock):
        requirement = Requirement(entry.partition("--hash")[0])
        [specifier] = requirement.specifier
        pins.setdefault(canonicalize_name(requirement.name), set()).add(specifier.version)
    return pins


def test_a_lock_pins_all_requirements_to_versions_that_they_allow():
    for lock, extras in LOCKS.items():
        locked = versions(lock)
        for requirement in required(extras):
            pins = locked.get(canonicalize_name(requirement.name))
            assert pins, f"{requirement} is not in {lock}"
            assert all(pin in requirement.specifier for pin in pins), f"{requirement}, but {lock} has {pins}"


def test_the_licence_of_every_package_is_documented():
    section = (ROOT / "docs/operations.md").read_text(encoding="utf-8").partition("## Dependencies and licences")[2]
    documented = set(re.findall(r"[\w-]+", section))

    assert set(versions("requirements.lock")) - documented == set()
