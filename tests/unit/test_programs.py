"""Tests of programs that are not installed are skipped, but fail in CI."""

import pytest

from tests.programs import require, skipped_for

MISSING = "no-such-program"


def test_an_installed_program_has_a_path():
    assert require("sh").endswith("/sh")


def test_without_a_program_a_test_is_skipped(monkeypatch):
    monkeypatch.delenv("CI", raising=False)

    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed"):
        require(MISSING)


def test_in_ci_a_missing_program_is_a_failure(monkeypatch):
    monkeypatch.setenv("CI", "true")

    with pytest.raises(pytest.fail.Exception, match="no-such-program is not installed"):
        require(MISSING)


class Report:
    def __init__(self, reason):
        self.longrepr = ("tests/test_x.py", 1, f"Skipped: {reason}")


def test_skipped_tests_are_counted_by_program():
    reports = map(Report, ["curl is not installed", "curl is not installed", "the system is not Linux"])

    assert skipped_for(reports) == {"curl": 2}
