"""Per-field statistics."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from campus_api.domain import ids
from campus_api.domain.text import truncate
from loaders.map_formats.positions import is_position
from loaders.text import is_blank

INTEGERS = "integers"
NUMBERS = "numbers"
TEXT = "text"
ADDRESSES = "addresses"
URLS = "URLs"
IMAGES = "images"
NESTED = "lists or objects"

_MAX_EXAMPLES = 3
_MAX_EXAMPLE_LENGTH = 32
# Longer values are classified by their beginning.
_MAX_CLASSIFIED_LENGTH = 500

_TAG = re.compile(r"[a-z_;]+")
# Or an address with its house number last.
_CODE = re.compile(r"\S*[0-9@]\S*|[A-Z]{1,5}|[a-z_;-]+|[\W\d_]+|[^\W\d_].*[\W_][0-9]+[A-Za-z]?")
_TEXT_TYPES = {
    NUMBERS: re.compile(r"[-+]?[0-9]*[.,]?[0-9]+(e[-+]?[0-9]+)?", re.IGNORECASE),
    "dates": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}([T ].*)?"),
    IMAGES: re.compile(r".*\.(jpe?g|png|gif|webp|tiff?)(\?.*)?", re.IGNORECASE),
    URLS: re.compile(r"(https?://|data:image/).*", re.IGNORECASE),
    ADDRESSES: re.compile(r"[0-9]+[0-9A-Za-z/-]*,? +[^\W\d_].*"),
}


def infer_type(value: Any) -> str | None:
    """Return the inferred type of a value, None for an empty one."""
    if is_blank(value):
        return None
    if isinstance(value, bool):
        return "booleans"
    if isinstance(value, list | dict):
        return NESTED
    if isinstance(value, str) and is_position(value):
        return "positions"
    try:
        ids.from_export(value)
    except ValueError:
        return _infer_text_type(value) if isinstance(value, str) else NUMBERS
    return INTEGERS


@dataclass
class FieldStats:
    """Statistics of one field: types of its values, distinct integers or hashes, and examples.

    `alias` is the title of the field, if the export has one. `max_length` is that of its texts, `tags` the number of
    those that are tags as in OpenStreetMap, `names` of those that may be names.
    """

    name: str
    alias: object = None
    types: Counter[str] = field(default_factory=Counter)
    distinct: set[int] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)
    max_length: int = 0
    tags: int = 0
    names: int = 0

    def add(self, value: Any) -> None:
        """Count the field's value in one record."""
        type_ = infer_type(value)
        if type_ is None:
            return
        self.types[type_] += 1
        if type_ == INTEGERS:
            self.distinct.add(value if type(value) is int else ids.from_export(value))
        elif type_ != NESTED:
            # Hashes take little memory.
            self.distinct.add(hash(value))
            self.max_length = max(self.max_length, len(str(value)))
        if type_ == TEXT:
            self.tags += bool(_TAG.fullmatch(value))
            self.names += not _CODE.fullmatch(value.strip())
        if len(self.examples) < _MAX_EXAMPLES:
            example = "…" if type_ == NESTED else truncate(_single_line(value), _MAX_EXAMPLE_LENGTH)
            if example not in self.examples:
                self.examples.append(example)

    @property
    def filled(self) -> int:
        """Return the number of records with a non-empty value."""
        return self.types.total()

    @property
    def is_unique(self) -> bool:
        """Return whether no value occurs twice."""
        return len(self.distinct) == self.filled

    @property
    def type_summary(self) -> str:
        """Return the types of the values, with counts if there are several."""
        if len(self.types) == 1:
            [type_] = self.types
            return f"{type_}, all different" if self.filled > 1 and self.is_unique else type_
        return ", ".join(f"{type_} ({count:,})" for type_, count in self.types.most_common()) or "empty"

    def is_mostly(self, *types: str) -> bool:
        """Return whether at least half of the values have one of these types."""
        return 0 < self.filled <= 2 * sum(self.types[type_] for type_ in types)


def _infer_text_type(text: str) -> str:
    line = _single_line(text)
    return next((type_ for type_, pattern in _TEXT_TYPES.items() if pattern.fullmatch(line)), TEXT)


def _single_line(value: Any) -> str:
    return " ".join(str(value)[:_MAX_CLASSIFIED_LENGTH].split())
