"""Every check passes on our service, and fails on a server that is broken in its place."""

import pytest

from conformance.checks import SECTIONS
from conformance.runner import CHECKS, FAILED, PASSED, SKIPPED, run
from conformance.target import Campus
from loaders.samples import fill
from tests.conformance import broken_buildings, broken_http, broken_menus, broken_pages, broken_queries
from tests.conformance.conftest import served

BROKEN = {**broken_buildings.ALL, **broken_menus.ALL, **broken_queries.ALL, **broken_http.ALL, **broken_pages.ALL}


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_passes_on_our_service(name, campus):
    [result] = run([CHECKS[name]], campus())

    assert (result.result, result.detail) == (PASSED, ())


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_fails_on_a_server_that_is_broken_in_its_place(name, campus):
    [result] = run([CHECKS[name]], campus(BROKEN[name]))

    assert result.result == FAILED
    assert dict(result.detail)["expected"] != "an answer of the usual shape"


def test_no_two_checks_have_one_name():
    sections = {check.section for check in CHECKS.values()}
    functions = [name for section in SECTIONS for name in vars(section) if name in CHECKS]

    assert len(sections) == len(SECTIONS)
    assert len(functions) == len(CHECKS)


def test_every_sentence_is_one():
    assert [check.name for check in CHECKS.values() if not check.sentence.endswith(".")] == []


def test_without_data_what_needs_some_is_skipped_and_nothing_fails(empty_campus):
    results = list(run(CHECKS.values(), empty_campus))

    assert [result.check.name for result in results if result.result == FAILED] == []
    assert len([result for result in results if result.result == SKIPPED]) > 20


def test_menus_of_long_ago_are_found_by_the_index():
    with served(lambda database, today: fill(database, "2020-02-29")) as send:
        campus = Campus("http://localhost", send)
        [result] = run([CHECKS["meal_asks_for_a_meal"]], campus)

    assert result.result == PASSED
    assert campus.dates == [("date", "2020-03-04"), ("date", "2020-03-05")]


def test_what_has_not_begun_in_time_has_failed(campus):
    results = list(run(CHECKS.values(), campus(), seconds=0))

    assert {result.result for result in results} == {FAILED}


def test_who_is_told_to_ask_less_often_waits(samples):
    asked = []

    def send(method, target, headers):
        asked.append(target)
        return (429, {}, b"") if len(asked) == 1 else samples(method, target, headers)

    [result] = run([CHECKS["buildings_are_a_list"]], Campus("http://localhost", send))

    assert (result.result, len(asked)) == (PASSED, 2)
