"""The id of a building: an integer field, or what a pattern extracts from a field."""

import re

import pytest

from loaders.profiles.building_ids import parse_building_id
from tests.loaders.errors import invalid_value, reason_of

AT_ID = {"field": "@id", "pattern": "([0-9]+)$"}


@pytest.fixture
def load_id(building_profile):
    """Load the source of the id of a profile."""
    return lambda id_: building_profile(f"[fields]\nid = {id_}\n").id


def test_a_pattern_is_searched_in_the_text_of_the_first_value_that_is_not_empty():
    source = parse_building_id({**AT_ID, "field": ["@id", "full_id"]})
    for value, id_ in [(7, 7), (7.0, 7), (f" way/{2**63 - 1} ", 2**63 - 1), ("7\n", 7), (" ", 12)]:
        assert source.parse({"@id": value, "full_id": "w12"}) == id_, value


def test_a_value_without_an_id_is_an_error():
    for pattern, value, reason in [
        ("([0-9]+)$", None, "is missing: a building needs an integer id"),
        ("([0-9]+)$", ["way/7"], "is neither text nor a number"),
        ("([0-9]+)$", "Tower", "does not match the pattern '([0-9]+)$'"),
        ("(?:way/([0-9]+))?", "Tower", "does not match the pattern '(?:way/([0-9]+))?'"),
        ("way/(.+)", "way/x", "has the id 'x', which is not an integer of zero or more"),
        ("way/(.+)", "way/٣", "has the id '٣', which is not an integer of zero or more"),
        ("way/(.+)", f"way/{2**63}", f"has the id '{2**63}', which is an integer of over 64 bits"),
        ("^(x+x+)+y$", "x" * 257, "is longer than the 256 characters that a pattern is searched in"),
    ]:
        source = parse_building_id({**AT_ID, "pattern": pattern})

        assert invalid_value(source.parse, {"@id": value}) == ("@id", value, reason), value


def test_an_invalid_id_source_is_an_error(load_id, problem):
    neither = '{field = "@id", pattern = "([0-9]+)$"} nor {assign = "ref"}'
    for id_, message in [
        ('{pattern = "(.)"}', f" is neither {neither}"),
        ('{assign = "ref", pattern = "(.)"}', f" is neither {neither}"),
        ('{field = "@id", pattern = "[0-9]+"}', ".pattern '[0-9]+' has 0 groups instead of 1: (...)"),
        ('{field = "{a}/{b}", pattern = "(.)"}', " '{a}/{b}' is a template: the id must be a single field"),
        ("{assign = []}", ".assign has no field name"),
        ('{assign = "{a"}', ".assign '{a' has no field name or an unbalanced brace"),
        ('{assign = "ref", first = 1}', f" is neither {neither}"),
    ]:
        assert problem(load_id, id_) == f"fields.id{message}", id_


def test_a_pattern_must_be_a_regular_expression(load_id, problem):
    for pattern in ("(", "(?P<a", "x{99999999999999999999}(a)", "(" * 5000 + ")" * 5000, r"(\\d+)(?<=a*)"):
        message = problem(load_id, f"{{field = '@id', pattern = '{pattern}'}}")
        assert re.match("fields.id.pattern .* is not a regular expression: ", message), pattern[:9]


def test_integers_are_assigned_to_the_first_text_id_that_is_complete():
    source = parse_building_id({"assign": ["ref", "{campus}-{number}", "code"]})
    for attributes, text in [
        ({"ref": " TB  335 "}, "TB 335"),
        ({"ref": 586, "campus": "N"}, "586"),
        ({"ref": "", "campus": "N", "number": 7.0}, "N-7"),
        ({"number": 7, "code": "B"}, "B"),
    ]:
        assert source.text(attributes) == text, attributes


def test_a_building_without_a_short_text_id_is_an_error():
    source = parse_building_id({"assign": ["ref", "{campus}-{number}"]})
    for attributes in ({}, {"ref": " "}, {"campus": "N", "number": None}):
        error = ("ref or {campus}-{number}", None, "is missing: a building needs an id")
        assert invalid_value(source.text, attributes) == error, attributes
    assert reason_of(source.text, {"ref": "x" * 257}) == "is longer than 256 characters"
