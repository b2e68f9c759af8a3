"""The search for buildings."""

from urllib.parse import quote

from conformance import expect
from conformance.target import BUILDINGS
from conformance.texts import fold, holding, part, spread

_SPECIAL = (".*", "^", "$", "(", "[a-z]", "\\", "|", "?", "+", "{1}", "$where", "*", '"', "'", "%", "\0")


def a_part_of_a_name_finds(campus):
    """A text finds the buildings that have it anywhere in their name, and no others."""
    for name in spread(_named(campus)):
        text = part(name)
        _finds(campus, ("name", text), name=[text])


def a_part_of_an_address_finds(campus):
    """A text finds the buildings that have it anywhere in their address, and no others."""
    for address in spread(_addresses(campus)):
        text = part(address)
        _finds(campus, ("address", text), address=[text])


def one_character_finds(campus):
    """A text of one character finds too."""
    for name in spread(_named(campus)):
        text = fold(name)[-1]
        _finds(campus, ("name", text), name=[text])


def a_whole_name_finds(campus):
    """A whole name finds, with its spaces and signs."""
    for name in spread(_named(campus)):
        _finds(campus, ("name", name), name=[name])


def letter_case_of_names_does_not_matter(campus):
    """Letter case does not matter in names."""
    for name in spread(_named(campus)):
        for text in (name.upper(), name.lower(), name.swapcase()):
            _finds(campus, ("name", text), name=[text])


def letter_case_of_addresses_does_not_matter(campus):
    """Letter case does not matter in addresses."""
    for address in spread(_addresses(campus)):
        for text in (address.upper(), address.lower(), address.swapcase()):
            _finds(campus, ("address", text), address=[text])


def a_text_without_accents_finds_a_name_with_them(campus):
    """A text without accents finds a name that has them: cafe finds Café."""
    accented = [name for name in _named(campus) if fold(name) != name.casefold()]
    expect.given(accented, "no building has accents in its name")
    for name in spread(accented):
        _finds(campus, ("name", fold(name)), name=[name])


def accents_of_a_text_do_not_matter(campus):
    """Accents in a text do not matter: café finds Cafeteria."""
    for name in spread(_named(campus)):
        # A combining acute accent after each letter.
        text = "".join(f"{char}\u0301" if char.isalpha() else char for char in part(name))
        _finds(campus, ("name", text), name=[part(name)])


def wide_letters_are_letters(campus):
    """The wide letters that some keyboards write are those letters."""
    names = [name for name in _named(campus) if part(name).isascii()]
    expect.given(names, "no building has a name of ASCII")
    text = part(names[0])
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    _finds(campus, ("name", wide), name=[text])


def name_and_address_must_both_match(campus):
    """With a name and an address, both must match."""
    buildings = [building for building in campus.some(BUILDINGS)[1] if building["name"] and building["address"]]
    expect.given(buildings, "no building has a name and an address")
    name = part(buildings[0]["name"])
    others = [building["address"] for building in buildings if building["address"] != buildings[0]["address"]]
    for address in (buildings[0]["address"], *others[:1]):
        _finds(campus, ("name", name), ("address", address), name=[name], address=[address])


def repeated_names_are_alternatives(campus):
    """Several names are alternatives."""
    names = spread(_named(campus))
    _finds(campus, *(("name", name) for name in names), name=names)


def repeated_addresses_are_alternatives(campus):
    """Several addresses are alternatives."""
    addresses = spread(sorted(set(_addresses(campus))))
    _finds(campus, *(("address", address) for address in addresses), address=addresses)


def an_empty_text_is_not_given(campus):
    """An empty text counts as not given."""
    name = part(_named(campus)[0])
    _finds(campus, ("name", ""), ("address", ""))
    _finds(campus, ("name", name), ("address", ""), name=[name])
    _finds(campus, ("name", name), ("name", ""), name=[name])


def a_text_is_never_a_regular_expression(campus):
    """Special characters are found as they are; a text is never a regular expression."""
    campus.some(BUILDINGS)
    for text in _SPECIAL:
        _finds(campus, ("name", text), name=[text])


