"""Categories, locations and recipes as MongoDB documents; recipes with their facts, locations with their hours."""

import marshal
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from campus_api.domain.models import Facts, LocationDetails, MealHours, decode_facts, encode_facts
from loaders.documents.encode import MARSHAL_VERSION, Document, compute_digest
from loaders.documents.evidence import Evidence, with_denied
from loaders.documents.facts import combine_facts
from loaders.documents.serving import DiningLists
from loaders.text import normalized_name

# Change this when the same recipe becomes another document than before.
_FORMAT = "recipe 1"


class _Entity(NamedTuple):
    name: str
    facts: Facts | None


class EntityDocuments(Mapping[int, Document]):
    """The documents of categories, locations or recipes by id, created on access: facts take less memory."""

    def __init__(self, names: Mapping[int, str], facts: Mapping[int, Facts]) -> None:
        self._names = dict(sorted(names.items()))
        self._facts = dict(facts)
        self.evidence: Evidence = {}

    def __getitem__(self, id_: int) -> Document:
        document: Document = {"_id": id_, "name": self._names[id_]}
        if id_ in self._facts:
            document["facts"] = encode_facts(with_denied(self._facts[id_], self.evidence))
            document["digest"] = compute_digest(_FORMAT, marshal.dumps(document, MARSHAL_VERSION))
        return document

    def __iter__(self) -> Iterator[int]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def merge_live(self, live: Document, *, is_newer: bool, both_served: bool) -> None:
        """Merge a live document, which has the name and the facts if it `is_newer` than the export, or only live.

        Union of the allergens of the live and the loaded recipe if other dates still serve it (`both_served`);
        intersection of their labels.
        """
        id_ = live["_id"]
        exported = _Entity(self._names.setdefault(id_, live["name"]), self._facts.pop(id_, None))
        stored = _Entity(live["name"], decode_facts(live["facts"]) if "facts" in live else None)
        newer, older = (stored, exported) if is_newer else (exported, stored)
        self._names[id_] = newer.name
        if facts := _merge_facts(newer, older, both_served=both_served):
            self._facts[id_] = facts


class LocationDocuments(EntityDocuments):
    """The documents of locations by id, with their building and serving hours."""

    def __init__(self, names: Mapping[int, str], lists: DiningLists) -> None:
        super().__init__(names, {})
        self._halls = dict(lists.halls)
        self._configured = lists.configured_halls

    def __getitem__(self, id_: int) -> Document:
        hall = self._configured.get(id_, self._halls.get(id_, LocationDetails()))
        known = {name: value for name, value in encode_details(hall).items() if value is not None}
        return super().__getitem__(id_) | known

    def merge_live(self, live: Document, *, is_newer: bool, both_served: bool) -> None:
        """Merge a live location, with its building and hours unless the profile or a newer export has others."""
        super().merge_live(live, is_newer=is_newer, both_served=both_served)
        id_, stored = live["_id"], details_from_document(live)
        if is_newer and stored != LocationDetails():
            self._halls[id_] = stored
        self._halls.setdefault(id_, stored)


def encode_details(hall: LocationDetails) -> Document:
    """Return where and when a location serves, with None for what is not known."""
    hours = [each._asdict() for each in hall.hours]
    return {"building": hall.building, "hours": hours or None, "aliases": [*hall.aliases] or None}


def details_from_document(document: Document) -> LocationDetails:
    """Return where and when a stored location serves."""
    hours = tuple(MealHours(**each) for each in document.get("hours", ()))
    return LocationDetails(document.get("building"), hours, tuple(document.get("aliases", ())))


def _merge_facts(newer: _Entity, older: _Entity, *, both_served: bool) -> Facts | None:
    """Return the facts of the newer entity; if it has none, those of the older one if that is the same dish."""
    is_same_dish = normalized_name(newer.name) == normalized_name(older.name)
    if newer.facts is None:
        return older.facts if is_same_dish else None
    if not both_served or (older.facts is None and is_same_dish):
        return newer.facts
    return combine_facts(newer.facts, older.facts or Facts())
