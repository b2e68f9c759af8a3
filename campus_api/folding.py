"""The one definition of "contains": how text is folded for search, at load and at query."""

import re
import unicodedata

LONGEST = 256


def fold(text: str) -> str:
    """Return `text` without letter case, accents and other compatibility differences (NFKD, no marks, casefold)."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M")).casefold()


def pattern(text: str) -> str | None:
    """Return the regular expression that finds `text` in folded text; None when it can match nothing.

    Nothing matches a text of over 256 characters or one whose bytes were not UTF-8.
    """
    if len(text) > LONGEST or any(unicodedata.category(char) == "Cs" for char in text):
        return None
    # MongoDB takes no NUL in a regular expression, but it does take the escape for one.
    return re.escape(fold(text)).replace("\0", r"\x00")
