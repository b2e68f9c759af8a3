"""The table [notes] of a dining profile: which label or allergens a note about a dish stands for."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from campus_api.domain.allergens.spellings import normalize_name
from campus_api.domain.models import Label
from loaders.profiles.allergens import parse_words
from loaders.profiles.values import check_keys, require_text, subtable


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
