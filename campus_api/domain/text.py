"""Text normalization for search, shared by loaders and queries, and texts of and for people."""

import html
import re
import unicodedata
from typing import Literal

MAX_QUERY_LENGTH = 256
# What Unicode does not decompose, and the apostrophe of typographers.
SAME_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "ı": "i", "đ": "d", "’": "'"})
_CHUNK_LENGTH = 256
_MAX_LENGTH = 1000
# Not those that strike a text out: "<s>Milk</s>" denies it.
_ELEMENTS = (
    "b|big|br|center|dd|div|dl|dt|em|font|h[1-6]|hr|i|li|ol|p|section|small|span|strong|sub|sup|table|tbody|td|th|thead|tr"
    "|tt|u|ul"
)
_TAG = re.compile(rf"</?(?:{_ELEMENTS})\s*/?>", re.IGNORECASE)


def normalize(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Normalize a text in chunks of 256 characters: to reorder combining marks takes quadratic time.

    Of a longer text, a letter and its accent may stay apart where two chunks meet.
    """
    starts = range(0, len(text), _CHUNK_LENGTH)
    return "".join(unicodedata.normalize(form, text[start : start + _CHUNK_LENGTH]) for start in starts)


def fold(text: str) -> str:
    """Remove letter case, accents and compatibility differences: NFKD, then drop marks, then casefold."""
    if text.isascii():
        return text.lower()
    decomposed = normalize("NFKD", text)
    for char in set(decomposed):
        if unicodedata.category(char).startswith("M"):
            decomposed = decomposed.replace(char, "")
    return decomposed.casefold()


def natural_key(name: str) -> str:
    """Return a key that sorts names as people do: without case and accents, and "Hall 2" before "Hall 10"."""
    return re.sub(r"\d+", lambda number: number[0].zfill(9), fold(name))


def plain_text(text: str) -> str:
    """Return a text with line breaks in place of well-known tags without attributes, then with entities unescaped.

    All other tags and comments stay, because they may hide a name.
    """
    return html.unescape(_TAG.sub("\n", text))


def capitalize(text: str) -> str:
    """Return a text with its first letter in upper case, and the others as they are."""
    return text[:1].upper() + text[1:]


def truncate(text: str, length: int) -> str:
    """Return at most `length` characters and an ellipsis."""
    return text if len(text) <= length else f"{text[:length]}…"


def printable(text: str) -> str:
    """Replace bytes that were not UTF-8, and truncate a text of over 1,000 characters."""
    return truncate(text.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace"), _MAX_LENGTH)


def normalize_query(text: str) -> str | None:
    """Fold a search text; return None if it is over 256 characters or was not UTF-8, and thus matches nothing."""
    if len(text) > MAX_QUERY_LENGTH or any(unicodedata.category(char) == "Cs" for char in text):
        return None
    return fold(text)


def pattern(folded: str) -> str:
    """Return a regular expression that matches a folded text literally."""
    # MongoDB rejects NUL in a regular expression, but accepts its escape sequence.
    return re.escape(folded).replace("\0", r"\x00")
