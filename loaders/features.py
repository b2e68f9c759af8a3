"""The features of map exports: attributes by name, and a footprint in latitude, longitude."""

from collections.abc import Iterator, Mapping
from typing import Any

from loaders.exports import BadValue, Place, UnreadableExport
from loaders.files import Export
from loaders.geometry import footprint
from loaders.json_records import JsonRecords


class GeoJsonFeature:
    """A feature of a GeoJSON FeatureCollection."""

    lists = ("features",)

    def __init__(self, record: Any) -> None:
        """Take a record of the list of features."""
        if not isinstance(record, dict):
            raise BadValue("feature", record, "is not a JSON object")
        self._record = record

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the properties, and the feature's own id if it has one."""
        properties = self._record.get("properties")
        if not isinstance(properties, dict | None):
            raise BadValue("properties", properties, "is not a JSON object")
        id_ = self._record.get("id")
        return (properties or {}) if id_ is None else {**(properties or {}), "id": id_}

    @property
    def footprint(self):
        """Return the point and the polygons."""
        return footprint(self._record.get("geometry"))


def features(export: Export) -> Iterator[tuple[Place, Any]]:
    """Yield each record of a map export with its place; UnreadableExport when it is not in the format."""
    records = JsonRecords(export, GeoJsonFeature.lists)
    yield from records
    if records.head.get("type") != "FeatureCollection" or records.found is None:
        raise UnreadableExport(export.path, "is not a GeoJSON FeatureCollection with a list of features")
