"""What is found in the fields of an unknown export, counted in a memory that does not grow with it."""

import re
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campus_api import ids
from loaders.errors import InvalidValue
from loaders.readers.result import SourceLocation

INTEGERS, NUMBERS, TEXT, ADDRESSES = "integers", "numbers", "text", "addresses"
URLS, IMAGES, NESTED = "URLs", "images", "lists or objects"

_MOST_VALUES = 100_000
_MOST_KEYS = 10_000
_MOST_FIELDS = 200
_EXAMPLES = 3
_REASONS = 5
_LOOKED_AT = 500
_LONGEST_EXAMPLE = 32

_PATTERNS = {
    'the word "Null"': re.compile(r"<?null>?", re.IGNORECASE),
    NUMBERS: re.compile(r"[-+]?[0-9]*[.,]?[0-9]+(e[-+]?[0-9]+)?", re.IGNORECASE),
    "dates": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}([T ].*)?"),
    IMAGES: re.compile(r".*\.(jpe?g|png|gif|webp|tiff?)(\?.*)?", re.IGNORECASE),
    URLS: re.compile(r"https?://.*", re.IGNORECASE),
    ADDRESSES: re.compile(r"[0-9]+[0-9A-Za-z/-]*,? +[^\W\d_].*"),
}


def kind_of(value: Any) -> str | None:
    """Return what a value looks like, None for one that says nothing."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list | dict):
        return NESTED
    try:
        ids.from_export(value)
    except ValueError:
        return _kind_of_text(value) if isinstance(value, str) else NUMBERS
    return INTEGERS


def _kind_of_text(text: str) -> str:
    line = _line(text)
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(line)), TEXT)


def _line(value: Any) -> str:
    """Return the beginning of a value as one line."""
    return " ".join(str(value)[:_LOOKED_AT].split())


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


class Distinct:
    """How many different values there are, counted up to a limit."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: set[Hashable] = set()
        self.is_over = False

    def add(self, value: Hashable) -> None:
        """Count a value, unless it was seen before or too many were."""
        if not self.is_over:
            self._seen.add(hash(value) if isinstance(value, str) else value)
            if len(self._seen) > _MOST_VALUES:
                self._seen, self.is_over = set(), True

    def __len__(self) -> int:
        return _MOST_VALUES if self.is_over else len(self._seen)

    def __str__(self) -> str:
        return f"over {_MOST_VALUES:,}" if self.is_over else f"{len(self):,}"


@dataclass
class Tally:
    """What was found in one field: how many values of each kind, how many different ones, and examples."""

    name: str
    kinds: Counter[str] = field(default_factory=Counter)
    distinct: Distinct = field(default_factory=Distinct)
    examples: list[str] = field(default_factory=list)
    integers: tuple[int, int] | None = None

    def add(self, value: Any) -> None:
        """Count the field's value in one record."""
        kind = kind_of(value)
        if kind is None:
            return
        self.kinds[kind] += 1
        if kind == INTEGERS:
            self._widen(ids.from_export(value))
            self.distinct.add(ids.from_export(value))
        elif kind != NESTED:
            self.distinct.add(value)
        self._show("…" if kind == NESTED else _line(value))

    def _widen(self, number: int) -> None:
        smallest, largest = self.integers or (number, number)
        self.integers = min(smallest, number), max(largest, number)

    def _show(self, text: str) -> None:
        short = text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]}…"
        if len(self.examples) < _EXAMPLES and short not in self.examples:
            self.examples.append(short)

    @property
    def given(self) -> int:
        """Return in how many records the field says something."""
        return self.kinds.total()

    @property
    def is_all_different(self) -> bool:
        """Tell whether no value occurs twice, as far as they were counted."""
        return self.distinct.is_over or len(self.distinct) == self.given

    @property
    def looks_like(self) -> str:
        """Return the kinds of the values, with their numbers where there are several."""
        if len(self.kinds) != 1:
            return ", ".join(f"{kind} ({number:,})" for kind, number in self.kinds.most_common()) or "nothing"
        known = self.given > 1 and self.is_all_different and not self.distinct.is_over
        return f"{next(iter(self.kinds))}{', all different' * known}"

    def mostly(self, *kinds: str) -> bool:
        """Tell whether at least half of the values are of these kinds."""
        return 0 < self.given <= 2 * sum(self.kinds[kind] for kind in kinds)


class Tallies(dict[str, Tally]):
    """The tally of each field, up to a limit."""

    is_over = False

    def add(self, record: Mapping[str, Any]) -> None:
        """Count the values of one record."""
        for name, value in record.items():
            if name not in self and len(self) < _MOST_FIELDS:
                self[name] = Tally(name)
            if name in self:
                self[name].add(value)
            else:
                self.is_over = True


class Counts(Counter[Any]):
    """How often each key occurs; keys after a limit are not counted."""

    is_over = False

    def add(self, key: Hashable) -> None:
        """Count a key once more."""
        if key in self or len(self) < _MOST_KEYS:
            self[key] += 1
        else:
            self.is_over = True


class Unusable:
    """How many records cannot be used for each reason, and where the first of them stands."""

    def __init__(self, noun: str) -> None:
        """Take what the records are called."""
        self._noun = noun
        self._counts = Counts()
        self._first: dict[tuple[str, str], str] = {}
        self._total = 0

    def add(self, place: SourceLocation, bad: InvalidValue) -> None:
        """Count a record and why it cannot be used."""
        self._total += 1
        self._counts.add((bad.field, bad.reason))
        if (bad.field, bad.reason) in self._counts:
            self._first.setdefault((bad.field, bad.reason), str(place))

    def lines(self) -> list[str]:
        """Return how many there are and the most frequent reasons, one a line; nothing when there are none."""
        found = self._counts.most_common(_REASONS)
        reasons = [
            f"    {self._first[why]}: {' '.join(why)}{f' ({number:,} times)' * (number > 1)}" for why, number in found
        ]
        return [f"{counted(self._total, self._noun)} cannot be used:", *reasons] if found else []
