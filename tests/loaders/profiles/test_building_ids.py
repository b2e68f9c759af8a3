"""The id of a building: an integer field, or what a pattern extracts from a field."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.profiles.building_ids import AssignedIdSource, parse_id_source
from tests.loaders.errors import invalid_value, reason_of

AT_ID = {"field": "@id", "pattern": "([0-9]+)$"}


@pytest.fixture
def load_id(building_profile):
    """Load the source of the id of a profile."""
    return lambda id_: building_profile(f"[fields]\nid = {id_}\n").id


def invalid(source, **attributes):
    """Return the message of the error that these attributes cause."""
    return "{} {!r} {}".format(*invalid_value(source.parse, attributes))


def test_a_profile_extracts_the_id_by_a_pattern(load_id):
    source = load_id(r'{field = "@id", pattern = "(\\d+)$"}')

    assert source.parse({"@id": "relation/2927469", "id": 7}) == 2927469


@given(st.integers(0, 2**63 - 1), st.sampled_from(["way/", "relation/", "B-"]))
def test_the_group_of_the_pattern_is_the_id(number, prefix):
    assert parse_id_source(AT_ID).parse({"@id": f"{prefix}{number}"}) == number


def test_a_pattern_is_searched_in_the_text_of_the_value():
    for value, id_ in [(7, 7), (7.0, 7), (" way/7 ", 7), ("7\n", 7)]:
        assert parse_id_source(AT_ID).parse({"@id": value}) == id_, value


def test_the_first_field_that_is_not_empty_is_used():
    source = parse_id_source({**AT_ID, "field": ["@id", "full_id"]})

    assert source.parse({"@id": " ", "full_id": "w12"}) == 12


def test_a_value_that_does_not_match_is_shown_with_the_pattern():
    for pattern in ("([0-9]+)$", "(?:way/([0-9]+))?"):
        source = parse_id_source({**AT_ID, "pattern": pattern})

        assert invalid(source, **{"@id": "Tower"}) == f"@id 'Tower' does not match the pattern {pattern!r}", pattern


def test_what_a_pattern_extracts_must_be_an_id():
    for value, digits, reason in [
        ("way/x", "x", "is not an integer of zero or more"),
        ("way/٣", "٣", "is not an integer of zero or more"),
        (f"way/{2**63}", str(2**63), "is an integer of over 64 bits"),
    ]:
        source = parse_id_source({**AT_ID, "pattern": "way/(.+)"})

        assert invalid(source, **{"@id": value}) == f"@id {value!r} has the id {digits!r}, which {reason}", value


def test_a_pattern_is_not_searched_in_a_long_value():
    source = parse_id_source({**AT_ID, "pattern": "^(x+x+)+y$"})

    assert invalid(source, **{"@id": "x" * 257}).endswith(
        "is longer than the 256 characters that a pattern is searched in"
    )


def test_a_missing_id_is_an_error():
    assert invalid(parse_id_source(AT_ID)) == "@id None is missing: a building needs an integer id"


def test_a_value_that_is_not_text_is_an_error():
    assert invalid(parse_id_source(AT_ID), **{"@id": ["way/7"]}) == "@id ['way/7'] is neither text nor a number"


def test_an_invalid_id_source_is_an_error(load_id, problem):
    neither = '{field = "@id", pattern = "([0-9]+)$"} nor {assign = "ref"}'
    for id_, message in [
        ('{field = "@id"}', f" is neither {neither}"),
        ('{pattern = "(.)"}', f" is neither {neither}"),
        ('{assign = "ref", pattern = "(.)"}', f" is neither {neither}"),
        ('{field = "@id", pattern = "[0-9]+"}', ".pattern '[0-9]+' has 0 groups instead of 1: (...)"),
        ('{field = "@id", pattern = "(a)(b)"}', ".pattern '(a)(b)' has 2 groups instead of 1: (...)"),
        ('{field = "@id", pattern = 7}', ".pattern is not text"),
        ('{field = 7, pattern = "(.)"}', ".field is not text"),
        ('{field = "{a}/{b}", pattern = "(.)"}', ".field '{a}/{b}' is a template: the id must be a single field"),
        ("{assign = 7}", ".assign is not text"),
        ("{assign = []}", ".assign has no field name"),
        ('{assign = "{a"}', ".assign '{a' has no field name or an unbalanced brace"),
        ('{assign = "ref", first = 0}', ".first 0 is not an integer from 1 to 1000000000000000"),
        ('{assign = "ref", first = true}', ".first True is not an integer from 1 to 1000000000000000"),
        ('{assign = "ref", first = 1e3}', ".first 1000.0 is not an integer from 1 to 1000000000000000"),
    ]:
        assert problem(load_id, id_) == f"fields.id{message}", id_


def test_a_pattern_must_be_a_regular_expression(load_id, problem):
    for pattern in ("(", "(?P<a", "x{99999999999999999999}(a)", "(" * 5000 + ")" * 5000, r"(\\d+)(?<=a*)"):
        message = problem(load_id, f"{{field = '@id', pattern = '{pattern}'}}")
        assert re.match("fields.id.pattern .* is not a regular expression: ", message), pattern[:9]


def test_integers_are_assigned_to_the_first_text_id_that_is_complete():
    source = parse_id_source({"assign": ["ref", "{campus}-{number}", "code"]})
    for attributes, text in [
        ({"ref": " TB  335 "}, "TB 335"),
        ({"ref": 586, "campus": "N"}, "586"),
        ({"ref": "", "campus": "N", "number": 7.0}, "N-7"),
        ({"number": 7, "code": "B"}, "B"),
    ]:
        assert source.text(attributes) == text, attributes


def test_a_building_without_a_text_id_is_an_error():
    source = parse_id_source({"assign": ["ref", "{campus}-{number}"]})
    for attributes in ({}, {"ref": " "}, {"campus": "N", "number": None}):
        error = ("ref or {campus}-{number}", None, "is missing: a building needs an id")
        assert invalid_value(source.text, attributes) == error, attributes


def test_a_text_id_has_up_to_256_characters():
    source = parse_id_source({"assign": "ref"})

    assert reason_of(source.text, {"ref": "x" * 257}) == "is longer than 256 characters"


def test_an_assigned_id_may_have_a_first_integer(load_id):
    assert load_id('{assign = "ref", first = 1000}') == AssignedIdSource(("ref",), 1000)
