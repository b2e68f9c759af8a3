"""What the phrases of a text stand for, after what it denies and what it says only that a dish may contain."""

from collections.abc import Callable, Iterator, Sequence

from campus_api.domain.allergens.spellings import Meaning, Phrases, Words, with_implying

OTHER = Meaning(role="other")
MARKS = ("break", "end", "close")
_ENDS_OF_CLAUSES = (*MARKS, "with", "contains", "hedge", "and")
_ENDS_OF_HEDGES = ("end", "close", "contains")


def mark(token: str) -> Meaning:
    """Return the role of a punctuation mark."""
    return Meaning(role={".": "end", ")": "close"}.get(token, "break"))


def phrases(tokens: Sequence[str], table: Phrases, other: Callable[[str], Meaning]) -> Iterator[tuple[int, Meaning]]:
    """Yield the position of each phrase with the meaning of the longest one, or of a token by `other`."""
    position = 0
    while position < len(tokens):
        length, meaning = _longest(tokens, position, table) or (1, other(tokens[position]))
        yield position, meaning
        position += length


def _longest(tokens: Sequence[str], position: int, table: Phrases) -> tuple[int, Meaning] | None:
    for phrase, meaning in table.get(tokens[position], ()):
        if tokens[position : position + len(phrase)] == phrase:
            return len(phrase), meaning
    return None


def without_denied(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return meanings without the words that "without nuts", "nut free" and "vegan" deny in the same clause."""
    remaining = list(meanings)
    for position, meaning in enumerate(meanings):
        if meaning.role == "vegan":
            _deny(remaining, range(position, _end(meanings, position, 1)), meaning.words)
        elif run := denied_run(meanings, position):
            words = frozenset().union(*(meanings[each].words | meanings[each].typical for each in run))
            first, last = min(position, *run), max(position, *run)
            _deny(remaining, range(_end(meanings, first, -1) + 1, _end(meanings, last, 1)), words)
    return remaining


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


def _end(meanings: Sequence[Meaning], position: int, step: int) -> int:
    """Return the position before or after a clause: that of a punctuation mark or a word such as "and" or "with"."""
    while 0 <= (position := position + step) < len(meanings):
        if meanings[position].role in _ENDS_OF_CLAUSES:
            break
    return position


def _deny(meanings: list[Meaning], positions: range, words: Words) -> None:
    denied = with_implying(words)
    for position in positions:
        words, typical, role = meanings[position]
        if role == "food" and not denied.isdisjoint(words | typical):
            is_left = (words | typical) - denied
            meanings[position] = Meaning(words - denied, typical - denied, "food" if is_left else "denied")


def hedged(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return meanings with the words of "may contain nuts" and "nuts (traces)" as typical ones."""
    remaining = list(meanings)
    for position, meaning in enumerate(meanings):
        if meaning.role == "hedge":
            for each in _hedged_positions(meanings, position):
                words, typical, _ = meanings[each]
                remaining[each] = Meaning(typical=words | typical, role="hedged")
    return remaining


def _hedged_positions(meanings: Sequence[Meaning], position: int) -> list[int]:
    """Return the positions of the foods up to the end of the sentence, or else that of the food before."""
    after: list[int] = []
    for each in range(position + 1, len(meanings)):
        if meanings[each].role in _ENDS_OF_HEDGES:
            break
        after += [each] if meanings[each].role == "food" else []
    before = (each for each in range(position - 1, -1, -1) if meanings[each].role == "food")
    return after or [*before][:1]