def a_plus_is_a_space(campus):
    """A space is written as + or as %20."""
    spaced = [name for name in _named(campus) if name.isascii() and name.replace(" ", "").isalnum() and " " in name]
    expect.given(spaced, "no building has a plain name of two words")
    for space in ("+", "%20"):
        answer = campus.ask(f"{BUILDINGS}?name={spaced[0].replace(' ', space)}")
        expect.same(answer, _matching(campus, name=[spaced[0]]), f"buildings with {spaced[0]!r} in their name")


def a_url_may_be_as_it_is_typed(campus):
    """A name in UTF-8 finds the same as it is typed and percent-encoded."""
    # An accent on a letter, which a search does not mind, and letters that no name has.
    for text in (f"{part(_named(campus)[0])}\u0301", "\u6f22\u5b57"):
        typed = "".join(quote(char) if char.isascii() else char for char in text).encode("utf-8").decode("latin-1")
        expect.same_body(campus.ask(f"{BUILDINGS}?name={typed}"), campus.ask(BUILDINGS, ("name", text)))


def unknown_parameters_of_buildings_are_ignored(campus):
    """Parameters that nobody knows are ignored."""
    campus.some(BUILDINGS)
    _finds(campus, ("_", "1"), ("utm_source", "mail"), ("Name", "x"), ("name[$ne]", "x"), ("city", "x"))


def bytes_that_do_not_decode_match_nothing(campus):
    """A text of bytes that are not UTF-8 matches nothing, and is no error."""
    campus.some(BUILDINGS)
    expect.nothing(campus.ask(f"{BUILDINGS}?name=%FF"))
    expect.nothing(campus.ask(f"{BUILDINGS}?address=%C3"))


def what_cannot_match_is_one_alternative(campus):
    """A text that cannot match leaves other alternatives as they are."""
    name = part(_named(campus)[0])
    answer = campus.ask(BUILDINGS, ("name", b"\xff"), ("name", "x" * 257), ("name", name))
    expect.same(answer, _matching(campus, name=[name]), f"buildings with {name!r} in their name")


def a_text_of_257_characters_matches_nothing(campus):
    """A text of over 256 characters matches nothing, and is no error."""
    campus.some(BUILDINGS)
    for size in (257, 5000):
        expect.nothing(campus.ask(BUILDINGS, ("name", "e" * size)))


def a_text_that_nothing_has_finds_nothing(campus):
    """A text that no building has is a 200 with an empty list."""
    campus.some(BUILDINGS)
    expect.nothing(campus.ask(BUILDINGS, ("name", "no building is called like this")))


def a_name_that_is_not_there_has_no_text(campus):
    """Nothing is found in a name that is null."""
    nameless = [building for building in campus.some(BUILDINGS)[1] if building["name"] is None]
    expect.given(nameless, "every building has a name")
    for text in ("null", "None", "n"):
        _finds(campus, ("name", text), name=[text])


def a_thousand_texts_are_searched(campus):
    """1,000 texts in one request are all searched."""
    name = part(_named(campus)[0])
    texts = [*(f"{number:05}" for number in range(999)), name]
    _finds(campus, *(("name", text) for text in texts), name=texts)


def _finds(campus, *pairs, name=(), address=()):
    words = " and ".join(f"{texts!r} in {field}" for field, texts in (("name", name), ("address", address)) if texts)
    expect.same(campus.ask(BUILDINGS, *pairs), _matching(campus, name, address), f"buildings with {words or 'nothing'}")


def _matching(campus, name=(), address=()):
    _, buildings = campus.some(BUILDINGS)
    return [each for each in buildings if holding(each["name"], name) and holding(each["address"], address)]


def _named(campus):
    names = [building["name"] for building in campus.some(BUILDINGS)[1] if building["name"]]
    expect.given(names, "no building has a name")
    return names


def _addresses(campus):
    addresses = [building["address"] for building in campus.some(BUILDINGS)[1] if building["address"]]
    expect.given(addresses, "no building has an address")
    return addresses
