"""The table [notes] of a dining profile: which label or allergen a note about a dish stands for."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from campus_api.domain.models import Label
from loaders.profiles.values import check_keys, require_text, subtable


class Note(NamedTuple):
    """What a note stands for; neither a label nor an allergen if it is about something else."""

    label: Label | None = None
    allergen: str | None = None

    def as_table(self) -> dict[str, str]:
        """Return the note as it is written in a profile."""
        members = {"label": self.label and self.label.code, "allergen": self.allergen}
        return {key: value for key, value in members.items() if value}


def parse_notes(table: Mapping[str, Any], labels: Mapping[str, Label]) -> dict[str, Note]:
    """Return the notes of a table such as `"vegan" = {label = "VGN"}` by folded text; ValueError if one is invalid."""
    notes: dict[str, Note] = {}
    for text, value in subtable(table, "notes").items():
        note = _parse_note(f"notes.{text}", value, labels)
        if notes.setdefault(fold_note(text), note) != note:
            raise ValueError(f"notes.{text} is defined twice")
    return notes


def fold_note(text: str) -> str:
    """Return the key of a note in the table: its letter case does not matter."""
    return " ".join(text.split()).casefold()


def _parse_note(key: str, value: object, labels: Mapping[str, Label]) -> Note:
    if not isinstance(value, dict):
        raise ValueError(f'{key} is not of the form {{label = "VGN"}} or {{allergen = "celery"}}')
    check_keys(f"{key}.", value, set(Note._fields))
    texts = {name: require_text(f"{key}.{name}", text).strip() for name, text in value.items()}
    if not all(texts.values()):
        raise ValueError(f"{key} has a blank text")
    label = labels.get(texts["label"], Label(texts["label"])) if "label" in texts else None
    return Note(label, texts.get("allergen"))
