"""The table [filter] of a profile: which features are buildings at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from loaders.profiles.values import parse_pattern, search
from loaders.text import parse_text


@dataclass(frozen=True)
class Condition:
    """A field whose value must be one of these texts, or match the pattern; an absent field is the empty text."""

    field: str
    values: frozenset[str] = frozenset()
    pattern: str | None = None

    def matches(self, attributes: Mapping[str, Any]) -> bool:
        """Return whether the value matches; InvalidValue if it is neither text, a number nor a boolean."""
        text = _as_text(self.field, attributes.get(self.field))
        if self.pattern is not None:
            return search(self.pattern, self.field, text) is not None
        return text in self.values


def parse_filter(table: Mapping[str, Any]) -> tuple[Condition, ...]:
    """Return the conditions of a table of fields; ValueError if one is invalid."""
    return tuple(_parse_condition(field, value) for field, value in table.items())


def _parse_condition(field: str, value: object) -> Condition:
    key = f"filter.{field}"
    if isinstance(value, dict) and value.keys() == {"pattern"}:
        return Condition(field, pattern=parse_pattern(f"{key}.pattern", value["pattern"]))
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(each, str | int | float) for each in values):
        raise ValueError(f'{key} is neither a value, a list of values nor {{pattern = "..."}}')
    return Condition(field, frozenset(_as_text(key, each) for each in values))


def _as_text(field: str, value: object) -> str:
    """Return a value as text, in which exports and profiles are compared: 7 and "7", true and "true" are equal."""
    return str(value).lower() if isinstance(value, bool) else parse_text(field, value)
