"""Where the id of a building comes from: an integer field, or the part of a field that a pattern extracts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campus_api.domain import ids
from loaders.errors import InvalidValue
from loaders.profiles.patterns import parse_pattern, search
from loaders.profiles.sources import is_template, parse_sources
from loaders.text import parse_raw_text


class InvalidId(InvalidValue):
    """A missing or invalid building id."""


@dataclass(frozen=True)
class IdSource:
    """The fields of the id, of which the first non-empty one is used, and the pattern that extracts it."""

    fields: tuple[str, ...] = ("id",)
    pattern: re.Pattern[str] | None = None

    def parse(self, attributes: Mapping[str, Any]) -> int:
        """Return the id; InvalidValue if it is missing or no integer."""
        for field in self.fields:
            value = attributes.get(field)
            if value is not None and not (isinstance(value, str) and not value.strip()):
                return self._parse_value(field, value)
        raise InvalidId(" or ".join(self.fields), None, "is missing: a building needs an integer id")

    def _parse_value(self, field: str, value: object) -> int:
        digits = value if self.pattern is None else _extract(self.pattern, field, value)
        try:
            return ids.from_export(digits)
        except ValueError as error:
            reason = str(error) if self.pattern is None else f"has the id {digits!r}, which {error}"
            raise InvalidId(field, value, reason) from None


def parse_id_source(value: object) -> IdSource:
    """Return the source of `fields.id`: fields, or `{field = "@id", pattern = "([0-9]+)$"}`; ValueError if invalid."""
    if not isinstance(value, dict):
        return IdSource(_parse_fields("fields.id", value))
    if value.keys() != {"field", "pattern"}:
        raise ValueError('fields.id is not of the form {field = "@id", pattern = "([0-9]+)$"}')
    pattern = parse_pattern("fields.id.pattern", value["pattern"])
    if pattern.groups != 1:
        raise ValueError(f"fields.id.pattern {pattern.pattern!r} has {pattern.groups} groups instead of 1: (...)")
    return IdSource(_parse_fields("fields.id.field", value["field"]), pattern)


def _parse_fields(key: str, value: object) -> tuple[str, ...]:
    fields = parse_sources(key, value)
    for source in filter(is_template, fields):
        raise ValueError(f"{key} {source!r} is a template: the id must be a single field")
    return fields or IdSource.fields


def _extract(pattern: re.Pattern[str], field: str, value: object) -> str:
    match = search(pattern, field, parse_raw_text(field, value))
    if match is None or match[1] is None:
        raise InvalidId(field, value, f"does not match the pattern {pattern.pattern!r}")
    return match[1]
