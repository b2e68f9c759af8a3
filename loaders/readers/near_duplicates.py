"""Names that differ only by letter case or spaces, under different ids: one thing, perhaps, with two numbers."""

from loaders.readers.result import BadValue


def looks_of(name: str) -> str:
    """Return what is the same for all names that look alike."""
    return "".join(name.split()).casefold()


class Lookalikes:
    """The names that were seen, of one kind each."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: set[tuple[str, int, str]] = set()
        self._first: dict[tuple[str, str], tuple[int, str]] = {}

    def odd(self, field: str, id_: int, name: str) -> BadValue | None:
        """Remember a name and return what is odd about it, the first time that it is seen."""
        if (field, id_, name) in self._seen:
            return None
        self._seen.add((field, id_, name))
        key = (field, looks_of(name))
        other, written = self._first.setdefault(key, (id_, name))
        if other == id_ or written == name:
            return None
        return BadValue(field, name, f"(id {id_}) differs from {written!r} (id {other}) only by letter case or spaces")
