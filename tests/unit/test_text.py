import re
from string import punctuation

from hypothesis import given
from hypothesis import strategies as st

from campus_api.domain.text import MAX_QUERY_LENGTH, fold, natural_key, normalize, normalize_query, pattern

# The letters of western names; a dotless i has a capital that is another letter's.
WESTERN = st.text(st.characters(max_codepoint=0x17F, exclude_characters="ı"))


def test_case_accents_and_compatibility_differences_are_removed():
    for text, folded in (
        ("Wigglesworth A", "wigglesworth a"),
        ("Café", "cafe"),
        ("Cafe\N{COMBINING ACUTE ACCENT}", "cafe"),
        ("Straße", "strasse"),
        ("ＣＡＦＥ", "cafe"),
        ("ﬁne", "fine"),
        ("Λόγος", "λογοσ"),
        ("2²", "22"),
        ("\N{COMBINING ACUTE ACCENT}", ""),
        *((text, text) for text in ("", " ", "a b", "12-14 mt. auburn st.", "søren", "李")),
    ):
        assert fold(text) == folded, text


def test_names_are_sorted_by_letters_in_any_case_and_with_any_accents_and_by_their_numbers():
    names = ["Bow Hall", "Élan", "eliot", "Hall 2", "Hall 2b", "hall 10", "Hall 10A", "Zoe"]
    assert sorted(set(names), key=natural_key) == names


def test_a_long_text_is_normalized_in_chunks():
    # To reorder its combining marks would take quadratic time.
    for length, normalized in ((254, "a" * 254 + "é"), (255, "a" * 255 + "e\N{COMBINING ACUTE ACCENT}")):
        assert normalize("NFC", "a" * length + "e\N{COMBINING ACUTE ACCENT}") == normalized, length


@given(st.text(), WESTERN)
def test_folding_ignores_case_and_folding_twice_changes_nothing(text, western):
    assert fold(fold(text)) == fold(text.lower()) == fold(text)
    assert fold(western.upper()) == fold(western)


@given(st.text(min_size=1), st.integers(1, MAX_QUERY_LENGTH))
def test_the_whole_of_a_long_text_is_folded(text, length):
    assert fold(" " * length + text * MAX_QUERY_LENGTH) == " " * length + fold(text) * MAX_QUERY_LENGTH


@given(st.text(punctuation + "ab\0\n ", max_size=8), st.text(punctuation + "ab\0\n ", max_size=16))
def test_the_pattern_matches_like_a_substring_test(part, whole):
    assert bool(re.search(pattern(normalize_query(part)), fold(whole))) == (fold(part) in fold(whole))


def test_a_query_of_over_256_characters_or_not_in_utf_8_matches_nothing():
    assert normalize_query("a" * 256) == "a" * 256
    assert normalize_query("a" * 257) is normalize_query(b"caf\xe9".decode("utf-8", errors="surrogateescape")) is None
