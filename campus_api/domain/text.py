"""The one definition of "contains": how text is folded for search, at load and at query."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

LONGEST = 256
# A trigram that fewer buildings have is as good as any other.
FEW = 64


class _WithoutMarks(dict[int, int | None]):
    """What becomes of each character when marks are dropped, filled as characters are met."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.category(chr(code)).startswith("M") else code
        return self[code]


_WITHOUT_MARKS = _WithoutMarks()


def fold(text: str) -> str:
    """Return `text` without letter case, accents and other compatibility differences (NFKD, no marks, casefold)."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text).translate(_WITHOUT_MARKS).casefold()


def searched(text: str) -> str | None:
    """Return the text to find in folded text; None when it can match nothing.

    Nothing matches a text of over 256 characters or one whose bytes were not UTF-8.
    """
    if len(text) > LONGEST or any(unicodedata.category(char) == "Cs" for char in text):
        return None
    return fold(text)


def pattern(folded: str) -> str:
    """Return the regular expression that finds a folded text as it is."""
    # MongoDB takes no NUL in a regular expression, but it does take the escape for one.
    return re.escape(folded).replace("\0", r"\x00")


def trigrams(field: str, folded: str) -> set[str]:
    """Return every three characters in a row of a folded text after a letter that tells name from address."""
    letter = field[0]
    return {letter + folded[start : start + 3] for start in range(len(folded) - 2)}


def packed(buildings: Mapping[str, int]) -> list[str]:
    """Return, of the numbers of buildings that have a trigram, what `unpacked` needs, in little space."""
    powers: dict[int, list[str]] = {}
    for trigram, number in buildings.items():
        if number >= FEW:
            powers.setdefault(number.bit_length() - 1, []).append(trigram)
    return ["".join(sorted(powers.get(power, ()))) for power in range(max(powers, default=-1) + 1)]


def unpacked(powers: Sequence[str]) -> dict[str, int]:
    """Return how many buildings have each trigram, rounded down to a power of two, without those that few have."""
    return {
        together[start : start + 4]: 2**power
        for power, together in enumerate(powers)
        for start in range(0, len(together), 4)
    }
