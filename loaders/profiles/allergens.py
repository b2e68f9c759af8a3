"""What a dining profile says about allergens: names, words that are stated, and empty fields."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from campus_api.domain.allergens.ingredients import named
from campus_api.domain.allergens.spellings import all_words, find, normalize_name
from loaders.profiles.values import require_text, subtable

ALLERGEN_SETTINGS = ("allergens", "tracked_allergens", "empty_allergens")
_WORD = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")


@dataclass(frozen=True)
class AllergenRules:
    """How allergens of a provider are read.

    `names` has the words of its names, by normalized name, none if a name is about something else. `tracked` are the
    words that it states, besides those that its exports list.
    """

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tracked: tuple[str, ...] = ()
    empty_is_none: bool = False


def parse_allergens(table: Mapping[str, Any], defaults: Mapping[str, Any]) -> AllergenRules:
    """Return the rules of a profile, with the names of its format; ValueError if one is invalid."""
    names = {**_parse_names(defaults), **_parse_names(table)}
    empty = table.get("empty_allergens", "unknown")
    if empty not in ("none", "unknown"):
        raise ValueError(f"empty_allergens {empty!r} is neither none nor unknown")
    tracked = _parse_tracked(table.get("tracked_allergens", []), names)
    return AllergenRules(names=names, tracked=tracked, empty_is_none=empty == "none")


def parse_words(key: str, value: object) -> tuple[str, ...]:
    """Return the words of a name, sorted: those of one text or of a list, none for an empty text."""
    texts = value if isinstance(value, list) else [value]
    words = [_parse_word(key, require_text(key, text)) for text in texts if text != ""]
    return tuple(sorted(set().union(*words)))


def _parse_names(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for text, value in subtable(table, "allergens").items():
        words = parse_words(f"allergens.{text}", value)
        if names.setdefault(normalize_name(text), words) != words:
            raise ValueError(f"allergens.{text} is defined twice")
    return names


def _parse_word(key: str, text: str) -> frozenset[str]:
    """Return the words of a spelling of the vocabulary, or else a word of the profile."""
    word = normalize_name(text)
    if words := find(word):
        return words
    if named(word).contained or not _WORD.fullmatch(word):
        raise ValueError(f'{key} {text!r} is not a word; several are a list, such as ["milk", "eggs"]')
    return frozenset({word})


def _parse_tracked(value: object, names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    words = parse_words("tracked_allergens", value)
    known = sorted({*all_words()}.union(*names.values()))
    if unknown := [word for word in words if word not in known]:
        raise ValueError(f"tracked_allergens {unknown[0]!r} is not one of {', '.join(known)}")
    return words
