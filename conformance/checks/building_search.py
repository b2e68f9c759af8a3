"""Building search."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote

from conformance import expect
from conformance.target import BUILDINGS, Parameter, Row, Target

_SPECIAL_CHARACTERS = (".*", "^", "$", "(", "[a-z]", "\\", "|", "?", "+", "{1}", "$where", "*", '"', "'", "%", "\0")
_MAX_TEXT_LENGTH = 256
_SAMPLE_SIZE = 3


def name_matches_substrings(target: Target) -> None:
    """`name` returns exactly the buildings whose name contains the text."""
    for name in _sample(_names(target)):
        text = _middle(name)
        _expect_matches(target, ("name", text), name=[text])


def address_matches_substrings(target: Target) -> None:
    """`address` returns exactly the buildings whose address contains the text."""
    for address in _sample(_addresses(target)):
        text = _middle(address)
        _expect_matches(target, ("address", text), address=[text])


def one_character_is_searchable(target: Target) -> None:
    """A single character is a valid search text."""
    for name in _sample(_names(target)):
        text = _normalize(name)[-1]
        _expect_matches(target, ("name", text), name=[text])


def whole_names_are_searchable(target: Target) -> None:
    """A whole name matches, including its spaces and punctuation."""
    for name in _sample(_names(target)):
        _expect_matches(target, ("name", name), name=[name])


def name_is_case_insensitive(target: Target) -> None:
    """`name` is case-insensitive."""
    for name in _sample(_names(target)):
        for text in (name.upper(), name.lower(), name.swapcase()):
            _expect_matches(target, ("name", text), name=[text])


def address_is_case_insensitive(target: Target) -> None:
    """`address` is case-insensitive."""
    for address in _sample(_addresses(target)):
        for text in (address.upper(), address.lower(), address.swapcase()):
            _expect_matches(target, ("address", text), address=[text])


def unaccented_text_matches_accented_names(target: Target) -> None:
    """Text without accents matches accented names: cafe matches Café."""
    accented = [name for name in _names(target) if _normalize(name) != name.casefold()]
    expect.require(accented, "no building has accents in its name")
    for name in _sample(accented):
        _expect_matches(target, ("name", _normalize(name)), name=[name])


def accents_in_the_text_are_ignored(target: Target) -> None:
    """Accents in the search text are ignored: café matches Cafeteria."""
    for name in _sample(_names(target)):
        # U+0301 is a combining acute accent.
        text = "".join(f"{char}\u0301" if char.isalpha() else char for char in _middle(name))
        _expect_matches(target, ("name", text), name=[_middle(name)])


def fullwidth_letters_match_ascii(target: Target) -> None:
    """Fullwidth letters match their ASCII equivalents."""
    names = [name for name in _names(target) if _middle(name).isascii()]
    expect.require(names, "no building has an ASCII name")
    text = _middle(names[0])
    fullwidth = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    _expect_matches(target, ("name", fullwidth), name=[text])


def name_and_address_combine_with_and(target: Target) -> None:
    """`name` and `address` combine with AND."""
    buildings = [
        building for building in target.non_empty_list(BUILDINGS)[1] if building["name"] and building["address"]
    ]
    expect.require(buildings, "no building has a name and an address")
    name = _middle(buildings[0]["name"])
    others = [building["address"] for building in buildings if building["address"] != buildings[0]["address"]]
    for address in (buildings[0]["address"], *others[:1]):
        _expect_matches(target, ("name", name), ("address", address), name=[name], address=[address])


def repeated_names_combine_with_or(target: Target) -> None:
    """Repeated names combine with OR."""
    names = _sample(_names(target))
    _expect_matches(target, *(("name", name) for name in names), name=names)


def repeated_addresses_combine_with_or(target: Target) -> None:
    """Repeated addresses combine with OR."""
    addresses = _sample(sorted(set(_addresses(target))))
    _expect_matches(target, *(("address", address) for address in addresses), address=addresses)


def empty_texts_are_ignored(target: Target) -> None:
    """An empty `name` or `address` is ignored."""
    name = _middle(_names(target)[0])
    _expect_matches(target, ("name", ""), ("address", ""))
    _expect_matches(target, ("name", name), ("address", ""), name=[name])
    _expect_matches(target, ("name", name), ("name", ""), name=[name])


def special_characters_match_literally(target: Target) -> None:
    """Special characters match literally; a text is never a regular expression."""
    target.non_empty_list(BUILDINGS)
    for text in _SPECIAL_CHARACTERS:
        _expect_matches(target, ("name", text), name=[text])


def plus_is_decoded_as_a_space(target: Target) -> None:
    """A space may be encoded as + or %20."""
    plain_names = [
        name for name in _names(target) if name.isascii() and name.replace(" ", "").isalnum() and " " in name
    ]
    expect.require(plain_names, "no building has a plain name of two words")
    for space in ("+", "%20"):
        response = target.request(f"{BUILDINGS}?name={plain_names[0].replace(' ', space)}")
        expect.items_equal(
            response, _matching(target, name=[plain_names[0]]), f"buildings with {plain_names[0]!r} in their name"
        )


def raw_utf_8_is_accepted(target: Target) -> None:
    """UTF-8 in a query may be raw or percent-encoded."""
    # A combining accent, which is ignored, and letters that are in no name.
    for text in (f"{_middle(_names(target)[0])}\u0301", "\u6f22\u5b57"):
        raw = "".join(quote(char) if char.isascii() else char for char in text).encode("utf-8").decode("latin-1")
        expect.same_body(target.request(f"{BUILDINGS}?name={raw}"), target.request(BUILDINGS, ("name", text)))


def unknown_building_parameters_are_ignored(target: Target) -> None:
    """Unknown parameters of the building search are ignored."""
    target.non_empty_list(BUILDINGS)
    _expect_matches(target, ("_", "1"), ("utm_source", "mail"), ("Name", "x"), ("name[$ne]", "x"), ("city", "x"))


def invalid_utf_8_matches_nothing(target: Target) -> None:
    """A text that is not valid UTF-8 matches nothing and is not an error."""
    target.non_empty_list(BUILDINGS)
    expect.empty_list(target.request(f"{BUILDINGS}?name=%FF"))
    expect.empty_list(target.request(f"{BUILDINGS}?address=%C3"))


def unmatchable_texts_do_not_affect_others(target: Target) -> None:
    """A text that cannot match does not affect other texts."""
    name = _middle(_names(target)[0])
    response = target.request(BUILDINGS, ("name", b"\xff"), ("name", "x" * 257), ("name", name))
    expect.items_equal(response, _matching(target, name=[name]), f"buildings with {name!r} in their name")


def texts_over_256_characters_match_nothing(target: Target) -> None:
    """A text longer than 256 characters matches nothing and is not an error."""
    target.non_empty_list(BUILDINGS)
    for size in (257, 5000):
        expect.empty_list(target.request(BUILDINGS, ("name", "e" * size)))


def no_match_is_an_empty_list(target: Target) -> None:
    """A text without matches is a 200 with an empty list."""
    target.non_empty_list(BUILDINGS)
    expect.empty_list(target.request(BUILDINGS, ("name", "no building has this name")))


def null_names_match_nothing(target: Target) -> None:
    """A null name never matches."""
    nameless = [building for building in target.non_empty_list(BUILDINGS)[1] if building["name"] is None]
    expect.require(nameless, "every building has a name")
    for text in ("null", "None", "n"):
        _expect_matches(target, ("name", text), name=[text])


def a_thousand_texts_are_accepted(target: Target) -> None:
    """A request may contain 1,000 texts."""
    name = _middle(_names(target)[0])
    texts = [*(f"{number:05}" for number in range(999)), name]
    _expect_matches(target, *(("name", text) for text in texts), name=texts)


def _expect_matches(
    target: Target, *parameters: Parameter, name: Sequence[str] = (), address: Sequence[str] = ()
) -> None:
    response = target.request(BUILDINGS, *parameters)
    expect.items_equal(response, _matching(target, name, address), f"buildings with name {name}, address {address}")


def _matching(target: Target, name: Sequence[str] = (), address: Sequence[str] = ()) -> list[Row]:
    _, buildings = target.non_empty_list(BUILDINGS)
    return [
        building
        for building in buildings
        if _contains_any(building["name"], name) and _contains_any(building["address"], address)
    ]


def _names(target: Target) -> list[str]:
    names = [building["name"] for building in target.non_empty_list(BUILDINGS)[1] if building["name"]]
    expect.require(names, "no building has a name")
    return names


def _addresses(target: Target) -> list[str]:
    addresses = [building["address"] for building in target.non_empty_list(BUILDINGS)[1] if building["address"]]
    expect.require(addresses, "no building has an address")
    return addresses


@lru_cache(maxsize=100_000)
def _normalize(text: str) -> str:
    """Casefold a text and drop accents and compatibility forms (NFKD)."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M")).casefold()


def _contains_any(text: str | None, parts: Sequence[str]) -> bool:
    """Tell whether a text contains any of `parts`; without parts, everything matches."""
    if not parts:
        return True
    return text is not None and any(_normalize(part) in _normalize(text) for part in parts)


def _middle(text: str) -> str:
    """Return a text without its first and last character: a substring that few other texts contain."""
    return text[1:-1][:_MAX_TEXT_LENGTH].strip() or text


def _sample(texts: Sequence[str]) -> list[str]:
    """Return three texts, evenly spaced, that are short enough for a search."""
    searchable = [text for text in texts if len(text) <= _MAX_TEXT_LENGTH // 2]
    if not searchable:
        return []
    return [searchable[len(searchable) * index // _SAMPLE_SIZE] for index in range(_SAMPLE_SIZE)]
