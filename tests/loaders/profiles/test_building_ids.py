"""The id of a building: an integer field, or what a pattern extracts from a field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders import profiles
from loaders.errors import InvalidValue
from loaders.profiles import ProfileError
from loaders.profiles.building_ids import AssignedIdSource, parse_id_source

AT_ID = {"field": "@id", "pattern": "([0-9]+)$"}


def save_id(save, id_):
    return str(save(f'format = "geojson"\n[fields]\nid = {id_}\n', "custom.toml"))


def invalid(source, **attributes):
    """Return the message of the error that these attributes cause."""
    with pytest.raises(InvalidValue) as error:
        source.parse(attributes)
    return f"{error.value.field} {error.value.value!r} {error.value.reason}"


def test_a_profile_extracts_the_id_by_a_pattern(save):
    path = save_id(save, r'{field = "@id", pattern = "(\\d+)$"}')

    profile = profiles.load_building_profile(path)

    assert profile.id.parse({"@id": "relation/2927469", "id": 7}) == 2927469


@given(st.integers(0, 2**63 - 1), st.sampled_from(["way/", "relation/", "B-"]))
def test_the_group_of_the_pattern_is_the_id(number, prefix):
    assert parse_id_source(AT_ID).parse({"@id": f"{prefix}{number}"}) == number


@pytest.mark.parametrize(("value", "id_"), [(7, 7), (7.0, 7), (" way/7 ", 7), ("7\n", 7)])
def test_a_pattern_is_searched_in_the_text_of_the_value(value, id_):
    assert parse_id_source(AT_ID).parse({"@id": value}) == id_


def test_the_first_field_that_is_not_empty_is_used():
    source = parse_id_source({**AT_ID, "field": ["@id", "full_id"]})

    assert source.parse({"@id": " ", "full_id": "w12"}) == 12


@pytest.mark.parametrize("pattern", ["([0-9]+)$", "(?:way/([0-9]+))?"], ids=["no match", "no group"])
def test_a_value_that_does_not_match_is_shown_with_the_pattern(pattern):
    source = parse_id_source({**AT_ID, "pattern": pattern})

    assert invalid(source, **{"@id": "Tower"}) == f"@id 'Tower' does not match the pattern {pattern!r}"


@pytest.mark.parametrize(
    ("value", "digits", "reason"),
    [
        ("way/x", "x", "is not an integer of zero or more"),
        ("way/٣", "٣", "is not an integer of zero or more"),
        (f"way/{2**63}", str(2**63), "is an integer of over 64 bits"),
    ],
)
def test_what_a_pattern_extracts_must_be_an_id(value, digits, reason):
    source = parse_id_source({**AT_ID, "pattern": "way/(.+)"})

    assert invalid(source, **{"@id": value}) == f"@id {value!r} has the id {digits!r}, which {reason}"


def test_a_pattern_is_not_searched_in_a_long_value():
    source = parse_id_source({**AT_ID, "pattern": "^(x+x+)+y$"})

    assert invalid(source, **{"@id": "x" * 257}).endswith(
        "is longer than the 256 characters that a pattern is searched in"
    )


def test_a_missing_id_is_an_error():
    assert invalid(parse_id_source(AT_ID)) == "@id None is missing: a building needs an integer id"


def test_a_value_that_is_not_text_is_an_error():
    assert invalid(parse_id_source(AT_ID), **{"@id": ["way/7"]}) == "@id ['way/7'] is neither text nor a number"


@pytest.mark.parametrize(
    ("id_", "message"),
    [
        ('{field = "@id"}', 'fields.id is neither {field = "@id", pattern = "([0-9]+)$"} nor {assign = "ref"}'),
        ('{pattern = "(.)"}', 'fields.id is neither {field = "@id", pattern = "([0-9]+)$"} nor {assign = "ref"}'),
        ('{field = "@id", pattern = "[0-9]+"}', "fields.id.pattern '[0-9]+' has 0 groups instead of 1: (...)"),
        ('{field = "@id", pattern = "(a)(b)"}', "fields.id.pattern '(a)(b)' has 2 groups instead of 1: (...)"),
        ('{field = "@id", pattern = 7}', "fields.id.pattern is not text"),
        ('{field = 7, pattern = "(.)"}', "fields.id.field is not text"),
        ("{assign = 7}", "fields.id.assign is not text"),
        ("{assign = []}", "fields.id.assign has no field name"),
        ('{assign = "{a"}', "fields.id.assign '{a' has no field name or an unbalanced brace"),
        ('{assign = "ref", first = 0}', "fields.id.first 0 is not an integer from 1 to 1000000000000000"),
        ('{assign = "ref", first = true}', "fields.id.first True is not an integer from 1 to 1000000000000000"),
        ('{assign = "ref", first = 1e3}', "fields.id.first 1000.0 is not an integer from 1 to 1000000000000000"),
        (
            '{assign = "ref", pattern = "(.)"}',
            'fields.id is neither {field = "@id", pattern = "([0-9]+)$"} nor {assign = "ref"}',
        ),
        (
            '{field = "{a}/{b}", pattern = "(.)"}',
            "fields.id.field '{a}/{b}' is a template: the id must be a single field",
        ),
    ],
)
def test_an_invalid_id_source_is_an_error(save, id_, message):
    path = save_id(save, id_)

    with pytest.raises(ProfileError) as error:
        profiles.load_building_profile(path)

    assert str(error.value) == f"profile {path}: {message}"


@pytest.mark.parametrize(
    "pattern", ["(", "(?P<a", "x{99999999999999999999}(a)", "(" * 5000 + ")" * 5000, r"(\\d+)(?<=a*)"]
)
def test_a_pattern_must_be_a_regular_expression(save, pattern):
    path = save_id(save, f"{{field = '@id', pattern = '{pattern}'}}")

    with pytest.raises(ProfileError, match="fields.id.pattern .* is not a regular expression: "):
        profiles.load_building_profile(path)


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ({"ref": " TB  335 "}, "TB 335"),
        ({"ref": 586, "campus": "N"}, "586"),
        ({"ref": "", "campus": "N", "number": 7.0}, "N-7"),
        ({"number": 7, "code": "B"}, "B"),
    ],
)
def test_integers_are_assigned_to_the_first_text_id_that_is_complete(attributes, text):
    source = parse_id_source({"assign": ["ref", "{campus}-{number}", "code"]})

    assert source.text(attributes) == text


@pytest.mark.parametrize("attributes", [{}, {"ref": " "}, {"campus": "N", "number": None}])
def test_a_building_without_a_text_id_is_an_error(attributes):
    source = parse_id_source({"assign": ["ref", "{campus}-{number}"]})

    with pytest.raises(InvalidValue) as error:
        source.text(attributes)

    assert (error.value.field, error.value.reason) == ("ref or {campus}-{number}", "is missing: a building needs an id")


def test_a_text_id_has_up_to_256_characters():
    source = parse_id_source({"assign": "ref"})

    with pytest.raises(InvalidValue, match="is longer than 256 characters"):
        source.text({"ref": "x" * 257})


def test_an_assigned_id_may_have_a_first_integer(save):
    profile = profiles.load_building_profile(save_id(save, '{assign = "ref", first = 1000}'))

    assert profile.id == AssignedIdSource(("ref",), 1000)
