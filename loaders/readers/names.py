"""Names that look wrong: near duplicates with different ids, and no names at all."""

import re
from collections.abc import Iterator

from loaders.errors import DataWarning
from loaders.text import normalized_name

_CODE = re.compile(r"\S*[0-9]\S*")


class NameChecker:
    """Detector of names that look wrong, of each field by itself; `characters` are those of all names together."""

    def __init__(self) -> None:
        self.characters = 0
        # The fields of which a value is a name, and a value of each that is none.
        self._named: set[str] = set()
        self._codes: dict[str, str] = {}
        self._checked: set[tuple[str, int, str]] = set()
        self._first: dict[tuple[str, str], tuple[int, str]] = {}

    def check(self, field: str, id_: int, name: str) -> DataWarning | None:
        """Return a warning if another id has nearly this name; each id and name is checked once."""
        if (field, id_, name) in self._checked:
            return None
        self._checked.add((field, id_, name))
        self.characters += len(name)
        if _CODE.fullmatch(name):
            self._codes.setdefault(field, name)
        elif name:
            self._named.add(field)
        first_id, first_name = self._first.setdefault((field, normalized_name(name)), (id_, name))
        if first_id == id_ or first_name == name:
            return None
        reason = f"(id {id_}) differs from {first_name!r} (id {first_id}) only in letter case or spaces"
        return DataWarning(field, name, reason)

    def check_all(self, field: str, noun: str) -> Iterator[DataWarning]:
        """Yield a warning if no value is a name, but a code."""
        if field not in self._named:
            shown = f" but {self._codes[field]!r}" if field in self._codes else ""
            yield DataWarning(noun, None, f"have no name{shown}: a profile can name them")
