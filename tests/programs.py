"""System programs that tests require."""

import os
import shutil

import pytest

_SYSTEM_PATH = "/usr/sbin:/usr/local/sbin"


def require(name):
    """Return the path of a program; without it, skip the test, or fail it if `CI` is set."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:{_SYSTEM_PATH}")
    if path:
        return path
    return _skip(f"{name} is not installed")


def require_root():
    """Skip the test if it is not run by root, or fail it if `CI` is set."""
    if os.geteuid() != 0:
        _skip("root is not the user")


def _skip(reason):
    if os.environ.get("CI"):
        pytest.fail(reason)
    return pytest.skip(reason)
