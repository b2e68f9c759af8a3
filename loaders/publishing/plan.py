"""What a load would change: the buildings of an export compared with the live ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import bson
from pymongo.collection import Collection
from pymongo.database import Database

from campus_api.db.connection import BUILDINGS, COLLECTIONS, read_dataset
from campus_api.domain.building_fields import Building
from campus_api.domain.models import DatasetDocument, are_samples
from loaders.documents.encode import building_document
from loaders.geo.coordinates import bounding_box
from loaders.profiles.thresholds import BoundingBox, Thresholds
from loaders.publishing import checks
from loaders.publishing.assigned_ids import read_assigned_ids
from loaders.publishing.checks import SafetyViolation
from loaders.publishing.diff import CollectionDiff, Id, MealChange, batch_size
from loaders.result import BuildingRead

# The name and the hash of a file.
Source = dict[str, str]


@dataclass
class Plan:
    """What a revision would change in a data set; nothing has been written.

    `current` is the document of the live data set, None before the first load. `assigned_ids` are the stored integers
    of text ids, `database_id` is the UUID of a dump. `sources` are the files of the load or, of an undo, those of the
    revision that it restores; `error_count` is the number of their errors, and `warnings` are those of the load,
    encoded for its entry in the history. `restores` is the revision that an undo makes live again, instead of new
    documents.
    """

    dataset: str
    current: DatasetDocument | None
    differences: dict[str, CollectionDiff]
    assigned_ids: Mapping[str, int] = field(default_factory=dict)
    meal_changes: list[MealChange] = field(default_factory=list)
    sources: Sequence[Source] = ()
    error_count: int = 0
    warnings: Mapping[str, Any] = field(default_factory=dict)
    database_id: str = ""
    restores: DatasetDocument | None = None

    @classmethod
    def for_dataset(cls, database: Database, dataset: str, **fields: Any) -> Self:
        """Return a plan that changes nothing of the live revision; `fields` are those of the subclass."""
        return cls(
            dataset,
            current=read_dataset(database, dataset),
            differences={name: CollectionDiff() for name in COLLECTIONS[dataset]},
            assigned_ids=read_assigned_ids(database, dataset),
            **fields,
        )

    @property
    def current_revision(self) -> int | None:
        return self.current["revision"] if self.current else None

    @property
    def reverts(self) -> int | None:
        """Return the number of the revision that an undo reverts."""
        return self.current_revision if self.restores else None

    @property
    def is_empty(self) -> bool:
        """Return whether all documents are live already."""
        return self.current is not None and all(diff.is_empty for diff in self.differences.values())

    @property
    def replaces_samples(self) -> bool:
        return are_samples(self.current)

    @property
    def dates(self) -> Sequence[str]:
        """Return the sorted dates with items, none for an export without dates."""
        return ()

    def documents(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Return the documents to insert into a collection."""
        return ()

    def live_to_copy(self, name: str) -> tuple[str, list[Id]] | None:
        """Return the live collection to copy and the ids to leave out, None to begin with an empty one."""
        return None


@dataclass
class BuildingPlan(Plan):
    """All buildings of an export compared with the live ones; `area` is the bounding box of the live ones."""

    buildings: Mapping[int, Building] = field(default_factory=dict)
    area: BoundingBox | None = None

    def checks(self, reading: BuildingRead, thresholds: Thresholds) -> list[SafetyViolation]:
        """Return why the plan should not be published."""
        area = None if self.replaces_samples else self.area
        outside = checks.outside_area(checks.building_extents(reading.records), reading.locations, area, thresholds)
        if self.current is None or self.replaces_samples:
            return outside
        new_ids = checks.id_table_lost("building", reading, self.assigned_ids)
        return [*outside, *new_ids, *self.check_changes(thresholds)]

    def check_changes(self, thresholds: Thresholds) -> list[SafetyViolation]:
        """Return a violation if too many buildings are lost, and one for each field that too many of them change."""
        diff = self.differences[BUILDINGS]
        return [*checks.removed_buildings(diff, thresholds), *checks.changed_values(BUILDINGS, diff)]

    def documents(self, name: str) -> Iterable[Mapping[str, Any]]:
        return map(building_document, self.buildings.values())


def plan_buildings(database: Database, buildings: Iterable[Building]) -> BuildingPlan:
    """Compare all buildings with the live ones; buildings that are not in the export are removed."""
    plan = BuildingPlan.for_dataset(database, "buildings", buildings={each.id: each for each in buildings})
    if plan.current is None:
        plan.differences[BUILDINGS].added = len(plan.buildings)
    else:
        _compare_buildings(database[plan.current["collections"][BUILDINGS]], plan)
    return plan


def _compare_buildings(live: Collection, plan: BuildingPlan) -> None:
    diff, points, others = plan.differences[BUILDINGS], [], dict(plan.buildings)
    for old in live.find(sort=[("_id", 1)], batch_size=batch_size(BUILDINGS)):
        points.append(old["point"])
        building = others.pop(old["_id"], None)
        # As MongoDB returns it, with lists in place of tuples.
        new = bson.decode(bson.encode(building_document(building))) if building else None
        diff.compare(old["_id"], old, new)
    for building in others.values():
        diff.add("added", building.id, building.name)
    diff.changes.sort(key=lambda change: (change.action == "removed", change.id))
    plan.area = bounding_box(points) if points else None
