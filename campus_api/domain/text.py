"""Text normalization for building search, shared by loaders and queries, and texts for people."""

import re
import unicodedata

MAX_QUERY_LENGTH = 256


def fold(text: str) -> str:
    """Remove letter case, accents and compatibility differences: NFKD, then drop marks, then casefold."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M")).casefold()


def truncate(text: str, length: int) -> str:
    """Return at most `length` characters and an ellipsis."""
    return text if len(text) <= length else f"{text[:length]}…"


def normalize_query(text: str) -> str | None:
    """Fold a search text; return None if it is over 256 characters or was not UTF-8, and thus matches nothing."""
    if len(text) > MAX_QUERY_LENGTH or any(unicodedata.category(char) == "Cs" for char in text):
        return None
    return fold(text)


def pattern(folded: str) -> str:
    """Return a regular expression that matches a folded text literally."""
    # MongoDB rejects NUL in a regular expression, but accepts its escape sequence.
    return re.escape(folded).replace("\0", r"\x00")
