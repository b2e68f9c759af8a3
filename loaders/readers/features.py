"""The features of map exports, GeoJSON or Esri JSON: attributes by name, and a footprint."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.geo.crs import CRS, WGS84, crs_from_name, crs_from_wkid
from loaders.geo.esri import esri_footprint
from loaders.geo.footprint import Footprint
from loaders.geo.geojson import footprint
from loaders.readers.files import Export, file_name
from loaders.readers.json_stream import JsonRecordReader
from loaders.readers.result import ReadResult, SourceLocation

# What Esri exports write where there is nothing.
_ABSENT = ("", "null", "<null>")


@dataclass(frozen=True)
class Feature:
    """A record of a map export, understood as its format has it; InvalidValue where it cannot be."""

    form: Any
    record: Any

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the values by the names that a profile may give them."""
        if not isinstance(self.record, dict):
            raise InvalidValue("feature", self.record, "is not a JSON object")
        return self.form.attributes(self.record)

    @property
    def footprint(self) -> Footprint:
        """Return the point and the polygons."""
        return self.form.footprint(self.record.get("geometry"))


class GeoJson:
    """A GeoJSON FeatureCollection: in degrees, unless its member `crs` or the profile say otherwise."""

    lists = ("features",)
    before = ("crs",)
    name = "a GeoJSON FeatureCollection with a list of features"

    def __init__(self, head: Mapping[str, Any], wkid: int | None) -> None:
        """Take what stands before the features, and the spatial reference that beats it."""
        self.head = head
        self._reference = _reference_named(head.get("crs")) if wkid is None else crs_from_wkid(wkid)

    @staticmethod
    def fits(head: Mapping[str, Any]) -> bool:
        """Tell whether what stands around a list of features is that of this format."""
        return head.get("type") == "FeatureCollection"

    def attributes(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the properties, and the feature's own id if it has one."""
        properties = _object("properties", record)
        return properties if record.get("id") is None else {**properties, "id": record["id"]}

    def footprint(self, geometry: Any) -> Footprint:
        """Return the point and the polygons of a geometry."""
        return footprint(geometry, self._reference)


class Esri:
    """The answer of an ArcGIS server: `features` of a query or `results` of a find."""

    lists = ("features", "results")
    before = ("spatialReference", "fieldAliases")
    name = "Esri JSON with a list of features or results"

    def __init__(self, head: Mapping[str, Any], wkid: int | None) -> None:
        """Take what stands before the features, and the spatial reference of features that have none."""
        self.head = head
        given = _object("spatialReference", head)
        number = given.get("wkid") or given.get("latestWkid") or wkid
        self._reference = crs_from_wkid(number) if number else None
        self._aliases = _object("fieldAliases", head)
        self._names: dict[tuple[str, ...], dict[str, str]] = {}

    @staticmethod
    def fits(head: Mapping[str, Any]) -> bool:
        """Tell whether what stands around a list of features is that of this format."""
        return head.get("type") != "FeatureCollection"

    def attributes(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the attributes by field name and by alias, both also without the name of their table."""
        attributes = _object("attributes", record)
        keys = tuple(attributes)
        if keys not in self._names:
            self._names[keys] = self._names_of(keys)
        given = {name: attributes[key] for name, key in self._names[keys].items()}
        return {name: value for name, value in given.items() if not _is_absent(value)}

    def footprint(self, geometry: Any) -> Footprint:
        """Return the point and the polygons of a geometry."""
        return esri_footprint(geometry, self._reference)

    def _names_of(self, keys: tuple[str, ...]) -> dict[str, str]:
        """Return which key each name stands for; what is written in full beats what is cut off."""
        aliases = {key: str(self._aliases.get(key, key)) for key in keys}
        names = {key: key for key in keys}
        for cut in (str, lambda name: name.rpartition(".")[2]):
            for key in keys:
                names.setdefault(cut(aliases[key]), key)
                names.setdefault(cut(key), key)
        return names


_FORMS = {"geojson": GeoJson, "esri": Esri}


def features(
    export: Export, reading: ReadResult, form: str, wkid: int | None = None
) -> Iterator[tuple[SourceLocation, Feature]]:
    """Yield each feature of a map export with its place; UnreadableFileError when it is not in the format.

    The reading is warned when the server that answered has more features than it gave.
    """
    kind = _FORMS[form]
    records = JsonRecordReader(export, kind.lists)
    understood, seen = None, frozenset()
    for place, record in records:
        if understood is None:
            understood, seen = _understand(export, kind, records.head, wkid), frozenset(records.head)
        yield place, Feature(understood, record)
    if records.found is None or not kind.fits(records.head):
        raise UnreadableFileError(export.path, f"is not {kind.name}")
    if records.head.get("exceededTransferLimit") is True:
        more = DataWarning("exceededTransferLimit", None, "says that there are more features: are all pages given?")
        reading.add_warning(file_name(export.path), SourceLocation(records.line), more)
    for member in kind.before:
        if understood is not None and member in records.head.keys() - seen:
            raise UnreadableFileError(export.path, f"has its {member} after the features: it must stand before them")


def _understand(export: Export, kind: Any, head: Mapping[str, Any], wkid: int | None) -> Any:
    try:
        return kind(head, wkid)
    except InvalidValue as bad:
        raise UnreadableFileError(export.path, f"{bad.field} {bad.value!r} {bad.reason}") from None


def _object(member: str, record: Mapping[str, Any]) -> Mapping[str, Any]:
    found = record.get(member)
    if not isinstance(found, dict | None):
        raise InvalidValue(member, found, "is not a JSON object")
    return found or {}


def _reference_named(crs: Any) -> CRS:
    """Return the spatial reference that the old GeoJSON member `crs` names."""
    if crs is None:
        return WGS84
    properties = crs.get("properties") if isinstance(crs, dict) else None
    if not isinstance(properties, dict):
        raise InvalidValue("crs", crs, "names no spatial reference")
    return crs_from_name(properties.get("name"))


def _is_absent(value: Any) -> bool:
    return isinstance(value, str) and value.strip().casefold() in _ABSENT
