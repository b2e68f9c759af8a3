"""What the phrases of a text stand for, after what it denies and what it says only that a dish may contain."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import takewhile

from campus_api.domain.allergens.spellings import Meaning, Phrase, Phrases, joined, with_implying, without_implied

# The character of each role in patterns: in upper case if it ends a phrase. That of a mark is the mark itself; (g) is a
# generic food, called after its words, such as "milk".
CODES = {"food": "f", "generic": "g", "other": "o", "ingredient": "i", "part": "p", "remark": "r", "nothing": "t"}
CODES |= {"without": "w", "free": "x", "vegan": "v", "vegetal": "u", "of": "m", "offer": "y", "doubt": "q"}
CODES |= {"and": "A", "or": "O", "nor": "N", "with": "W", "contains": "C", "hedge": "H"}
CODES |= {"none": "0", "allergen": "a", "letter": "l", "digit": "d", "number": "9", "codes": "c"}
OTHER = Meaning(role="other")
# Those of diets, before and after the noun: "vegan cheese", "fromage végétal".
_DIETS = ("vegan", "vegetal")
_DENIALS = ("without", "free", *_DIETS)
# What ends a phrase, and a sentence; (;) are all other marks, such as line breaks.
_ENDS = "AONWCH,/:;.()"
_SENTENCE_ENDS = ".)C"
# An offer, or what denies a denial: "no" in "sin gluten: no", "not" in "not made without".
_OFFER = re.compile(r"[yq]|w(?=[wvu])|(?<=[^fgoANOwxvuyqH,/)])w(?=[^fgoANOwxvuyqH/:(]|$)")
# Foods that a denial is surely about, and those that it may be about: "no bun, cheddar or egg", "sin gluten y queso".
_WITHOUT = re.compile(
    r"""
    [wN](?P<sure>(?>
        (?<=w)[:(][fgo,AON/]+                 # "free from: milk, egg"
        | (?:[fgo,]*N[fg])+                   # "sans lait, œufs ni gluten", "né latte né uova"
        | (?<=w)g(?:,g)*(?:,?Og)+             # "without dairy, eggs or nuts"
        | (?<=w)[fg](?:Ag|O[fg])*             # "ohne Milch und Ei", "no mayo or cheese"
    )(?!x))?                                  # not "not gluten free"
    (?P<doubtful>[fgo,]*(?:[AON/]o*[fg]?)+)?
    """,
    re.VERBOSE,
)
# The same of what precedes, read backwards: "milk and nut free", "milk, nut and soy free".
_FREE = re.compile(r"x(?P<sure>(?>[fg](?:(?:[AON]g)+(?!,g))?)(?!w))?(?P<doubtful>(?:[AON/][fg])+(?:,g)*)?")


def mark(token: str) -> Meaning:
    """Return the role of a punctuation mark, OTHER for a word."""
    return OTHER if token.isalnum() else Meaning(role=token if token in _ENDS else ";")


def phrases(tokens: Phrase, table: Phrases, other: Callable[[str], Meaning]) -> Iterator[tuple[int, Meaning]]:
    """Yield the position of each phrase with the meaning of the longest one, or of a token by `other`."""
    position = 0
    while position < len(tokens):
        longest = table.longest.get(tokens[position], 1)
        parts = [tokens[position:end] for end in range(position + longest, position, -1)]
        phrase = next((part for part in parts if part in table.meanings), parts[-1])
        yield position, table.meanings.get(phrase) or other(phrase[0])
        position += len(phrase)


def codes_of(meanings: Iterable[Meaning]) -> str:
    """Return the characters of the roles of meanings."""
    return "".join([CODES.get(each.role, each.role) for each in meanings])


def without_denied(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return meanings without what they deny.

    "No mayo" denies the mayo, and not the egg salad before it; "dairy free" and "vegan" deny the foods of their phrase.
    """
    remaining = list(meanings)
    codes = codes_of(meanings)
    for position, meaning in enumerate(meanings):
        if meaning.role in _DIETS:
            _deny_phrase(remaining, codes, [position], meaning, meaning.role)
            remaining[position] = Meaning(typical=meaning.typical)
        for each in _no_meat_dishes(meanings, codes, position):
            dish = remaining[each]
            remaining[each] = dish._replace(dietary=dish.dietary - {"meat dish"})
    for position, sure, doubtful in denials(meanings):
        for each in doubtful:
            food = remaining[each]
            remaining[each] = Meaning(typical=food.contained | food.typical, dietary=food.contained | food.dietary)
        for each in sure:
            food = meanings[each]
            # What has no lactose may have milk.
            remaining[each] = Meaning(typical=food.contained & food.typical)
            if food.role == "generic":
                _deny_phrase(remaining, codes, [position, *sure], food, meanings[position].role)
    return remaining


def denials(meanings: Sequence[Meaning]) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
    """Yield the position of each denial with those of what it is surely about, and may be about."""
    codes = codes_of(meanings)
    for pattern, step in ((_WITHOUT, 1), (_FREE, -1)):
        ordered = range(len(codes))[::step]
        for match in pattern.finditer(codes[::step]):
            sure, doubtful = (ordered[slice(*match.span(group))] for group in ("sure", "doubtful"))
            yield ordered[match.start()], sure, doubtful


def _deny_phrase(remaining: list[Meaning], codes: str, run: Sequence[int], denial: Meaning, role: str) -> None:
    """Deny the words of a denial in its phrase; where the grammar is not sure, what a food names becomes typical."""
    exact = without_implied(denial.contained)
    denied = with_implying(exact)
    # "Nut free" is no word for an almond cake; no food is called after gluten: "gluten free" is about the whole.
    is_clear = len(exact) == 1 or role in _DIETS
    sure, phrase = _phrase(codes, min(run), max(run), role)
    for position in phrase:
        food = remaining[position]
        certain = exact if is_clear and position in sure else exact & {"gluten"}
        doubtful = food.contained & denied - certain
        remaining[position] = food._replace(
            contained=food.contained - denied,
            typical=food.typical - denied | doubtful,
            dietary=food.dietary - denial.dietary | (frozenset() if role in _DIETS else doubtful),
        )


def _phrase(codes: str, first: int, last: int, role: str) -> tuple[list[int], list[int]]:
    """Return the positions that a denial is surely about, and those of its phrase.

    "Dairy free" and "vegan" are about what follows, or else about what precedes, as "without" and "vegetal" are.
    """
    before, after = _clause(codes, first, -1), _clause(codes, last, 1)
    if after and role == "free":
        return after, after
    if after and role == "vegan":
        return [] if any(codes[each] in "fg" for each in before) else after[:1], after
    mark = codes[first - 1] if first else "."
    if mark == "(" or (mark in ",/:;" and role in _DIETS):
        before = _clause(codes, first - 1, -1)
    phrase = [*before, *after] if role == "without" else before
    return [] if mark in ",/:;" else before[:1], phrase


def _no_meat_dishes(meanings: Sequence[Meaning], codes: str, position: int) -> list[int]:
    """Return the positions of what is not of meat: next to or of a plant, or before a diet: "Gulasch, Tofu"."""
    meaning = meanings[position]
    own = [position] if "plant" in meaning.dietary else []
    own += _clause(codes, position, -1)[:1] if meaning.role == "of" else []
    # "Vegan cheese" is a food itself, and denies no dish next to it.
    denies = "substitute" in meaning.dietary or (meaning.role in _DIETS and not meaning.typical)
    after = _clause(codes, position, 1) if own or denies else []
    positions = [*own, *after] if own else []
    if denies and not after:
        is_last = codes[position + 1 : position + 2] in ("", *_SENTENCE_ENDS)
        if is_last and codes[position - 1 : position] in (";", ",", "("):
            position -= 1
        positions += _clause(codes, position, -1, _ENDS.replace("W", ""))
    return positions


def _clause(codes: str, position: int, step: int, ends: str = _ENDS) -> list[int]:
    """Return the positions after or before another one, up to one of the roles that end a clause."""
    positions = range(position + step, len(codes) if step > 0 else -1, step)
    return [*takewhile(lambda each: codes[each] not in ends, positions)]


def hedged(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return meanings but for remarks, with the words of "may contain nuts" and "nuts (traces)" as hedged ones.

    A hedge is about the foods up to the end of the sentence, or else about the one before it in this sentence. An offer
    such as "without nuts on request" denies nothing.
    """
    meanings = [each for each in meanings if each.role != "remark"]
    codes = codes_of(meanings)
    remaining = [*meanings]
    for start, end in (sentence.span() for sentence in re.finditer(f"[^{_SENTENCE_ENDS}]+", codes)):
        if _OFFER.search(codes, start, end):
            remaining[start:end] = [OTHER if each.role in _DENIALS else each for each in meanings[start:end]]
    for position in [each for each, code in enumerate(codes) if code == "H"]:
        after = [each for each in _clause(codes, position, 1, _SENTENCE_ENDS) if codes[each] in "fg"]
        before = [each for each in _clause(codes, position, -1, ".") if codes[each] in "fg"]
        for each in after or before[:1]:
            food = meanings[each]
            remaining[each] = Meaning(hedged=food.contained | food.typical, role="remark")
    return remaining


def total(meanings: Iterable[Meaning]) -> Meaning:
    """Return what the phrases of a text stand for together."""
    contained, typical, hedged, dietary, *_ = reduce(joined, meanings, Meaning())
    return Meaning(contained, typical - contained, hedged - contained, dietary - {"plant", "substitute"})
