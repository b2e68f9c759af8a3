"""Where the id of a building comes from: an integer field, a pattern that extracts it, or a text to assign one to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campus_api.domain import ids
from campus_api.domain.text import normalize
from loaders.errors import InvalidValue
from loaders.profiles.values import MAX_LENGTH, expand, is_template, parse_expressions, parse_pattern, search
from loaders.text import is_blank, parse_raw_text

# The greatest integer that every JSON parser takes.
_MAX_ASSIGNED = 2**53


class InvalidId(InvalidValue):
    """A missing or invalid building id."""


@dataclass(frozen=True)
class IntegerId:
    """The fields of the id, of which the first non-empty one is used, and the pattern that extracts it."""

    expressions: tuple[str, ...] = ("id",)
    pattern: str | None = None

    def parse(self, attributes: Mapping[str, Any]) -> int:
        """Return the id; InvalidValue if it is missing or no integer."""
        field = next((each for each in self.expressions if not is_blank(attributes.get(each))), None)
        if field is None:
            raise InvalidId(" or ".join(self.expressions), None, "is missing: a building needs an integer id")
        value = attributes[field]
        digits = value if self.pattern is None else _extract(self.pattern, field, value)
        try:
            return ids.from_export(digits)
        except ValueError as error:
            reason = str(error) if self.pattern is None else f"has the id {digits!r}, which {error}"
            raise InvalidId(field, value, reason) from None


@dataclass(frozen=True)
class AssignedId:
    """Fields or templates of the provider's text id, to which an integer is assigned."""

    expressions: tuple[str, ...]

    def text(self, attributes: Mapping[str, Any]) -> str:
        """Return the first text id that is not empty; InvalidValue if there is none."""
        for expression in self.expressions:
            text = " ".join(expand(expression, attributes, needs_all=True).split())
            if len(text) > MAX_LENGTH:
                raise InvalidId(expression, text, f"is longer than {MAX_LENGTH} characters")
            if text:
                return text
        raise InvalidId(" or ".join(self.expressions), None, "is missing: a building needs an id")


class IdAssigner:
    """Assigns the integers that the database has, and new ones beyond the greatest, which no other text ever had.

    Texts that look alike, with precomposed letters or combining marks, have one integer: programs write either.
    """

    def __init__(self, known: Mapping[str, int], first: int = 1) -> None:
        self.new: dict[str, int] = {}
        self._known = known
        self._composed = {normalize("NFC", text): id_ for text, id_ in known.items()}
        self._next = max([first - 1, *known.values()]) + 1

    def find(self, text: str, namespace: str = "") -> int | None:
        """Return the integer of a text id, None if it has none."""
        text = f"{namespace}/{text}" if namespace else text
        return self._known.get(text, self._composed.get(normalize("NFC", text)))

    def assign(self, text: str, namespace: str = "", first: int = 1) -> int:
        """Return the integer of a text id; a new one is `first` or greater, InvalidValue if it would be too great."""
        text = f"{namespace}/{text}" if namespace else text
        known = self.find(text)
        if known is not None:
            return known
        id_ = max(self._next, first)
        if id_ > _MAX_ASSIGNED:
            reason = f"gets no integer: it would follow {id_ - 1}, the greatest of the database or the profile"
            raise InvalidValue("id", text, reason)
        self.new[text] = self._composed[normalize("NFC", text)] = id_
        self._next = id_ + 1
        return id_


def text_id(kind: str, name: str) -> str:
    """Return the text id of what has no id but its name, whatever the letter case: a location, a category or a dish."""
    return f"{kind}/{fold_entity_name(name)}"


def fold_entity_name(name: str) -> str:
    """Return a name that is equal in any letter case, with precomposed letters or combining marks."""
    return normalize("NFC", name).casefold()


def parse_building_id(value: object) -> IntegerId | AssignedId:
    """Return how the id of `fields.id` is read; ValueError if it is invalid.

    It is a field or a list of fields, `{field = "@id", pattern = "([0-9]+)$"}` or `{assign = "ref"}`.
    """
    table = value if isinstance(value, dict) else {"field": value}
    if table.keys() == {"assign"}:
        expressions = parse_expressions("fields.id.assign", table["assign"])
        if not expressions:
            raise ValueError("fields.id.assign has no field name")
        return AssignedId(expressions)
    if not {"field"} <= table.keys() <= {"field", "pattern"}:
        raise ValueError('fields.id is neither {field = "@id", pattern = "([0-9]+)$"} nor {assign = "ref"}')
    fields = parse_expressions("fields.id", table["field"])
    for expression in filter(is_template, fields):
        raise ValueError(f"fields.id {expression!r} is a template: the id must be a single field")
    return IntegerId(fields or IntegerId.expressions, _parse_pattern(table["pattern"]) if "pattern" in table else None)


def _parse_pattern(value: object) -> str:
    pattern = parse_pattern("fields.id.pattern", value)
    groups = re.compile(pattern).groups
    if groups != 1:
        raise ValueError(f"fields.id.pattern {pattern!r} has {groups} groups instead of 1: (...)")
    return pattern


def _extract(pattern: str, field: str, value: object) -> str:
    match = search(pattern, field, parse_raw_text(field, value))
    if match is None or match[1] is None:
        raise InvalidId(field, value, f"does not match the pattern {pattern!r}")
    return match[1]
