"""Words of names and queries: folded, without punctuation, in each spelling that people may type."""

import re
from collections.abc import Sequence

from campus_api.domain.text import fold, normalize

# Letters that NFKD does not decompose.
_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i", "&": " and "})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_APOSTROPHES = str.maketrans("", "", "'’‘`´")
_SEPARATORS = re.compile(r"[\W_]+")
# The first one that matches is replaced: plurals, and the German "Hauptstrasse".
_ENDINGS = (
    (re.compile(r"strasse$"), "str"),
    (re.compile(r"(?<=\w\w)ies?$"), "y"),
    (re.compile(r"(?<=\w\w)ves?$"), "f"),
    (re.compile(r"(?<=\wo|\wx|ss|ch|sh)es$"), ""),
    (re.compile(r"(?<=\w[^siu])s$"), ""),
)
_ABBREVIATIONS = {
    "avenue": "ave",
    "boulevard": "blvd",
    "building": "bldg",
    "center": "ctr",
    "centre": "ctr",
    "court": "ct",
    "department": "dept",
    "drive": "dr",
    "international": "intl",
    "lane": "ln",
    "mount": "mt",
    "place": "pl",
    "road": "rd",
    "saint": "st",
    "square": "sq",
    "street": "st",
    "university": "univ",
}
# What people say, and the words of OpenStreetMap, of signs and of menus for it.
_SYNONYMS = {
    "brunch": "lunch",
    "cafe": "coffee",
    "chapel": "worship",
    "church": "worship",
    "cinema": "theater",
    "clinic": "doctor",
    "dormitory": "dorm",
    "fitness": "gym",
    "garage": "parking",
    "gymnasium": "gym",
    "hamburger": "burger",
    "health": "doctor",
    "healthcare": "doctor",
    "residence": "dorm",
    "sport": "gym",
    "supper": "dinner",
    "temple": "worship",
    "theatre": "theater",
    "vegetable": "veggy",
    "vegetarian": "veggy",
}
# Of names and sentences.
_STOP_WORDS = {
    *("a", "an", "and", "are", "at", "by", "can", "for", "from", "get", "i", "in", "is", "me", "my", "of", "on", "or"),
    *("around", "best", "close", "near", "nearest", "open", "the", "to", "what", "whats", "when", "where", "with"),
    *("now", "today", "tonight", "tomorrow", "free", "without"),
}
_MIN_INITIALS = 3


def spellings(text: str) -> list[str]:
    """Return a text as words between single spaces; with umlauts, also as people write it without them: "kueche"."""
    if text.isascii():
        return [_words(text)]
    lower = normalize("NFC", text).casefold()
    return list(dict.fromkeys([_words(text), _words(lower.translate(_UMLAUTS))]))


def stem(word: str) -> str:
    """Return the singular of an English word, its abbreviation in addresses, or a synonym."""
    for ending, replacement in _ENDINGS:
        if ending.search(word):
            word = ending.sub(replacement, word)
            break
    return _ABBREVIATIONS.get(word) or _SYNONYMS.get(word, word)


def significant(words: Sequence[str]) -> list[str]:
    """Return distinct words without those that say nothing, unless there are no others."""
    distinct = dict.fromkeys(words)
    return [word for word in distinct if word not in _STOP_WORDS] or list(distinct)


def stems(text: str) -> set[str]:
    """Return the stems of the words of a text that say something."""
    return {stem(word) for word in significant(_words(text).split())}


def initials(words: str) -> str:
    """Return the initials of a name of three words or more, "" of others."""
    significant_words = significant(words.split())
    return "".join(word[0] for word in significant_words) if len(significant_words) >= _MIN_INITIALS else ""


def _words(text: str) -> str:
    return _SEPARATORS.sub(" ", fold(text.translate(_APOSTROPHES)).translate(_LETTERS)).strip()
