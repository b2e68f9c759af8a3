"""The one definition of "contains": how text is folded for search, at load and at query."""

import re
import unicodedata

LONGEST = 256


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


def pattern(text: str) -> str | None:
    """Return the regular expression that finds `text` in folded text; None when it can match nothing.

    Nothing matches a text of over 256 characters or one whose bytes were not UTF-8.
    """
    if len(text) > LONGEST or any(unicodedata.category(char) == "Cs" for char in text):
        return None
    # MongoDB takes no NUL in a regular expression, but it does take the escape for one.
    return re.escape(fold(text)).replace("\0", r"\x00")
