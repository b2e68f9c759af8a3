"""What a provider lists as allergens: a white list."""

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from campus_api.domain.allergens.spellings import Words, normalize_name, spellings
from campus_api.domain.text import normalize, plain_text

# The words of names that a profile has besides the table, by normalized name; none if it is about something else.
Names = Mapping[str, Collection[str]]

NO_NAMES: Names = MappingProxyType({})
_LINE_BREAKS = r"\n\v\f\r\x1c-\x1e\x85\u2028\u2029"
_LINE_BREAK = re.compile(f"[{_LINE_BREAKS}]")
_SEPARATOR = re.compile(rf"[,;|/•()\[\]{{}}{_LINE_BREAKS}]")
_CONTAINS = re.compile(r"\A(?:contains|enthalt|enthaelt|contient|contiene)\b ?:? ?")
# One letter may be a code, unless it is between two names.
_AND = re.compile(r"^(?:and|und|et|&) | (?:and|und|et|y|e) | ?& ?")


class Listed(NamedTuple):
    """The words that a text lists, without implied ones, and its parts that are not in the table, which are unknown."""

    words: Words = frozenset()
    unknown: tuple[str, ...] = ()


def parse(text: str, names: Names = NO_NAMES) -> Listed:
    """Return what a text lists, by the names of a profile and of the table.

    The text is looked up as a whole, then each of its parts, then those between "and".
    """
    whole = None if _LINE_BREAK.search(text) else _look_up(normalize_name(text), names)
    if whole is not None or not text.strip():
        return Listed(whole or frozenset())
    parts = [part.strip() for part in _SEPARATOR.split(normalize("NFKC", plain_text(text)))]
    words = {part: _words(part, names) for part in parts if _name(part)} or {text.strip(): None}
    known = [each for each in words.values() if each is not None]
    return Listed(frozenset().union(*known), tuple(part for part, each in words.items() if each is None))


def _words(part: str, names: Names) -> Words | None:
    """Return the words of a part, None if it, or one between "and", is not in the table."""
    name = _name(part)
    whole = _look_up(name, names)
    if whole is not None:
        return whole
    words = [_look_up(each, names) for each in _between_and(name)]
    known = [each for each in words if each is not None]
    return frozenset().union(*known) if len(known) == len(words) else None


def _name(part: str) -> str:
    return _CONTAINS.sub("", normalize_name(part)).removesuffix(".")


def _between_and(name: str) -> Iterator[str]:
    first, *others = _AND.split(name)
    if first or not others:
        yield first
    yield from others


def _look_up(name: str, names: Names) -> Words | None:
    words = names.get(name, spellings().names.get(name))
    return None if words is None else frozenset(words)
