"""Every check passes on a server that follows the specification, and fails on one that breaks its rule."""

from datetime import date, timedelta

import pytest

from conformance.checks import SECTIONS
from conformance.runner import CHECKS, FAILED, PASSED, SKIPPED, run
from conformance.target import Target
from tests.conformance import minimal_server
from tests.conformance.broken_rules import BROKEN_RULES, broken_server
from tests.conformance.wsgi_transport import wsgi_transport


def target(app=minimal_server.app):
    return Target("http://localhost", wsgi_transport(app))


@pytest.mark.parametrize("name", CHECKS)
def test_check_passes_on_a_server_of_the_specification(name):
    [result] = run([CHECKS[name]], target())

    assert (result.outcome, result.details) == (PASSED, ())


@pytest.mark.parametrize(("name", "old", "new"), BROKEN_RULES)
def test_check_notices_a_broken_rule(name, old, new):
    [result] = run([CHECKS[name]], target(broken_server(old, new)))

    assert result.outcome == FAILED
    assert dict(result.details)["expected"] != "a response of the documented structure"


def test_every_rule_is_broken():
    assert {name for name, _, _ in BROKEN_RULES} == CHECKS.keys()


def test_check_names_are_unique():
    sections = {check.section for check in CHECKS.values()}
    functions = [name for section in SECTIONS for name in vars(section) if name in CHECKS]

    assert len(sections) == len(SECTIONS)
    assert len(functions) == len(CHECKS)


def test_descriptions_are_sentences():
    assert [check.name for check in CHECKS.values() if not check.description.endswith(".")] == []


def test_checks_without_data_are_skipped(monkeypatch):
    monkeypatch.setattr(minimal_server, "LISTS", dict.fromkeys(minimal_server.LISTS, []))
    monkeypatch.setattr(minimal_server, "SERVED_DAILY", [])

    results = list(run(CHECKS.values(), target()))

    assert [result.check.name for result in results if result.outcome == FAILED] == []
    assert len([result for result in results if result.outcome == SKIPPED]) > 20


def test_menus_of_another_season_are_located(monkeypatch):
    opened = date.today() + timedelta(days=150)
    monkeypatch.setattr(minimal_server, "OPENED", f"{opened}")
    later = target()

    [result] = run([CHECKS["meal_filters_by_meal"]], later)

    assert result.outcome == PASSED
    assert len(later.sample_dates) == 2


def counting(requests, *first_responses):
    """Return a transport that lists its requests, with some responses before those of the server."""
    pending = list(first_responses)
    respond = wsgi_transport(minimal_server.app)

    def send(path, headers):
        requests.append(path)
        return pending.pop() if pending else respond(path, headers)

    return send


def test_menus_are_located_only_once(monkeypatch):
    monkeypatch.setattr(minimal_server, "SERVED_DAILY", [])
    requests = []

    list(run(CHECKS.values(), Target("http://localhost", counting(requests))))

    assert len([path for path in requests if path.count("date=") == 7]) == 401 // 7


def test_checks_not_started_before_the_timeout_fail():
    results = list(run(CHECKS.values(), target(), timeout=0))

    assert {result.outcome for result in results} == {FAILED}


def test_requests_are_retried_after_429():
    requests = []
    send = counting(requests, (429, {}, b""))

    [result] = run([CHECKS["buildings_are_a_list"]], Target("http://localhost", send))

    assert (result.outcome, len(requests)) == (PASSED, 2)
