import tomllib

import tomlkit

from loaders.inference.comments import add_comments, align_columns, comment_out


def test_a_comment_is_a_single_line_whatever_its_text():
    for text in ("two\nlines", "\r", "\x7f", "\ud800", "\u2028", ""):
        document = tomlkit.document()

        add_comments(document, [text])

        assert tomllib.loads(tomlkit.dumps(document)) == {}, text


def test_a_table_can_be_commented_out():
    table = tomlkit.table()
    table.add("a\nb", "c\u2028d")
    table.add("e", 1)

    assert comment_out(table) == ['"a\\nb" = "c\u2028d"', "e = 1"]


def test_columns_are_aligned_and_numbers_to_the_right():
    assert align_columns([("a", "100", "x"), ("bcd", "5", "")], numeric=(1,)) == ["a    100  x", "bcd    5"]
