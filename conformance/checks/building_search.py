"""Building search."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache

from conformance import expect
from conformance.target import BUILDINGS, Target

_SPECIAL_CHARACTERS = (".*", "^", "$", "(", "[a-z]", "\\", "|", "?", "+", "{1}", "$where", "*", '"', "'", "%", "_")
_MAX_TEXT_LENGTH = 128
_SAMPLE_SIZE = 3


def name_matches_substrings(target: Target) -> None:
    """`name` returns exactly the buildings whose name contains the text."""
    for name in _sample(target, "name"):
        _expect_matches(target, "name", _middle(name))


def address_matches_substrings(target: Target) -> None:
    """`address` returns exactly the buildings whose address contains the text."""
    for address in _sample(target, "address"):
        _expect_matches(target, "address", _middle(address))


def name_matches_in_lower_case(target: Target) -> None:
    """A name matches in lower case: wigglesworth matches Wigglesworth."""
    for name in _sample(target, "name"):
        _expect_matches(target, "name", name.lower(), fold=str.lower)


def one_character_is_searchable(target: Target) -> None:
    """A single character is a valid search text."""
    for name in _sample(target, "name"):
        _expect_matches(target, "name", name[-1])


def whole_texts_are_searchable(target: Target) -> None:
    """A whole name or address matches, including its spaces and punctuation."""
    for field in ("name", "address"):
        for text in _sample(target, field):
            _expect_matches(target, field, text)


def special_characters_match_literally(target: Target) -> None:
    """Special characters match literally; a text is never a pattern."""
    for text in _SPECIAL_CHARACTERS:
        _expect_matches(target, "name", text)


def no_match_is_an_empty_list(target: Target) -> None:
    """A text without matches is a 200 with an empty list."""
    target.non_empty_list(BUILDINGS)
    expect.empty_list(target.request(BUILDINGS, ("name", "no building has this name")))


def null_names_match_nothing(target: Target) -> None:
    """A null name never matches."""
    nameless = [building for building in target.non_empty_list(BUILDINGS)[1] if building["name"] is None]
    expect.require(nameless, "every building has a name")
    for text in ("null", "None", "n"):
        _expect_matches(target, "name", text)


def _expect_matches(target: Target, field: str, text: str, fold: Callable[[str], str] = str) -> None:
    """Expect the buildings that contain a text; whether case and accents matter beyond `fold` is up to the server."""
    response = target.request(BUILDINGS, (field, text))
    matches = {building["id"] for building in expect.items(response)}
    for building in target.non_empty_list(BUILDINGS)[1]:
        value = building[field] or ""
        is_match = building["id"] in matches
        if text in fold(value):
            expect.check(is_match, response, f"building {building['id']}, whose {field} is {value!r}", sorted(matches))
        elif _normalize(text) not in _normalize(value):
            expect.check(not is_match, response, f"no building whose {field} does not contain {text!r}", building)


def _sample(target: Target, field: str) -> list[str]:
    """Return three texts of a field, evenly spaced, that are short enough for a search."""
    values = [building[field] or "" for building in target.non_empty_list(BUILDINGS)[1]]
    texts = [value for value in values if 0 < len(value) <= _MAX_TEXT_LENGTH]
    expect.require(texts, f"no building has a short {field}")
    return [texts[len(texts) * index // _SAMPLE_SIZE] for index in range(_SAMPLE_SIZE)]


def _middle(text: str) -> str:
    """Return a text without its first and last character: a substring that few other texts contain."""
    return text[1:-1].strip() or text


@lru_cache(maxsize=100_000)
def _normalize(text: str) -> str:
    """Casefold a text and drop accents and compatibility forms (NFKD)."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M")).casefold()
