"""What a provider lists as allergens: a white list."""

import re
from typing import NamedTuple

from campus_api.domain.allergens.ingredients import compound
from campus_api.domain.allergens.phrases import CODES, hedged, mark, phrases, total, without_denied
from campus_api.domain.allergens.spellings import Meaning, Phrases, Words, spellings, tokens, without_implied
from campus_api.domain.text import normalize, plain_text

# The parts of a list, of which a warning shows those that are not in the table.
_SEPARATOR = re.compile(r"([,;|/•()\[\]{}\n\v\f\r\x1c-\x1e\x85\u2028\u2029])")
# A lost line break: "EggsMilk".
_LOST_BREAK = re.compile(r"(?<=[^\W\d_])(?<![A-Z])(?=[A-Z][^\W\d_A-Z])")
# What is clear only in the patterns of _CLEAR.
_UNCLEAR = "AONsoipqwxld9"  # (s) is a single letter that means "and"
# What lists do not tell apart: all foods, all that says nothing there, and "contains" from a colon.
_IN_LISTS = str.maketrans("gtWmvuyC", "frrrrrr:")
# The words of a sentence that hedges a food, but for those in an enumeration: "also fried in one pot with fish".
_WORDS = re.compile("(?<=[.rfHwx])[opqwx]+(?=[rfHwx:]|$)")
_CODE = "(?:[ls]?d[ls]?|[ls])"
_CLEAR = re.compile(
    rf"""
    (?<=[fr])[(\[]{_CODE}[)\]] | (?<=f)(?:[ls]?d|l(?![^,;|/•\n])) # "Milk (A1)", "Milk A"
    | (?<![^.,;:|/•(\n–-])(?:{_CODE}[().:=–-]|[ls]?d[ls]?|l|[or]*[pf][oprf]*:[:r]*)(?=[f0]) # "a) Milk", "Dip: milk"
    | [AON](?=[fr:]) | (?<=[f),])s(?=[fr]) | w(?=:?f) | (?<=f)x # "Milk & eggs", "latte e uova", "nut free"
    | (?<![a-zON])s9[ls]? | p(?=[(–-]f|\)) | (?<=p:)0 # "E 471", "Dip (milk)", "Dip: none"
    | (?P<none> [w0][rd]*a | ^(?:a:?)?w\.?$ ) # "none of 14 allergens", "Allergens: no"
    """,
    re.VERBOSE,
)


class Listed(NamedTuple):
    """What a text lists, and its unknown parts.

    `is_list` is whether it lists a word, or says that there is none: a dish has nothing else of what the provider
    states. `stated` are the words that a phrase names alone, unlike "nuts".
    """

    named: Meaning = Meaning()
    unknown: tuple[str, ...] = ()
    is_list: bool = False
    stated: Words = frozenset()


def parse(text: str, table: Phrases | None = None) -> Listed:
    """Return what a text lists, by the table of spellings or that of `with_names`; Listed() if it is empty."""
    parts = _SEPARATOR.split(_LOST_BREAK.sub(" ", normalize("NFKC", plain_text(text))))
    words = [(word, part) for part in parts for word in tokens(part)]
    matched = list(phrases(tuple(word for word, _ in words), table or spellings().listed, _other))
    characters = "".join(_character(*words[start], meaning.role) for start, meaning in matched)
    sentences = re.split(r"(?=\.)", characters)
    without_hedges = (_WORDS.sub(_clear, each) if re.search("H.*f", each) else each for each in sentences)
    clear = _CLEAR.sub(_clear, "".join(without_hedges).replace("H", "r"))
    unclear = (start for (start, _), each in zip(matched, clear, strict=True) if each in _UNCLEAR)
    unknown = tuple(dict.fromkeys(words[start][1].strip() for start in unclear))
    meanings = without_denied(hedged([meaning for _, meaning in matched]))
    foods = (without_implied(each.contained) for each in meanings)
    stated = frozenset().union(*(words for words in foods if len(words) == 1))
    named = total(meanings)
    is_none = "0" in clear
    is_empty = re.fullmatch(r"[\s–—-]*", text) or any(each.role == "nothing" for _, each in matched)
    if not unknown and is_none == (named != Meaning()) and not is_empty:
        unknown = (text.strip(),)
    return Listed(named, unknown, is_none or bool(named.contained), stated)


def _clear(match: re.Match[str]) -> str:
    """Return the characters of what is clear: those of remarks, or of none."""
    return ("0" if match.lastgroup == "none" else "r") * len(match[0])


def _other(token: str) -> Meaning:
    """Return the role of a token that is in no phrase of the table."""
    if token.isdigit():
        return Meaning(role="number" if len(token) > 2 else "digit")
    if len(token) == 1 and token.isalpha():
        return Meaning(role="letter")
    word = total([compound(token)])
    return word if any(word[:4]) else mark(token)


def _character(word: str, part: str, role: str) -> str:
    """Return the character for the role of a phrase that begins with a word of a part of a list."""
    # Alone a code, such as that of soya, whatever it means in a sentence: "Milk, SO".
    if role == "remark" and re.fullmatch(r"(?i)\s*[a-z]{2}\s*", part):
        return CODES["other"]
    is_single = role in ("and", "or", "nor") and len(word) == 1 and word.isalpha()
    return "s" if is_single else CODES.get(role, word).translate(_IN_LISTS)
