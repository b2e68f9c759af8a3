"""What the phrases of a text stand for, after what it denies and what it says only that a dish may contain."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import takewhile

from campus_api.domain.allergens.spellings import Meaning, Phrase, Phrases, joined, with_implying, without_implied

OTHER = Meaning(role="other")
_QUOTES = "\"'«»“”„‘’"
MARKS = ("break", "open", "close", "end")
# Those of diets, before and after the noun: "vegan cheese", "fromage végétal".
_DIETS = ("vegan", "vegetal")


def mark(token: str) -> Meaning:
    """Return the role of a punctuation mark."""
    return Meaning(role="remark" if token in _QUOTES else {".": "end", "(": "open", ")": "close"}.get(token, "break"))


def phrases(tokens: Phrase, table: Phrases, other: Callable[[str], Meaning]) -> Iterator[tuple[int, Meaning]]:
    """Yield the position of each phrase with the meaning of the longest one, or of a token by `other`."""
    position = 0
    while position < len(tokens):
        parts = [tokens[position:end] for end in range(position + table.longest.get(tokens[position], 1), position, -1)]
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
        elif "plant" in meaning.dietary:
            _deny_phrase(remaining, meanings, [position], Meaning(dietary=frozenset({"meat dish"}), role="plant"))
        elif (run := denied_run(meanings, position)) and not _is_hedged(meanings, position):
            for each in run:
                remaining[each] = Meaning(role="denied")
            for denial in (meanings[each] for each in run if meanings[each].is_generic):
                _deny_phrase(remaining, meanings, [position, *run], denial._replace(role=meaning.role))
    return remaining


def _is_hedged(meanings: Sequence[Meaning], position: int) -> bool:
    """Return whether a denial is in doubt: "we cannot guarantee that it is nut free", "nut free, not guaranteed"."""
    before, after = ({meanings[each].role for each in _sentence(meanings, position, step)} for step in (-1, 1))
    return "hedge" in before or after & {"food", "hedge"} == {"hedge"}


def denied_run(meanings: Sequence[Meaning], position: int) -> list[int]:
    """Return the positions of the foods that "without" or "free" at a position is about: "ohne Ei und Milch".

    None of "not gluten free", which is said of what contains it.
    """
    role = meanings[position].role
    step = {"without": 1, "free": -1}.get(role)
    run: list[int] = []
    is_joined = True
    while step and 0 <= (position := position + step) < len(meanings):
        meaning = meanings[position]
        if meaning.role == "food" and is_joined:
            run.append(position)
            is_joined = False
        elif meaning.role == "and" and run:
            is_joined = True
        elif {role, meaning.role} == {"without", "free"} and len(run) == 1:
            return []
        elif meaning.role != "remark":
            break
    return run


def _deny_phrase(remaining: list[Meaning], meanings: Sequence[Meaning], run: Sequence[int], denial: Meaning) -> None:
    """Deny the words of a denial in its phrase; where the grammar is not sure, what a food names becomes typical."""
    exact = without_implied(denial.contained)
    denied = with_implying(exact)
    # "Nut free" is no word for an almond cake; no food is called after gluten: "gluten free" is said of the whole.
    is_clear = len(exact) == 1 or denial.role in _DIETS
    sure, phrase = _phrase(meanings, min(run), max(run), denial.role)
    for position in (each for each in phrase if remaining[each].role == "food"):
        food = remaining[position]
        certain = exact if is_clear and position in sure else exact & {"gluten"}
        remaining[position] = food._replace(
            contained=food.contained - denied,
            typical=food.typical - denied | (food.contained & denied - certain),
            dietary=food.dietary - denial.dietary,
        )


def _phrase(meanings: Sequence[Meaning], first: int, last: int, role: str) -> tuple[list[int], list[int]]:
    """Return the positions that a denial is surely about, and those of its phrase.

    "Dairy free" and "vegan" are about what follows, or else about what precedes, as "without" and "vegetal" are.
    """
    before, after = _clause(meanings, first, -1), _clause(meanings, last, 1)
    if role == "plant":
        return [], [first, *(after or (before if meanings[first - 1].role == "remark" else []))]
    if after and role == "free":
        return after, after
    if after and role == "vegan":
        return [] if any(meanings[each].role == "food" for each in before) else after[:1], after
    mark = meanings[first - 1].role if first and not before else ""
    if mark == "open" or (mark == "break" and role in _DIETS):
        before = _clause(meanings, first - 1, -1)
    return [] if mark == "break" else before[:1], [*before, *after] if role == "without" else before


def _until(ends: Collection[str], meanings: Sequence[Meaning], position: int, step: int) -> list[int]:
    """Return the positions after or before another one, without those of remarks, up to one of these roles."""
    positions = range(position + step, len(meanings) if step > 0 else -1, step)
    passed = takewhile(lambda each: meanings[each].role not in ends, positions)
    return [each for each in passed if meanings[each].role != "remark"]


# Up to a punctuation mark or a word such as "and" or "with".
_clause = partial(_until, (*MARKS, "with", "contains", "hedge", "and"))
_sentence = partial(_until, ("end", "close", "contains"))


def hedged(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return meanings with the words of "may contain nuts" and "nuts (traces)" as hedged ones.

    A hedge is about the foods up to the end of the sentence, or else about the one before it.
    """
    remaining = list(meanings)
    for position in (each for each, meaning in enumerate(meanings) if meaning.role == "hedge"):
        after = [each for each in _sentence(meanings, position, 1) if meanings[each].role == "food"]
        before = (each for each in range(position - 1, -1, -1) if meanings[each].role == "food")
        for each in after or [*before][:1]:
            remaining[each] = Meaning(hedged=meanings[each].contained | meanings[each].typical, role="hedged")
    return remaining


def total(meanings: Iterable[Meaning]) -> Meaning:
    """Return what the phrases of a text stand for together."""
    contained, typical, hedged, dietary, *_ = reduce(joined, meanings, Meaning())
    return Meaning(contained, typical - contained, hedged - contained, dietary - {"plant"})
