"""What the phrases of a text stand for, after what it denies and what it says only that a dish may contain."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, takewhile

from campus_api.domain.allergens.spellings import Meaning, Phrase, Phrases, joined, with_implying, without_implied

OTHER = Meaning(role="other")
_MARKS = {".": "end", "(": "open", ")": "close", ",": "comma", "/": "slash", ":": "colon"}
_BREAKS = ("break", "comma", "slash", "colon")
MARKS = (*_BREAKS, "end", "open", "close")
JOINTS = {"and": "&", "or": "v", "nor": "n"}
_ENDS = (*MARKS, *JOINTS, "with", "contains", "hedge")
_SENTENCE_ENDS = ("end", "close", "contains")
# Those of diets, before and after the noun: "vegan cheese", "fromage végétal".
_DIETS = ("vegan", "vegetal")
# The characters of roles in the patterns of denials; (g) is a generic food, called after its words, such as "milk".
_CODES = {role: token for token, role in _MARKS.items()} | JOINTS | dict.fromkeys(_DIETS, "d")
_CODES |= {"without": "w", "free": "x", "food": "f", "other": "o", "hedge": "h", "offer": "q", "doubt": "q"}
# An offer, or what denies a denial: "no" in "sin gluten: no", "not" in "not made without".
_OFFER = re.compile(r"q|w(?=[wd])|(?<=[.:(])w(?=[.,)]|$)")
# Foods that a denial is surely about, and those that it may be about: "no bun, cheddar or egg", "sin gluten y queso".
_WITHOUT = re.compile(
    r"""
    [wn](?P<sure>(?>
        (?<=w)[:(][fgo,&vn/]+                 # "free from: milk, egg"
        | (?:[fgo,]*n[fg])+                   # "sans lait, œufs ni gluten", "né latte né uova"
        | (?<=w)g(?:,g)*(?:,?vg)+             # "without dairy, eggs or nuts"
        | (?<=w)[fg](?:&g|v[fg])*             # "ohne Milch und Ei", "no mayo or cheese"
    )(?!x))?                                  # not "not gluten free"
    (?P<doubtful>[fgo,]*(?:[&vn/]o*[fg]?)+)?
    """,
    re.VERBOSE,
)
# The same of what precedes, read backwards: "milk and nut free", "milk, nut and soy free".
_FREE = re.compile(r"x(?P<sure>(?>[fg](?:(?:[&vn]g)+(?!,g))?)(?!w))?(?P<doubtful>(?:[&vn/][fg])+(?:,g)*)?")


def mark(token: str) -> Meaning:
    """Return the role of a punctuation mark, OTHER for a word."""
    return OTHER if token.isalnum() else Meaning(role=_MARKS.get(token, "break"))


def phrases(tokens: Phrase, table: Phrases, other: Callable[[str], Meaning]) -> Iterator[tuple[int, Meaning]]:
    """Yield the position of each phrase with the meaning of the longest one, or of a token by `other`."""
    position = 0
    while position < len(tokens):
        longest = table.longest.get(tokens[position], 1)
        parts = [tokens[position:end] for end in range(position + longest, position, -1)]
        phrase = next((part for part in parts if part in table.meanings), parts[-1])
        yield position, table.meanings.get(phrase) or other(phrase[0])
        position += len(phrase)


def without_denied(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return meanings without what they deny.

    "No mayo" denies the mayo, and not the egg salad before it; "dairy free" and "vegan" deny the foods of their phrase.
    """
    remaining = list(meanings)
    for position, meaning in enumerate(meanings):
        if meaning.role in _DIETS:
            _deny_phrase(remaining, meanings, [position], meaning)
            remaining[position] = Meaning(typical=meaning.typical, role="denied")
        for each in _no_meat_dishes(meanings, position):
            remaining[each] = remaining[each]._replace(dietary=remaining[each].dietary - {"meat dish"})
    for position, sure, doubtful in denials(meanings):
        for each in doubtful:
            food = remaining[each]
            remaining[each] = Meaning(typical=food.contained | food.typical, dietary=food.contained | food.dietary)
        for each in sure:
            # What has no lactose may have milk.
            remaining[each] = Meaning(typical=meanings[each].contained & meanings[each].typical, role="denied")
        for denial in (meanings[each] for each in sure if meanings[each].is_generic):
            _deny_phrase(remaining, meanings, [position, *sure], denial._replace(role=meanings[position].role))
    return remaining


def denials(meanings: Sequence[Meaning]) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
    """Yield the position of each denial with those of what it is surely about, and may be about."""
    codes = "".join(["g" if each.is_generic else _CODES.get(each.role, ".") for each in meanings])
    for pattern, step in ((_WITHOUT, 1), (_FREE, -1)):
        ordered = range(len(meanings))[::step]
        for match in pattern.finditer(codes[::step]):
            sure, doubtful = (ordered[slice(*match.span(group))] for group in ("sure", "doubtful"))
            yield ordered[match.start()], sure, doubtful


def _deny_phrase(remaining: list[Meaning], meanings: Sequence[Meaning], run: Sequence[int], denial: Meaning) -> None:
    """Deny the words of a denial in its phrase; where the grammar is not sure, what a food names becomes typical."""
    exact = without_implied(denial.contained)
    denied = with_implying(exact)
    # "Nut free" is no word for an almond cake; no food is called after gluten: "gluten free" is about the whole.
    is_clear = len(exact) == 1 or denial.role in _DIETS
    sure, phrase = _phrase(meanings, min(run), max(run), denial.role)
    for position in phrase:
        food = remaining[position]
        certain = exact if is_clear and position in sure else exact & {"gluten"}
        doubtful = food.contained & denied - certain
        remaining[position] = food._replace(
            contained=food.contained - denied,
            typical=food.typical - denied | doubtful,
            dietary=food.dietary - denial.dietary | (frozenset() if denial.role in _DIETS else doubtful),
        )


def _phrase(meanings: Sequence[Meaning], first: int, last: int, role: str) -> tuple[list[int], list[int]]:
    """Return the positions that a denial is surely about, and those of its phrase.

    "Dairy free" and "vegan" are about what follows, or else about what precedes, as "without" and "vegetal" are.
    """
    before, after = _clause(meanings, first, -1), _clause(meanings, last, 1)
    if after and role == "free":
        return after, after
    if after and role == "vegan":
        return [] if any(meanings[each].role == "food" for each in before) else after[:1], after
    mark = meanings[first - 1].role if first else ""
    if mark == "open" or (mark in _BREAKS and role in _DIETS):
        before = _clause(meanings, first - 1, -1)
    phrase = [*before, *after] if role == "without" else before
    return [] if mark in _BREAKS else before[:1], phrase


def _no_meat_dishes(meanings: Sequence[Meaning], position: int) -> list[int]:
    """Return the positions of what is not of meat: next to or of a plant, or before a diet: "Gulasch, Tofu"."""
    meaning = meanings[position]
    own = [position] if "plant" in meaning.dietary else []
    own += _clause(meanings, position, -1)[:1] if meaning.role == "of" else []
    # "Vegan cheese" is a food itself, and denies no dish next to it.
    denies = "substitute" in meaning.dietary or (meaning.role in _DIETS and not meaning.typical)
    after = _clause(meanings, position, 1) if own or denies else []
    if after or not denies:
        return own + after if own else []
    is_last = not _clause(meanings, position, 1, _SENTENCE_ENDS)
    if is_last and position and meanings[position - 1].role in ("break", "comma", "open"):
        position -= 1
    return own + _clause(meanings, position, -1, {*_ENDS} - {"with"})


def _clause(meanings: Sequence[Meaning], position: int, step: int, ends: Collection[str] = _ENDS) -> list[int]:
    """Return the positions after or before another one, up to one of the roles that end a clause."""
    positions = range(position + step, len(meanings) if step > 0 else -1, step)
    return [*takewhile(lambda each: meanings[each].role not in ends, positions)]


def hedged(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return meanings but for remarks, with the words of "may contain nuts" and "nuts (traces)" as hedged ones.

    A hedge is about the foods up to the end of the sentence, or else about the one before it in this sentence. An offer
    such as "without nuts on request" denies nothing.
    """
    meanings = [each for each in meanings if each.role != "remark"]
    codes = "".join([_CODES.get(each.role, ".") for each in meanings])
    sentences = [*accumulate(each.role in _SENTENCE_ENDS for each in meanings)]
    offered = {sentences[match.start()] for match in _OFFER.finditer(codes)}
    numbered = zip(meanings, codes, sentences, strict=True)
    remaining = [OTHER if code in "wxd" and sentence in offered else each for each, code, sentence in numbered]
    for position in [each for each, code in enumerate(codes) if code == "h"]:
        after = [each for each in _clause(meanings, position, 1, _SENTENCE_ENDS) if codes[each] == "f"]
        before = [each for each in _clause(meanings, position, -1, ("end",)) if codes[each] == "f"]
        for each in after or before[:1]:
            remaining[each] = Meaning(hedged=meanings[each].contained | meanings[each].typical, role="hedged")
    return remaining


def total(meanings: Iterable[Meaning]) -> Meaning:
    """Return what the phrases of a text stand for together."""
    contained, typical, hedged, dietary, *_ = reduce(joined, meanings, Meaning())
    return Meaning(contained, typical - contained, hedged - contained, dietary - {"plant", "substitute"})
