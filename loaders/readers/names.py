"""Names that differ only in letter case or spaces but have different ids, and ids that have different names."""

from loaders.errors import DataWarning
from loaders.text import normalized_name


class NameChecker:
    """Detector of near-duplicate names, of each field by itself; `characters` are those of all names together."""

    def __init__(self) -> None:
        self.characters = 0
        self._checked: set[tuple[str, int, str]] = set()
        self._first: dict[tuple[str, str], tuple[int, str]] = {}
        self._first_names: dict[tuple[str, int], str] = {}

    def check(self, field: str, id_: int, name: str) -> DataWarning | None:
        """Return a warning if another id has nearly this name; each id and name is checked once."""
        if (field, id_, name) in self._checked:
            return None
        self._checked.add((field, id_, name))
        self.characters += len(name)
        first_id, first_name = self._first.setdefault((field, normalized_name(name)), (id_, name))
        if first_id == id_ or first_name == name:
            return None
        reason = f"(id {id_}) differs from {first_name!r} (id {first_id}) only in letter case or spaces"
        return DataWarning(field, name, reason)

    def check_id(self, field: str, id_: int, name: str) -> DataWarning | None:
        """Return a warning if the id had another name before: two halls may have become one."""
        first_name = self._first_names.setdefault((field, id_), name)
        if first_name == name or normalized_name(first_name) == normalized_name(name):
            return None
        return DataWarning(field, name, f"(id {id_}) differs from {first_name!r}, its name in another row")
