import pytest

from loaders.errors import InvalidValue
from loaders.inference import field_stats
from loaders.inference.field_stats import Counts, Distinct, Tallies, Tally, Unusable, counted, kind_of
from loaders.readers.result import SourceLocation


def tally(*values):
    found = Tally("FIELD")
    for value in values:
        found.add(value)
    return found


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, None),
        ("", None),
        (" \n", None),
        (0, "integers"),
        ("03281", "integers"),
        (" 7 ", "integers"),
        (7.0, "integers"),
        (-7, "numbers"),
        (7.5, "numbers"),
        ("-7,5", "numbers"),
        (10**30, "numbers"),
        (True, "true or false"),
        ([1], "lists or objects"),
        ({}, "lists or objects"),
        ("Null", 'the word "Null"'),
        ("<NULL>", 'the word "Null"'),
        ("2010-08-23", "dates"),
        ("08/23/2010 00:00", "dates"),
        ("a b.JPG", "images"),
        ("https://example.edu/photos/a.png?size=1", "images"),
        ("https://example.edu/page", "URLs"),
        ("7 Waterhouse Street", "addresses"),
        ("12-14 Elm", "addresses"),
        ("940C", "text"),
        ("Widener\nLibrary", "text"),
        ("x" * 2_000_000, "text"),
    ],
)
def test_the_kind_of_a_value_is_seen(value, kind):
    assert kind_of(value) == kind


def test_absent_values_are_not_given():
    assert tally("a", None, "", " ").given == 1


def test_integers_are_the_same_however_they_are_written():
    assert len(tally("007", 7, 7.0, "8").distinct) == 2


def test_nested_values_are_given_and_not_compared():
    found = tally([1], {"a": 1})

    assert (found.given, len(found.distinct), found.examples) == (2, 0, ["…"])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "nothing"),
        (["a"], "text"),
        (["a", "b"], "text, all different"),
        (["a", "a"], "text"),
        ([1, 2, "940C"], "integers (2), text (1)"),
    ],
)
def test_a_tally_says_what_its_values_look_like(values, said):
    assert tally(*values).looks_like == said


def test_examples_are_three_different_values_as_they_are_written_and_short():
    found = tally("03281", "03281", "a\n b", "x" * 40, "d")

    assert found.examples == ["03281", "a b", "x" * 32 + "…"]


@pytest.mark.parametrize(("values", "mostly"), [([], False), (["a", 1], True), (["a", 1, 2], False)])
def test_mostly_is_at_least_half_of_what_is_given(values, mostly):
    assert tally(*values).mostly("text") is mostly


def test_different_values_are_counted_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(field_stats, "_MOST_VALUES", 2)
    distinct = Distinct()

    for value in ("a", "b", "c", "d"):
        distinct.add(value)

    assert (str(distinct), len(distinct), distinct.is_over) == ("over 2", 2, True)


def test_values_that_were_not_all_counted_are_not_said_to_be_all_different(monkeypatch):
    monkeypatch.setattr(field_stats, "_MOST_VALUES", 2)

    found = tally("a", "b", "c")

    assert (found.looks_like, found.is_all_different) == ("text", True)


def test_fields_are_counted_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(field_stats, "_MOST_FIELDS", 2)
    found = Tallies()

    found.add({"a": 1, "b": 2, "c": 3})
    found.add({"b": 2})

    assert ({name: field.given for name, field in found.items()}, found.is_over) == ({"a": 1, "b": 2}, True)


def test_keys_are_counted_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(field_stats, "_MOST_KEYS", 1)
    counts = Counts()

    for key in "aab":
        counts.add(key)

    assert (dict(counts), counts.is_over) == ({"a": 2}, True)


def test_no_unusable_records_are_no_lines():
    assert Unusable("row").lines() == []


def test_unusable_records_are_told_by_reason_with_the_first_place():
    unusable = Unusable("row")
    for line, field in [(3, "date"), (4, "meal"), (5, "meal")]:
        unusable.add(SourceLocation(line), InvalidValue(field, None, "is missing"))

    assert unusable.lines() == [
        "3 rows cannot be used:",
        "    line 4: meal is missing (2 times)",
        "    line 3: date is missing",
    ]


def test_reasons_that_are_too_many_are_still_counted(monkeypatch):
    monkeypatch.setattr(field_stats, "_MOST_KEYS", 1)
    unusable = Unusable("row")
    for field in ("date", "meal"):
        unusable.add(SourceLocation(1), InvalidValue(field, None, "is missing"))

    assert unusable.lines() == ["2 rows cannot be used:", "    line 1: date is missing"]


@pytest.mark.parametrize(("number", "said"), [(1, "1 category"), (0, "0 categories"), (1234, "1,234 categories")])
def test_a_number_has_its_noun(number, said):
    assert counted(number, "category", "categories") == said
