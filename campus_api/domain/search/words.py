"""Words of names and queries: folded, without punctuation, in each spelling that people may type."""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from unicodedata import name

from campus_api.domain.clock import dates
from campus_api.domain.servings import relative_day
from campus_api.domain.text import SAME_LETTERS, fold, normalize

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_APOSTROPHES = re.compile("['’‘`´]")
_SEPARATORS = re.compile(r"[\W_]+")
# The first one that matches is replaced: plurals, and the German "Hauptstrasse".
_ENDINGS = (
    (re.compile(r"strasse$"), "str"),
    (re.compile(r"(?<=\w\w\w)ies?$"), "y"),
    (re.compile(r"(?<=\w\w)ves?$"), "f"),
    (re.compile(r"(?<=\wo|\wx|ss|ch|sh)es$|(?<=\w[^siu])s$"), ""),
)
_CODE_END = re.compile(r"(?<=[^\W\d]{2})(?=\d)")
_TABLE = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))
KINDS: dict[str, str] = _TABLE["kinds"]
_EMOJI = re.compile("[\u2600-\u27bf\U0001f17f\U0001f300-\U0001f3fa\U0001f400-\U0001faff]")


def spellings(text: str) -> list[str]:
    """Return a text as words between single spaces; with umlauts also without: "kueche"; an emoji by its name."""
    if text.isascii():
        return [_words(text)]
    without_emoji = _EMOJI.sub(lambda match: f" {name(match[0], '')} ", text)
    lower = normalize("NFC", without_emoji).casefold()
    return list(dict.fromkeys((_words(lower), _words(lower.translate(_UMLAUTS)))))


def with_phrases(texts: Iterable[str]) -> list[str]:
    """Return texts of words, with one word for "car park", and two for "DCL1320"."""
    replaced = [_PHRASE.sub(lambda match: _BY_SYNONYM[match[0]], words) for words in texts]
    both = chain.from_iterable((words, _CODE_END.sub(" ", words)) for words in replaced)
    return list(dict.fromkeys(both))


def synonym(word: str) -> str:
    """Return the word of the table for a word, or itself."""
    return _BY_SYNONYM.get(singular(word), word)


def stem(word: str) -> str:
    """Return the singular of an English word, its abbreviation in addresses, or a synonym."""
    return singular(synonym(word))


def significant(text: str) -> list[str]:
    """Return distinct words, phrases of the table as one, without those that say nothing unless there are no others."""
    distinct = dict.fromkeys(_PHRASE_OR_WORD.findall(text))
    return [word for word in distinct if word not in _STOP_WORDS] or list(distinct)


def stems(text: str) -> set[str]:
    """Return the stems of the words of a text that say something."""
    return {stem(word) for word in _phrase_words(text) if word not in _STOP_WORDS}


def _phrase_words(text: str) -> list[str]:
    """Return the words of a text, with one for a phrase of the table."""
    return with_phrases(spellings(text))[0].split()


def named_date(text: str, today: str, names: Collection[str]) -> tuple[str, bool, str]:
    """Return the first date of two weeks that a text names, "" if none, whether it means an evening, and the rest.

    In the rest, a day, such as "Monday", and what is a name stay.
    """
    days = {_DAYS[word] for word in _phrase_words(text) if word in _DAYS}
    is_evening = "evening" in days
    by_name = _dates_by_name(today, 1 if "next" in days else 0)
    for match in _DATE.finditer(text):
        parts = [part.lower() for part in match.groups() if part]
        date_name = "".join(_MONTHS.get(part, part.lstrip("0")) for part in parts)
        if date_name in by_name and _words(match[0]) not in names:
            return by_name[date_name], is_evening, text.replace(match[0], " ")
    named = [by_name[day] for day in days if day in by_name]
    return min(named, default=""), is_evening, text


@lru_cache(maxsize=2)
def _dates_by_name(today: str, first: int) -> Mapping[str, str]:
    """Return the first of today and two weeks from a number of days on with each name: "tomorrow", "Nov 25", "25"."""
    by_name: dict[str, str] = {}
    for number, day in enumerate(dates(today, 15)[first:], first):
        moment = date.fromisoformat(day)
        week_of_month = (moment.day + 6) // 7
        forms = [form.format(moment, week_of_month) for form in _TABLE["dates"]]
        for each in (relative_day(day, today), f"in {number} days", *forms):
            by_name.setdefault(each, day)
    return by_name


