"""Categories, locations and recipes as MongoDB documents; recipes with their facts, locations with their hours."""

import marshal
from collections.abc import Iterator, Mapping
from dataclasses import replace

from campus_api.domain.models import Facts, Hall, decode_facts, encode_facts, hall_from_document
from loaders.documents.encode import MARSHAL_VERSION, Document, compute_digest
from loaders.documents.serving import merge_facts
from loaders.text import normalized_name

# Change this when the same recipe becomes another document than before.
_FORMAT = "recipe 1"


class EntityDocuments(Mapping[int, Document]):
    """The documents of categories, locations or recipes by id, created on access: facts take less memory."""

    def __init__(self, names: Mapping[int, str], facts: Mapping[int, Facts]) -> None:
        self._names = dict(sorted(names.items()))
        self._facts = dict(facts)

    def __getitem__(self, id_: int) -> Document:
        document: Document = {"_id": id_, "name": self._names[id_]}
        if id_ in self._facts:
            document["facts"] = encode_facts(self._facts[id_])
            document["digest"] = compute_digest(_FORMAT, marshal.dumps(document, MARSHAL_VERSION))
        return document

    def __iter__(self) -> Iterator[int]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def merge_live(self, live: Document, *, is_served: bool = False) -> None:
        """Add the facts of a live recipe, unless the export has others or another dish of the same number.

        If menus that stay live still serve it, it has the allergens of both, and their common labels.
        """
        if "facts" in live:
            id_, facts = live["_id"], decode_facts(live["facts"])
            if normalized_name(live["name"]) == normalized_name(self._names[id_]):
                self._facts.setdefault(id_, facts)
            if is_served and id_ in self._facts:
                merged = merge_facts(facts, self._facts[id_])
                self._facts[id_] = replace(
                    self._facts[id_], allergens=merged.allergens, labels=merged.labels, as_of=merged.as_of
                )


class LocationDocuments(EntityDocuments):
    """The documents of locations by id, with their building and serving hours."""

    def __init__(self, names: Mapping[int, str], halls: Mapping[int, Hall]) -> None:
        super().__init__(names, {})
        self._halls = dict(halls)

    def __getitem__(self, id_: int) -> Document:
        return super().__getitem__(id_) | _hall_document(self._halls.get(id_, Hall()))

    def merge_live(self, live: Document, *, is_served: bool = False) -> None:
        """Add the building and the hours of a live location, unless the profile or the export has others."""
        self._halls.setdefault(live["_id"], hall_from_document(live))


def _hall_document(hall: Hall) -> Document:
    document: Document = {}
    if hall.building is not None:
        document["building"] = hall.building
    if hall.hours:
        document["hours"] = [each._asdict() for each in hall.hours]
    return document
