"""What counts as the output that a document shows."""

import pytest

from tests.documents import agrees, steps


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("", ""),
        ("one\ntwo\n", "one\ntwo"),
        ("one\n...\nfour\n", "one\ntwo\nthree\nfour\n"),
        ("one\n...\n", "one\n"),
        ("in ... ms (.*)\n", "in 0.3 ms (.*)\n"),
        ('{"id": 7,\n "name": null}\n', '{"name":null,"id":7}'),
    ],
)
def test_what_is_shown_agrees(shown, printed):
    assert agrees(shown, printed)


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("", "one\n"),
        ("one\n", ""),
        ("one\n", "one\ntwo\n"),
        ("one\n...\nfour\n", "one\ntwo\n"),
        ("in ... ms (.*)\n", "in 0.3 ms (7)\n"),
        ('{"id": 7}\n', '{"id":8}'),
        ('{"id": 7}\n', "no JSON"),
    ],
)
def test_what_is_something_else_does_not_agree(shown, printed):
    assert not agrees(shown, printed)


@pytest.mark.parametrize("printed", ['{"a": 2, "b": [{"c": "y"}]}', '{"b": [{"c": "y"}, {"c": "z"}], "a": 1}'])
def test_of_what_varies_only_the_shape_counts(printed):
    assert agrees('{"a": 1, "b": [{"c": "x"}]}', printed, varies=True)


@pytest.mark.parametrize(
    "printed",
    [
        '{"a": 1.5, "b": [{"c": "x"}]}',
        '{"a": null, "b": [{"c": "x"}]}',
        '{"b": [{"c": "x"}]}',
        '{"a": 1, "b": [{"d": 1}]}',
    ],
)
def test_keys_and_types_may_not_vary(printed):
    assert not agrees('{"a": 1, "b": [{"c": "x"}]}', printed, varies=True)


def test_commands_come_in_the_order_of_a_document_with_what_they_show(tmp_path):
    document = tmp_path / "some.md"
    document.write_text("```console\n$ one \\\n  more\nshown\n$ two\n```\n$ no\n```javascript\ndb.three()\n```\n")

    assert steps(document) == [("one \\\n  more", "shown\n"), ("two", ""), ("db.three()", "")]
