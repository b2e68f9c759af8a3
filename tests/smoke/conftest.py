"""Fixtures that start processes."""

from tests.processes.fixtures import *  # noqa: F403
