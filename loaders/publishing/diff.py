"""What a load changes: documents by id, menus by date, location and meal; batches of them."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, TypeVar

from pymongo.collection import Collection

from campus_api.db.connection import BUILDINGS, MENUS, RECIPES
from campus_api.domain.building_fields import TEXT_FIELDS
from campus_api.domain.models import FACTS, meal_name
from loaders.documents.changed_values import Columns, compare_columns
from loaders.documents.encode import Document

Id = int | str
Fields = dict[str, tuple[Any, Any]]

_SHOWN = (*TEXT_FIELDS, "building")
# Fields whose values are too long for a report, with their names in it.
_LONG = {"point": "geometry", "polygons": "geometry", "hours": "hours"}
_NO_VALUES = (None, None)
# Each write command waits for a majority of the replica set.
_BATCH_SIZE = 10_000
# A building has a footprint, a recipe a page of ingredients, a date of menus some hundred items.
_BATCH_SIZES = {BUILDINGS: 1000, RECIPES: 1000, MENUS: 100}

Item = TypeVar("Item")


@dataclass(frozen=True)
class Change:
    """A document that is "added", "changed" or "removed"; `fields` has the old and new value of each changed field."""

    action: str
    id: Id
    name: str | None
    fields: Fields = field(default_factory=dict)

    @property
    def only_as_of_changed(self) -> bool:
        """Return whether facts are unchanged but for their date, as those of most recipes in a daily load."""
        return self.fields.keys() == {"as_of"}

    def __str__(self) -> str:
        """Return for example "changed 7 Lamont: city 'Cambridge' -> 'Boston'"."""
        name = "(no name)" if self.name is None else self.name
        line = f"{self.action} {self.id} {name}".rstrip()
        if not self.fields:
            return line
        fields = (key if old is new is None else f"{key} {old!r} -> {new!r}" for key, (old, new) in self.fields.items())
        return f"{line}: {'; '.join(fields)}"


@dataclass(frozen=True)
class MealChange:
    """The number of items of a meal at a location on a date, before and after, and the names removed and added."""

    only_as_of_changed: ClassVar[bool] = False

    date: str
    location: int
    name: str
    meal: int
    before: int
    after: int
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """Return the numbers of items in one line."""
        return f"{self.name}, {self.date}, {meal_name(self.meal)}: {self.before} -> {self.after} items"

    def __str__(self) -> str:
        names = [f"-{name}" for name in self.removed] + [f"+{name}" for name in self.added]
        return f"{self.summary} ({', '.join(names)})" if names else self.summary


@dataclass
class CollectionDiff:
    """Number of documents that a load adds, changes, removes and leaves unchanged in a collection, and the changes.

    The first load of buildings has no `changes`: all of them are added. `columns` are the fields of the documents that
    were compared, by name.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    changes: list[Change] = field(default_factory=list)
    columns: Columns = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """Return the four numbers by name."""
        return {key: getattr(self, key) for key in ("added", "changed", "removed", "unchanged")}

    @property
    def is_empty(self) -> bool:
        """Return whether all documents are unchanged."""
        return not (self.added or self.changed or self.removed)

    def compare(self, id_: Id, old: Document | None, new: Document | None) -> None:
        """Add the change from `old` to `new`, None meaning no document."""
        if old and new:
            compare_columns(self.columns, old, new)
        if old == new:
            self.unchanged += 1
        elif old is None or new is None:
            document = new or old or {}
            self.add("added" if old is None else "removed", id_, document.get("name", ""))
        else:
            self.add("changed", id_, new.get("name", ""), _changed_fields(old, new))

    def add(self, action: str, id_: Id, name: str | None = "", fields: Fields | None = None) -> None:
        """Add a document that is "added", "changed" or "removed"."""
        setattr(self, action, getattr(self, action) + 1)
        self.changes.append(Change(action, id_, name, fields or {}))


def meal_changes(
    date: str, before: Iterable[Document], after: Iterable[Document], names: Mapping[int, str]
) -> list[MealChange]:
    """Return the changed meals of a date by location and meal; `names` are the names of the locations."""
    old, new = _group_by_meal(before), _group_by_meal(after)
    changes = []
    for location, meal in sorted(old.keys() | new.keys()):
        was, is_ = old.get((location, meal), []), new.get((location, meal), [])
        if was != is_:
            name = names.get(location, f"location {location}")
            # The numbers are enough for a meal that is wholly new or wholly removed.
            dishes = (_names_missing(was, is_), _names_missing(is_, was)) if was and is_ else ()
            changes.append(MealChange(date, location, name, meal, len(was), len(is_), *dishes))
    return changes


def _changed_fields(old: Document, new: Document) -> Fields:
    changed = {key for key in (*_SHOWN, *_LONG) if old.get(key) != new.get(key)}
    fields: Fields = {key: (old.get(key), new.get(key)) for key in _SHOWN if key in changed}
    fields |= {name: _NO_VALUES for key, name in _LONG.items() if key in changed}
    return fields | _changed_facts(old.get("facts", {}), new.get("facts", {}))


def _changed_facts(old: Document, new: Document) -> Fields:
    changed = [key for key in FACTS if old.get(key) != new.get(key)]
    # What only loads read is no change of what is served.
    fields: Fields = dict.fromkeys(changed or (["as_of"] if old != new else []), _NO_VALUES)
    for name in {"allergens", "contains"} & fields.keys():
        fields[name] = _names(old, name), _names(new, name)
    return fields


def _names(facts: Document, name: str) -> str | None:
    """Return allergens as text, which recipes with the same ones share; None if they are unknown."""
    names = facts.get(name)
    return None if names is None else sys.intern(", ".join(names))


def _group_by_meal(items: Iterable[Document]) -> dict[tuple[int, int], list[tuple[int, int, str]]]:
    meals: dict[tuple[int, int], list[tuple[int, int, str]]] = {}
    for item in items:
        served = (item["category"], item["recipe"], item["name"])
        meals.setdefault((item["location"], item["meal"]), []).append(served)
    return meals


def _names_missing(items: list[tuple[int, int, str]], others: list[tuple[int, int, str]]) -> tuple[str, ...]:
    rest = set(others)
    return tuple(name for category, recipe, name in items if (category, recipe, name) not in rest)


def batch_size(collection: str) -> int:
    """Return the number of documents of a collection per command."""
    return _BATCH_SIZES.get(collection, _BATCH_SIZE)


def batches(items: Iterable[Item], size: int = _BATCH_SIZE) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def fetch_by_id(collection: Collection, ids: Iterable[Id]) -> dict[Id, Document]:
    """Return the documents with these ids."""
    return {document["_id"]: document for document in collection.find({"_id": {"$in": list(ids)}})}
