"""Commands and output in documents, compared with the actual output."""

from tests.documents import agrees, programs, steps


def test_documented_output_agrees():
    for shown, printed in (
        ("", ""),
        ("one\ntwo\n", "one\ntwo"),
        ("one\n...\nfour\n", "one\ntwo\nthree\nfour\n"),
        ("one\n...\n", "one\n"),
        ("in ... ms (.*)\n", "in 0.3 ms (.*)\n"),
        ('{"id": 7,\n "name": null}\n', '{"name":null,"id":7}'),
    ):
        assert agrees(shown, printed), shown


def test_other_output_does_not_agree():
    for shown, printed in (
        ("", "one\n"),
        ("one\n", ""),
        ("one\n", "one\ntwo\n"),
        ("one\n...\nfour\n", "one\ntwo\n"),
        ("in ... ms (.*)\n", "in 0.3 ms (7)\n"),
        ('{"id": 7}\n', '{"id":8}'),
        ('{"id": 7}\n', "no JSON"),
    ):
        assert not agrees(shown, printed), (shown, printed)


def test_varying_output_has_the_same_keys_and_types():
    shown = '{"a": 1, "b": [{"c": "x"}]}'

    for printed in ('{"a": 2, "b": [{"c": "y"}]}', '{"b": [{"c": "y"}, {"c": "z"}], "a": 1}'):
        assert agrees(shown, printed, varies=True), printed
    for printed in (
        *('{"a": 1.5, "b": [{"c": "x"}]}', '{"a": null, "b": [{"c": "x"}]}'),
        *('{"b": [{"c": "x"}]}', '{"a": 1, "b": [{"d": 1}]}'),
    ):
        assert not agrees(shown, printed, varies=True), printed


def test_steps_are_the_commands_of_a_document_with_their_output(tmp_path):
    document = tmp_path / "some.md"
    document.write_text("```console\n$ one \\\n  more\nshown\n$ two\n```\n$ no\n```javascript\ndb.three()\n```\n")

    assert steps(document) == [("one \\\n  more", "shown\n"), ("two", ""), ("db.three()", "")]


def test_programs_are_the_blocks_that_begin_with_a_file_name(tmp_path):
    document = tmp_path / "some.md"
    document.write_text("```javascript\n// one.mjs\nrun();\n```\n```python\n# two.py\n```\n```python\n# Three.\n```\n")

    assert programs(document) == {"one.mjs": "// one.mjs\nrun();\n", "two.py": "# two.py\n"}
    assert steps(document) == []
