"""Commands and output in documents, compared with the actual output."""

import pytest

from tests.documents import agrees, programs, steps


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
def test_documented_output_agrees(shown, printed):
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
def test_other_output_does_not_agree(shown, printed):
    assert not agrees(shown, printed)


@pytest.mark.parametrize("printed", ['{"a": 2, "b": [{"c": "y"}]}', '{"b": [{"c": "y"}, {"c": "z"}], "a": 1}'])
def test_values_of_varying_output_are_ignored(printed):
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
def test_keys_and_types_of_varying_output_must_agree(printed):
    assert not agrees('{"a": 1, "b": [{"c": "x"}]}', printed, varies=True)


def test_steps_are_the_commands_of_a_document_with_their_output(tmp_path):
    document = tmp_path / "some.md"
    document.write_text("```console\n$ one \\\n  more\nshown\n$ two\n```\n$ no\n```javascript\ndb.three()\n```\n")

    assert steps(document) == [("one \\\n  more", "shown\n"), ("two", ""), ("db.three()", "")]


def test_programs_are_the_blocks_that_begin_with_a_file_name(tmp_path):
    document = tmp_path / "some.md"
    document.write_text("```javascript\n// one.mjs\nrun();\n```\n```python\n# two.py\n```\n```python\n# Three.\n```\n")

    assert programs(document) == {"one.mjs": "// one.mjs\nrun();\n", "two.py": "# two.py\n"}
    assert steps(document) == []
