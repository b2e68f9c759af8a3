"""What a load changes: documents compared one by one, menus by date, location and meal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
Id = int | str
Fields = dict[str, tuple[Any, Any]]

_BUILDING_FIELDS = ("name", "address", "city", "image")
_MEALS = ("breakfast", "lunch", "dinner")


@dataclass(frozen=True)
class Change:
    """A document that is "added", "changed" or "removed"; `fields` has the value before and after of what differs."""

    what: str
    id: Id
    name: str | None
    fields: Fields = field(default_factory=dict)

    def __str__(self) -> str:
        """Return one line for a person."""
        fields = "; ".join(_change(key, old, new) for key, (old, new) in self.fields.items())
        name = "(no name)" if self.name is None else self.name
        return f"{self.what} {self.id} {name}".rstrip() + f": {fields}" * bool(fields)


@dataclass(frozen=True)
class MealChange:
    """The items of a meal at a location on a date: how many there were and are, and names that go and come."""

    date: str
    location: int
    name: str
    meal: int
    before: int
    after: int
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """Return the numbers as one line for a person."""
        return f"{self.name}, {self.date}, {_MEALS[self.meal]}: {self.before} -> {self.after} items"

    def __str__(self) -> str:
        """Return the numbers and the names of what goes and comes."""
        names = [f"-{name}" for name in self.gone] + [f"+{name}" for name in self.new]
        return self.line + (f" ({', '.join(names)})" if names else "")


@dataclass
class Difference:
    """What a load changes in one collection: numbers of documents, and each one that it changes.

    Where nothing was live before, `changes` of buildings are not listed one by one.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    changes: list[Change] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """Return how many documents are added, changed, removed and unchanged."""
        return {key: getattr(self, key) for key in ("added", "changed", "removed", "unchanged")}

    @property
    def changes_nothing(self) -> bool:
        """Tell whether every document stays as it is."""
        return not (self.added or self.changed or self.removed)

    def compare(self, id_: Id, old: Document | None, new: Document | None) -> bool:
        """Add what a load makes of one document, None where there is none; tell whether it changes anything."""
        if old == new:
            self.unchanged += new is not None
            return False
        what = "added" if old is None else "removed" if new is None else "changed"
        fields = _fields(old, new) if old and new else {}
        self.add(what, id_, (new or old).get("name", ""), fields)
        return True

    def add(self, what: str, id_: Id, name: str | None = "", fields: Fields | None = None) -> None:
        """Add a document that is "added", "changed" or "removed"."""
        setattr(self, what, getattr(self, what) + 1)
        self.changes.append(Change(what, id_, name, fields or {}))


def meal_changes(
    date: str, before: Iterable[Document], after: Iterable[Document], names: Mapping[int, str]
) -> list[MealChange]:
    """Return what changes of the meals of a date, by location and meal; `names` are those of the locations."""
    old, new = _meals(before), _meals(after)
    changes = []
    for location, meal in sorted(old.keys() | new.keys()):
        was, is_ = old.get((location, meal), []), new.get((location, meal), [])
        if was != is_:
            name = names.get(location, f"location {location}")
            # Of a meal that is wholly new or wholly gone the number says enough.
            dishes = (_without(was, is_), _without(is_, was)) if was and is_ else ()
            changes.append(MealChange(date, location, name, meal, len(was), len(is_), *dishes))
    return changes


def _change(key: str, old: Any, new: Any) -> str:
    return key if old is new is None else f"{key} {old!r} -> {new!r}"


def _fields(old: Document, new: Document) -> Fields:
    fields = {key: (old.get(key), new.get(key)) for key in _BUILDING_FIELDS if old.get(key) != new.get(key)}
    if any(old.get(key) != new.get(key) for key in ("point", "polygons")):
        # Coordinates tell a person nothing.
        fields["geometry"] = (None, None)
    return fields


def _meals(items: Iterable[Document]) -> dict[tuple[int, int], list[tuple[int, int, str]]]:
    meals: dict[tuple[int, int], list[tuple[int, int, str]]] = {}
    for item in items:
        served = (item["category"], item["recipe"], item["name"])
        meals.setdefault((item["location"], item["meal"]), []).append(served)
    return meals


def _without(items: list[tuple[int, int, str]], others: list[tuple[int, int, str]]) -> tuple[str, ...]:
    rest = set(others)
    return tuple(name for category, recipe, name in items if (category, recipe, name) not in rest)