def named_time(text: str, now: str) -> tuple[str, str]:
    """Return the time (HH:MM) that a text names, "" if none, and the rest; of "at 6" the next one after `now`."""
    match = _TIME.search(text)
    if match is None:
        return "", text
    hour = int(match["hour"])
    halves = [0] if match["am"] else [12] if match["pm"] or hour >= 12 else [0, 12]
    times = [f"{hour % 12 + half:02}:{match['minutes'] or '00'}" for half in halves]
    following = [time for time in times if time > now]
    return (following or times)[0], text.replace(match[0], " ")


def initials(words: str) -> str:
    """Return the initials of a name."""
    return "".join(word[0] for word in words.split() if word not in _STOP_WORDS)


def _words(text: str) -> str:
    folded = fold(_APOSTROPHES.sub("", text)).replace("&", " and ")
    if not folded.isascii():
        folded = folded.translate(SAME_LETTERS)
    return _SEPARATORS.sub(" ", folded).strip()


def singular(word: str) -> str:
    """Return the singular of an English word."""
    for ending, replacement in _ENDINGS:
        if ending.search(word):
            return ending.sub(replacement, word)
    return word


_BY_SYNONYM: dict[str, str] = {}
for _word, _synonyms in _TABLE["synonyms"].items():
    for _spelling in chain.from_iterable(map(spellings, _synonyms.split(", "))):
        _BY_SYNONYM[_spelling if " " in _spelling else singular(_spelling)] = _word
_PHRASES = [words for words, word in _BY_SYNONYM.items() if " " in words + word]
_PHRASE = re.compile(rf"\b(?:{'|'.join(sorted(_PHRASES, key=len, reverse=True))})\b")
_PHRASE_OR_WORD = re.compile(rf"{_PHRASE.pattern}|\S+")
_MONTHS = {word.lower(): words.split()[0] for words in _TABLE["months"] for word in words.split()}
_NUMBER = rf"(?:of |de |di )?(\d\d?|{'|'.join(_MONTHS)})(?:st|nd|rd|th)?"
# "Nov. 25th", "25 de noviembre", "11/25/2026", "25.11.", "2026-11-25", "the 25th".
_DATE = re.compile(rf"(?i)\b(?:20\d\d-)?{_NUMBER}(?:\.?([-/. ]){_NUMBER}(?:\W+20\d\d|/\d\d)?|(?<=st|nd|rd|th))\b")
NEAR = re.compile(rf"(?i)\b(?:{_TABLE['near']})\b")
_TIME = re.compile(_TABLE["time"], re.IGNORECASE | re.VERBOSE)
_DAYS = {word: day for day, words in _TABLE["days"].items() for word in _words(words).split()}
_STOP_WORDS = frozenset(_TABLE["stop_words"].split()).union(_DAYS)
_STOP_WORDS |= {words for words, word in _BY_SYNONYM.items() if word in _STOP_WORDS}
# What denies words, and what may stand between these: "no dairy", "without nuts or soy", "gluten free", "egg allergy".
_DENIED = rf"(?!(?:{_TABLE['denials']['before']})\b)(?:tree )?\w+"
GAP = rf"(?i:(?>(?:\W+(?:{_TABLE['denials']['between']})\b)+\W+|\s*(?:-?,|[/&+])\s*))"
DENIALS = (
    re.compile(rf"(?i)\b(?:{_TABLE['denials']['before']})\b(?:{GAP}|\W+)({_DENIED}(?:{GAP}{_DENIED}){{0,5}})"),
    re.compile(rf"(?i)\b((?:{_DENIED}{GAP}){{0,5}}{_DENIED}?)[\s-]*(?:{_TABLE['denials']['after']})\b"),
    re.compile(rf"(?i)\b(?:{_TABLE['denials']['gluten']})\b()"),
)
