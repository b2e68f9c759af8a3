"""What a load would change: an export compared with what is live."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pymongo.database import Database

from campus_api.database import BUILDINGS, CATEGORIES, DATASETS, IMPORTS, LOCATIONS, MENUS, RECIPES
from campus_api.folding import fold
from campus_api.models import Building, MenuItem, Named
from loaders.servings import Serving, latest_names

Document = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """What a load changes in one collection: the documents to write, and how many go and stay."""

    added: list[Document]
    changed: list[Document]
    removed: int
    unchanged: int

    @property
    def counts(self) -> dict[str, int]:
        """Return how many documents are added, changed, removed and unchanged."""
        return {
            "added": len(self.added),
            "changed": len(self.changed),
            "removed": self.removed,
            "unchanged": self.unchanged,
        }


@dataclass(frozen=True)
class Plan:
    """A load that was compared and not yet written.

    `live` is the record of the live data set, None before the first load; `documents` are all documents of the
    collection that is written whole (buildings); `interrupted` tells that an earlier load was not finished.
    """

    dataset: str
    live: Mapping[str, Any] | None
    differences: dict[str, Difference]
    documents: list[Document]
    interrupted: bool

    @property
    def revision(self) -> int:
        """Return the number of the revision that this load makes."""
        return self.live["revision"] + 1 if self.live else 1

    @property
    def changes_nothing(self) -> bool:
        """Tell whether all that the export says is live."""
        parts = self.differences.values()
        return not self.interrupted and not any(part.added or part.changed or part.removed for part in parts)


def plan_buildings(database: Database, buildings: Iterable[Building]) -> Plan:
    """Compare all buildings with those that are live; what the export does not have is removed."""
    live = _live(database, "buildings")
    documents = sorted(map(_building_document, buildings), key=lambda document: document["_id"])
    published = database[live["collection"]].find() if live else []
    differences = {"buildings": _compare(published, documents, whole=True)}
    return Plan("buildings", live, differences, documents, _interrupted(database, "buildings"))


def plan_dining(database: Database, servings: Iterable[Serving]) -> Plan:
    """Compare the names and the days of an export with what is live; nothing that it does not speak of changes."""
    servings = list(servings)
    names = {
        CATEGORIES: latest_names((serving.date, serving.category) for serving in servings),
        LOCATIONS: latest_names((serving.date, serving.location) for serving in servings),
        RECIPES: latest_names((serving.date, serving.recipe) for serving in servings),
    }
    wanted = {collection: [_name_document(name) for name in named] for collection, named in names.items()}
    wanted[MENUS] = _menu_documents(serving.item for serving in servings)
    differences = {name: _compare_some(database, name, documents) for name, documents in wanted.items()}
    return Plan("dining", _live(database, "dining"), differences, [], _interrupted(database, "dining"))


def collection_of(revision: int) -> str:
    """Return the name of the collection that holds the buildings of a revision."""
    return BUILDINGS.format(revision=revision)


def _live(database: Database, dataset: str) -> Document | None:
    return database[DATASETS].find_one({"_id": dataset})


def _interrupted(database: Database, dataset: str) -> bool:
    return database[IMPORTS].find_one({"dataset": dataset, "state": "started"}) is not None


def _compare_some(database: Database, collection: str, documents: list[Document]) -> Difference:
    ids = [document["_id"] for document in documents]
    return _compare(database[collection].find({"_id": {"$in": ids}}), documents, whole=False)


def _compare(live: Iterable[Document], wanted: Iterable[Document], *, whole: bool) -> Difference:
    rest = {document["_id"]: document for document in wanted}
    changed, removed, unchanged = [], 0, 0
    for document in live:
        new = rest.pop(document["_id"], None)
        if new is None:
            removed += whole
        elif new == document:
            unchanged += 1
        else:
            changed.append(new)
    return Difference(list(rest.values()), changed, removed, unchanged)


def _building_document(building: Building) -> Document:
    return {
        "_id": building.id,
        "name": building.name,
        "address": building.address,
        "city": building.city,
        "image": building.image,
        "point": list(building.point),
        "polygons": [[list(position) for position in ring] for ring in building.polygons],
        "search": {"name": fold(building.name or ""), "address": fold(building.address)},
    }


def _name_document(named: Named) -> Document:
    return {"_id": named.id, "name": named.name}


def _menu_documents(items: Iterable[MenuItem]) -> list[Document]:
    """Return a document per date, its items by meal and location, then as the export has them."""
    days: dict[str, list[MenuItem]] = {}
    for item in items:
        days.setdefault(item.date, []).append(item)
    return [
        {"_id": date, "items": [_item(item) for item in sorted(day, key=lambda item: (item.meal, item.location))]}
        for date, day in sorted(days.items())
    ]


def _item(item: MenuItem) -> Document:
    return {
        "meal": item.meal,
        "location": item.location,
        "category": item.category,
        "recipe": item.recipe,
        "name": item.name,
    }
