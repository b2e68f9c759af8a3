"""Integers for the text ids of providers."""

from collections.abc import Mapping


class IdAssigner:
    """Assigns the integers that the database has, and new ones beyond the greatest, which no other text ever had."""

    def __init__(self, known: Mapping[str, int]) -> None:
        self.new: dict[str, int] = {}
        self._known = known
        self._next = max(known.values(), default=0) + 1

    def assign(self, text: str, first: int) -> int:
        """Return the integer of a text id; a new one is `first` or greater."""
        known = self._known.get(text, self.new.get(text))
        if known is not None:
            return known
        id_ = self.new[text] = max(self._next, first)
        self._next = id_ + 1
        return id_
