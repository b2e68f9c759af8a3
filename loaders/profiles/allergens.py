"""What a dining profile says about allergens: names, words that are stated, empty fields, and notes about dishes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from campus_api.domain.allergens.ingredients import named
from campus_api.domain.allergens.spellings import all_words, find, normalize_name
from campus_api.domain.models import Label
from loaders.profiles.values import check_keys, parse_pattern, require_text, subtable

ALLERGEN_SETTINGS = ("allergens", "tracked_allergens", "empty_allergens", "note_codes")
_WORD = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_EMPTY = ("none", "unknown")


@dataclass(frozen=True)
class AllergenRules:
    """How allergens of a provider are read.

    `names` has the words of its names, by normalized name, none if a name is about something else. `tracked` are the
    words that it states, besides those that its exports list. `note_codes` is the pattern of codes in notes.
    """

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tracked: tuple[str, ...] = ()
    empty_is_none: bool = False
    note_codes: str = ""


def parse_allergens(
    table: Mapping[str, Any], defaults: Mapping[str, Any], noted: Mapping[str, tuple[str, ...]]
) -> AllergenRules:
    """Return the rules of a profile, with the names and settings of its format and the names of its notes.

    ValueError if one is invalid.
    """
    own = _parse_names(table)
    names = {**_parse_names(defaults), **noted, **own}
    settings = {**defaults, **table}
    empty = settings.get("empty_allergens", "unknown")
    if empty not in _EMPTY:
        raise ValueError(f"empty_allergens {empty!r} is not one of {', '.join(_EMPTY)}")
    return AllergenRules(
        names=names,
        tracked=_parse_tracked(table.get("tracked_allergens", []), names),
        empty_is_none=empty == "none",
        note_codes=_parse_note_codes(settings.get("note_codes", "")),
    )


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
    if named(word).words or not _WORD.fullmatch(word):
        raise ValueError(f'{key} {text!r} is not a word; several are a list, such as ["milk", "eggs"]')
    return frozenset({word})


def _parse_tracked(value: object, names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("tracked_allergens is not a list")
    words = parse_words("tracked_allergens", value)
    known = sorted({*all_words(), *chain.from_iterable(names.values())})
    if unknown := [word for word in words if word not in known]:
        raise ValueError(f"tracked_allergens {unknown[0]!r} is not one of {', '.join(known)}")
    return words


def _parse_note_codes(value: object) -> str:
    pattern = parse_pattern("note_codes", value)
    if pattern and not re.compile(pattern).groups:
        raise ValueError(f"note_codes {pattern!r} has no group for the codes")
    return pattern


class Note(NamedTuple):
    """What a note stands for; neither a label nor allergens if it is about something else."""

    label: Label | None = None
    allergens: tuple[str, ...] = ()


def parse_notes(table: Mapping[str, Any], labels: Mapping[str, Label]) -> dict[str, Note]:
    """Return the notes of a table such as `"vegan" = {label = "VGN"}`, by normalized text; ValueError for an error."""
    notes: dict[str, Note] = {}
    for text, value in subtable(table, "notes").items():
        note = _parse_note(f"notes.{text}", value, labels)
        if notes.setdefault(normalize_name(text), note) != note:
            raise ValueError(f"notes.{text} is defined twice")
    return notes


def _parse_note(key: str, value: object, labels: Mapping[str, Label]) -> Note:
    if not isinstance(value, dict):
        raise ValueError(f'{key} is not of the form {{label = "VGN"}} or {{allergen = "celery"}}')
    check_keys(f"{key}.", value, {"label", "allergen"})
    texts = {name: require_text(f"{key}.{name}", text).strip() for name, text in value.items()}
    if not all(texts.values()):
        raise ValueError(f"{key} has a blank text")
    label = labels.get(texts["label"], Label(texts["label"])) if "label" in texts else None
    return Note(label, parse_words(f"{key}.allergen", texts.get("allergen", "")))
