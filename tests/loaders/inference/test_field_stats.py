from loaders.inference.field_stats import FieldStats, infer_type


def stats_of(*values):
    stats = FieldStats("FIELD")
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


def test_mostly_is_at_least_half_of_the_values():
    for values, mostly in [([], False), (["a", 1], True), (["a", 1, 2], False)]:
        assert stats_of(*values).is_mostly("text") is mostly, values
