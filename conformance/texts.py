"""How texts are compared: letter case, accents and other forms of the same letters do not matter."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_SOME = 3
_LONGEST = 256


@lru_cache(maxsize=100_000)
def fold(text: str) -> str:
    """Return a text without letter case, marks and compatibility forms."""
    parts = unicodedata.normalize("NFKD", text)
    return "".join(char for char in parts if not unicodedata.category(char).startswith("M")).casefold()


def holding(text: str | None, wanted: Sequence[str]) -> bool:
    """Tell whether a text contains one of those that are wanted, if any are."""
    return not wanted or (text is not None and any(fold(each) in fold(text) for each in wanted))


def part(text: str) -> str:
    """Return a part from the middle of a text: most of it, for it should not be in all others."""
    return text[1:-1][:_LONGEST].strip() or text


def spread(texts: Sequence[str]) -> list[str]:
    """Return the first, the middle and the last of some texts, as far as they can be searched for."""
    short = [text for text in texts if len(text) <= _LONGEST // 2]
    return [short[len(short) * place // _SOME] for place in range(_SOME)] if short else []
