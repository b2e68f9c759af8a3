import tomllib

import pytest

from loaders.inference.toml_text import aligned, comment, is_writable, quoted


@pytest.mark.parametrize(
    "text",
    ["", "Café", 'a "quoted" \\ name', "two\nlines\tand\r\f\b", "\x00\x1f\x7f\x9f", "\u200b\u2028\ufeff", "😀"],
)
def test_a_quoted_text_is_read_back_as_it_is(text):
    assert tomllib.loads(f"{quoted(text)} = {quoted(text)}") == {text: text}


@pytest.mark.parametrize(("text", "writable"), [("😀 é", True), ("\ud83d", False), ("a\udfff", False)])
def test_half_a_character_cannot_be_written(text, writable):
    assert is_writable(text) is writable


@pytest.mark.parametrize("text", ["two\nlines", "\r", "\x7f", "\ud800", "\u2028"])
def test_a_comment_stays_one_comment_whatever_is_in_it(text):
    assert tomllib.loads(comment(text)) == {}


def test_a_comment_that_says_nothing_has_no_space_at_its_end():
    assert comment("") == "#"


def test_columns_stand_under_each_other_and_numbers_on_the_right():
    assert aligned([("a", "100", "x"), ("bcd", "5", "")], numbers=(1,)) == ["a    100  x", "bcd    5"]
