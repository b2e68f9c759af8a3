"""What dumps of both data sets have: records of known members, and the integers of text ids."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from loaders.errors import InvalidValue, require_valid

# Far below the greatest integer that every JSON parser takes, which leaves room for those that follow.
_MAX_ASSIGNED = 2 * 10**15

T = TypeVar("T")


class AssignedIdRecord(Struct):
    """A text id, and the integer that was assigned to it."""

    text: Annotated[str, Meta(min_length=1)]
    id: Annotated[int, Meta(ge=0, le=_MAX_ASSIGNED)]


def decode(record: Any, type_: type[T]) -> T:
    """Return a record as a type; InvalidValue names the member that is invalid."""
    try:
        return msgspec.convert(require_valid(record), type_)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        if "regex" in reason:
            reason = "A text has a control character or a lone surrogate"
        raise InvalidValue(path.rstrip("`") or "record", None, f"is invalid: {reason}") from None


class RestoredIds:
    """The integers of text ids in a dump."""

    def __init__(self) -> None:
        self.by_text: dict[str, int] = {}
        self._integers: set[int] = set()

    def add(self, record: Any) -> None:
        """Add a text id with its integer; InvalidValue if the record is invalid or repeats one of them."""
        assigned = decode(record, AssignedIdRecord)
        if assigned.text in self.by_text or assigned.id in self._integers:
            raise InvalidValue(assigned.text, assigned.id, "has the text or the integer of another record")
        self.by_text[assigned.text] = assigned.id
        self._integers.add(assigned.id)
