from loaders.errors import InvalidValue
from loaders.inference.field_stats import BoundedSet, ErrorSummary, FieldStats, infer_type
from loaders.result import SourceLocation


def stats_of(*values, **options):
    stats = FieldStats("FIELD", **options)
    for value in values:
        stats.add(value)
    return stats


def test_the_type_of_a_value_is_inferred():
    for type_, values in {
        None: [None, "", " \n"],
        "integers": [0, "03281", " 7 ", 7.0],
        "numbers": [-7, 7.5, "-7,5", 10**30],
        "booleans": [True],
        "lists or objects": [[1], {}],
        'the word "Null"': ["Null", "<NULL>"],
        "dates": ["2010-08-23", "08/23/2010 00:00"],
        "images": ["a b.JPG", "https://example.edu/photos/a.png?size=1"],
        "URLs": ["https://example.edu/page"],
        "addresses": ["7 Waterhouse Street", "12-14 Elm"],
        "text": ["940C", "Widener\nLibrary", "x" * 2_000_000],
    }.items():
        assert [infer_type(value) for value in values] == [type_] * len(values), type_


def test_the_values_of_a_field_are_summarized():
    long = "x" * 40
    for values, filled, distinct, examples, summary in [
        ([], 0, 0, [], "empty"),
        (["a", None, "", " "], 1, 1, ["a"], "text"),
        (["a", "b"], 2, 2, ["a", "b"], "text, all different"),
        (["a", "a"], 2, 1, ["a"], "text"),
        ([1, 2, "940C"], 3, 3, ["1", "2", "940C"], "integers (2), text (1)"),
        (["007", 7, 7.0, "8"], 4, 2, ["007", "7", "7.0"], "integers"),
        ([[1], {"a": 1}], 2, 0, ["…"], "lists or objects"),
        (["a\n b", long, "c", "d"], 4, 4, ["a b", f"{long[:32]}…", "c"], "text, all different"),
    ]:
        stats = stats_of(*values)

        assert (stats.filled, len(stats.distinct), stats.examples) == (filled, distinct, examples), values
        assert stats.type_summary == summary, values
    many = stats_of("a", "b", "c", distinct=BoundedSet(max_size=2))
    assert (many.type_summary, many.may_be_unique, many.is_unique) == ("text", True, False)


def test_mostly_is_at_least_half_of_the_values():
    for values, mostly in [([], False), (["a", 1], True), (["a", 1, 2], False)]:
        assert stats_of(*values).is_mostly("text") is mostly, values


def test_a_set_is_exact_up_to_its_limit():
    for texts, length, text, is_truncated in [("abca", 2, "over 2", True), ("aab", 2, "2", False)]:
        values = BoundedSet(max_size=2)

        for each in texts:
            values.add(each)

        assert (len(values), str(values), values.is_truncated) == (length, text, is_truncated), texts


def test_errors_are_counted_by_reason_with_their_first_location():
    errors = ErrorSummary("row")
    for line, field in [(3, "date"), (4, "meal"), (5, "meal")]:
        errors.add(SourceLocation(line), InvalidValue(field, None, "is missing"))

    assert errors.lines() == [
        "3 rows cannot be used:",
        "    line 4: meal is missing (2 times)",
        "    line 3: date is missing",
    ]
    for number in range(6):
        errors.add(SourceLocation(1), InvalidValue(f"field {number}", None, "is missing"))
    assert (errors.lines()[0], len(errors.lines())) == ("9 rows cannot be used:", 6)
