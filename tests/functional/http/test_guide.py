"""The guide for programs, /llms.txt, without a database."""

import re

import pytest

from campus_api.catalog import DATA


@pytest.fixture
def text(without_database):
    return without_database.app.get("/llms.txt").text


def section(text, title):
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def links(text):
    return re.findall(r"\]\((.+?)\)", text)


def test_the_guide_begins_with_a_summary_and_says_that_unknown_allergens_are_not_none(text):
    assert re.match(r"# .+\n\n> .+", text)
    assert re.findall("&[a-z#0-9]+;", text) == []
    assert "If `contains` is `null`, the allergens are unknown" in section(text, "What absence means")


def test_the_guide_has_every_data_endpoint_with_its_parameters(text):
    lines = section(text, "Data").strip().splitlines()

    assert [re.match(r"- \[(.+?)\]", line)[1] for line in lines] == list(DATA)
    for line, endpoint in zip(lines, DATA.values(), strict=True):
        assert [each for each in (*endpoint.parameters, *endpoint.item_paths) if each not in line] == [], line


def test_every_link_of_the_guide_resolves(service, text):
    assert len(links(text)) > len(DATA)
    assert {service.app.get(link).status_int for link in links(text)} == {200}


def test_the_time_zone_is_that_of_the_campus(start):
    assert "today in Europe/Berlin" in start(**{"clock.time_zone": "Europe/Berlin"}).app.get("/llms.txt").text
