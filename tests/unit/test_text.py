import re
from string import punctuation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_api.domain.text import (
    MAX_QUERY_LENGTH,
    decode_frequencies,
    encode_frequencies,
    fold,
    normalize_query,
    pattern,
    trigrams,
)

# The letters of western names; a dotless i has a capital that is another letter's.
WESTERN = st.text(st.characters(max_codepoint=0x17F, exclude_characters="ı"))


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Wigglesworth A", "wigglesworth a"),
        ("Café", "cafe"),
        ("Cafe\N{COMBINING ACUTE ACCENT}", "cafe"),
        ("Straße", "strasse"),
        ("ＣＡＦＥ", "cafe"),
        ("ﬁne", "fine"),
        ("Λόγος", "λογοσ"),
        ("2²", "22"),
        ("\N{COMBINING ACUTE ACCENT}", ""),
    ],
)
def test_case_accents_and_compatibility_differences_go(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize("text", ["", " ", "a b", "12-14 mt. auburn st.", "søren", "李"])
def test_everything_else_stays(text):
    assert fold(text) == text


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_a_text_folds_as_in_small_letters(text):
    assert fold(text.lower()) == fold(text)


@given(WESTERN)
def test_a_text_folds_as_in_capitals(text):
    assert fold(text.upper()) == fold(text)


@given(st.text(max_size=MAX_QUERY_LENGTH), st.data())
def test_the_pattern_of_every_part_is_found_in_the_whole(whole, data):
    start, end = sorted([data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, len(whole)))])

    found = re.search(pattern(normalize_query(whole[start:end])), fold(whole))

    assert found


@given(st.text(punctuation + "ab\0\n ", max_size=8), st.text(punctuation + "ab\0\n ", max_size=16))
def test_the_pattern_finds_what_a_plain_search_finds(part, whole):
    assert bool(re.search(pattern(normalize_query(part)), fold(whole))) == (fold(part) in fold(whole))


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("wigglesworth", "Wigglesworth A"),
        ("WORTH a", "Wigglesworth A"),
        ("cafe", "The Café"),
        ("Café", "THE CAFE"),
        ("STRASSE", "Hauptstraße"),
        ("(old)", "Library (Old)"),
        ("a\0b", "a\0b"),
    ],
)
def test_a_part_is_found_whatever_its_case_and_accents(part, whole):
    assert re.search(pattern(normalize_query(part)), fold(whole))


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("wigglesworth b", "Wigglesworth A"),
        (".*", "Widener Library"),
        ("^w", "Widener Library"),
        ("y$", "Widener Library"),
        ("a|b", "ab"),
        ("[a-z]", "Widener Library"),
        ("(", "Widener Library"),
        ("\\w", "Widener Library"),
        ("a  b", "a b"),
        ("oslo", "Øslo"),
    ],
)
def test_what_only_resembles_a_part_is_not_found(part, whole):
    assert not re.search(pattern(normalize_query(part)), fold(whole))


def test_a_pattern_holds_no_nul_for_mongodb_takes_none():
    assert "\0" not in pattern("a\0b")


def test_a_text_of_256_characters_has_a_pattern():
    assert normalize_query("a" * 256) == "a" * 256


def test_a_text_of_257_characters_matches_nothing():
    assert normalize_query("a" * 257) is None


def test_a_text_of_bytes_that_were_not_utf_8_matches_nothing():
    assert normalize_query(b"caf\xe9".decode("utf-8", errors="surrogateescape")) is None


def test_trigrams_are_every_three_characters_in_a_row_of_a_field():
    assert trigrams("address", "a bab bab") == {"aa b", "a ba", "abab", "aab ", "ab b"}


@pytest.mark.parametrize("text", ["", "a", "ab"])
def test_a_text_of_fewer_than_three_characters_has_no_trigrams(text):
    assert trigrams("name", text) == set()


@given(whole=st.text(max_size=20), data=st.data())
def test_the_trigrams_of_every_part_are_those_of_the_whole(whole, data):
    start, end = sorted([data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, len(whole)))])

    assert trigrams("name", normalize_query(whole[start:end])) <= trigrams("name", fold(whole))


def test_numbers_of_trigrams_come_back_rounded_down_and_few_are_none():
    numbers = {"n\0\n ": 64, "nabc": 127, "n😀😀😀": 128, "aabc": 1_000_000, "nfew": 63}

    decoded = decode_frequencies(encode_frequencies(numbers))

    assert decoded == {"n\0\n ": 64, "nabc": 64, "n😀😀😀": 128, "aabc": 524_288}


def test_no_common_trigrams_are_none():
    assert (encode_frequencies({"nabc": 1}), decode_frequencies([])) == ([], {})
