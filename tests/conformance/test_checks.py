"""Every check passes on the service, and fails on a service with a fault."""

from datetime import date, timedelta

import pytest

from conformance.checks import SECTIONS
from conformance.runner import CHECKS, FAILED, PASSED, SKIPPED, run
from conformance.target import Target
from loaders.samples import load_samples
from tests.conformance import broken_buildings, broken_clients, broken_menus, broken_queries
from tests.conformance.conftest import service

FAULTS = {
    **broken_buildings.ALL,
    **broken_clients.ALL,
    **broken_menus.ALL,
    **broken_queries.ALL,
}


@pytest.mark.parametrize("name", CHECKS)
def test_check_passes_on_the_service(name, make_target):
    [result] = run([CHECKS[name]], make_target())

    assert (result.outcome, result.details) == (PASSED, ())


@pytest.mark.parametrize("name", CHECKS)
def test_check_fails_on_a_service_with_a_fault(name, make_target):
    [result] = run([CHECKS[name]], make_target(FAULTS[name]))

    assert result.outcome == FAILED
    assert dict(result.details)["expected"] != "a response of the documented structure"


def test_check_names_are_unique():
    sections = {check.section for check in CHECKS.values()}
    functions = [name for section in SECTIONS for name in vars(section) if name in CHECKS]

    assert len(sections) == len(SECTIONS)
    assert len(functions) == len(CHECKS)


def test_descriptions_are_sentences():
    assert [check.name for check in CHECKS.values() if not check.description.endswith(".")] == []


def test_checks_without_data_are_skipped(empty_target):
    results = list(run(CHECKS.values(), empty_target))

    assert [result.check.name for result in results if result.outcome == FAILED] == []
    assert len([result for result in results if result.outcome == SKIPPED]) > 20


def test_menus_of_another_season_are_located():
    earlier = f"{date.today() - timedelta(days=150)}"
    with service(lambda database, today: load_samples(database, earlier)) as send:
        target = Target("http://localhost", send)
        [result] = run([CHECKS["meal_filters_by_meal"]], target)

    assert result.outcome == PASSED
    assert len(target.sample_dates) == 2


def test_checks_not_started_before_the_timeout_fail(make_target):
    results = list(run(CHECKS.values(), make_target(), timeout=0))

    assert {result.outcome for result in results} == {FAILED}


def test_requests_are_retried_after_429(samples):
    requests = []

    def send(target, headers):
        requests.append(target)
        return (429, {}, b"") if len(requests) == 1 else samples(target, headers)

    [result] = run([CHECKS["buildings_are_a_list"]], Target("http://localhost", send))

    assert (result.outcome, len(requests)) == (PASSED, 2)
