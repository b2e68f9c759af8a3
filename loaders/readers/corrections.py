"""Corrections of a profile, applied to the buildings of an export."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from campus_api.domain.building_fields import Building
from loaders.errors import DataWarning
from loaders.profiles.corrections import Corrections
from loaders.result import AppliedCorrection, BuildingRead


class Corrector:
    """Corrects the buildings of an export, and notes which corrections have an effect."""

    def __init__(self, corrections: Corrections) -> None:
        self._corrections = corrections
        self._ids: set[int] = set()
        self._applied: dict[tuple[int, str], AppliedCorrection] = {}

    def retires(self, id_: int) -> bool:
        """Return whether the building with this id is to be left out."""
        if "retired" not in self._corrections.by_id.get(id_, ()):
            return False
        self._ids.add(id_)
        self._applied[id_, "retired"] = AppliedCorrection(id_, "retired", False, True)
        return True

    def correct(self, building: Building) -> Building:
        """Return the building with its corrected fields."""
        fields = self._corrections.by_id.get(building.id, {})
        self._ids.add(building.id)
        for field, value in fields.items():
            if getattr(building, field) != value:
                applied = AppliedCorrection(building.id, field, getattr(building, field), value)
                self._applied.setdefault((building.id, field), applied)
        return replace(building, **fields)

    def report(self, result: BuildingRead) -> None:
        """Add the applied corrections to the result, and warnings about those that change nothing."""
        result.corrections += self._applied.values()
        for id_, fields in self._corrections.by_id.items():
            result.add_warnings(self._corrections.file, self._warnings(id_, fields))

    def _warnings(self, id_: int, fields: Mapping[str, Any]) -> Iterator[DataWarning]:
        if id_ not in self._ids:
            yield DataWarning(str(id_), None, "is not the id of a building in the export")
            return
        for field, value in fields.items():
            if (id_, field) not in self._applied:
                yield DataWarning(f"{id_}.{field}", value, "changes nothing: the export has this value")
