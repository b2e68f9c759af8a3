"""Text normalization for building search, shared by loaders and queries, and texts for people."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

MAX_QUERY_LENGTH = 256
# Frequencies of rarer trigrams are not stored: they are all selective enough.
COMMON_FROM = 64


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


def trigrams(field: str, folded: str) -> set[str]:
    """Return the trigrams of a folded text, each prefixed with the initial of the field, "name" or "address"."""
    prefix = field[0]
    return {prefix + folded[start : start + 3] for start in range(len(folded) - 2)}


def encode_frequencies(frequencies: Mapping[str, int]) -> list[str]:
    """Encode the numbers of buildings by trigram: string n joins the trigrams of 2**n to 2**(n + 1) - 1 buildings."""
    by_exponent: dict[int, list[str]] = {}
    for trigram, count in frequencies.items():
        if count >= COMMON_FROM:
            by_exponent.setdefault(count.bit_length() - 1, []).append(trigram)
    return ["".join(sorted(by_exponent.get(exponent, ()))) for exponent in range(max(by_exponent, default=-1) + 1)]


def decode_frequencies(encoded: Sequence[str]) -> dict[str, int]:
    """Return the number of buildings by common trigram, rounded down to a power of two."""
    return {
        joined[start : start + 4]: 2**exponent
        for exponent, joined in enumerate(encoded)
        for start in range(0, len(joined), 4)
    }
