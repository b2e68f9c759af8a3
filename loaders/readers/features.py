"""Features of map exports, GeoJSON or Esri JSON: attributes by name, and a footprint."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.geo.crs import CRS, WGS84, crs_from_name, crs_from_wkid
from loaders.geo.esri import esri_footprint
from loaders.geo.footprint import Footprint
from loaders.geo.geojson import geojson_footprint
from loaders.readers.files import Export
from loaders.readers.json_stream import JsonRecordReader
from loaders.readers.result import ReadResult, SourceLocation

# What Esri exports write for an empty value.
_ESRI_NULLS = ("", "null", "<null>")


class GeoJson:
    """A GeoJSON FeatureCollection: in degrees, unless its member `crs` or the profile names another CRS."""

    description = "a GeoJSON FeatureCollection with a list of features"
    list_names = ("features",)
    required_members = ("crs",)

    def __init__(self, members: Mapping[str, Any], wkid: int | None) -> None:
        self.members = members
        self._crs = _named_crs(members.get("crs")) if wkid is None else crs_from_wkid(wkid)

    @staticmethod
    def matches(members: Mapping[str, Any]) -> bool:
        """Return whether these are the members of a FeatureCollection."""
        return members.get("type") == "FeatureCollection"

    def attributes(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the properties, and the feature's own id if it has one."""
        properties = _object_member("properties", record)
        return properties if record.get("id") is None else {**properties, "id": record["id"]}

    def footprint(self, geometry: object) -> Footprint:
        """Return the footprint of a geometry."""
        return geojson_footprint(geometry, self._crs)


class Esri:
    """The response of an ArcGIS server: `features` of a query or `results` of a find."""

    description = "Esri JSON with a list of features or results"
    list_names = ("features", "results")
    required_members = ("spatialReference", "fieldAliases")

    def __init__(self, members: Mapping[str, Any], wkid: int | None) -> None:
        self.members = members
        reference = _object_member("spatialReference", members)
        wkid = reference.get("wkid") or reference.get("latestWkid") or wkid
        self._crs = crs_from_wkid(wkid) if wkid else None
        self._aliases = _object_member("fieldAliases", members)
        self._keys_by_name: dict[tuple[str, ...], dict[str, str]] = {}

    @staticmethod
    def matches(members: Mapping[str, Any]) -> bool:
        """Return whether these can be the members of an Esri JSON document."""
        return members.get("type") != "FeatureCollection"

    def attributes(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the attributes by field name and by alias, each with and without the prefix of its table."""
        attributes = _object_member("attributes", record)
        keys = tuple(attributes)
        if keys not in self._keys_by_name:
            self._keys_by_name[keys] = self._index_names(keys)
        values = {name: attributes[key] for name, key in self._keys_by_name[keys].items()}
        return {name: value for name, value in values.items() if not _is_null(value)}

    def footprint(self, geometry: object) -> Footprint:
        """Return the footprint of a geometry."""
        return esri_footprint(geometry, self._crs)

    def _index_names(self, keys: tuple[str, ...]) -> dict[str, str]:
        """Return the key of each name; full names take precedence over names without their table."""
        aliases = {key: str(self._aliases.get(key, key)) for key in keys}
        names = {key: key for key in keys}
        for shorten in (str, _without_table):
            for key in keys:
                names.setdefault(shorten(aliases[key]), key)
                names.setdefault(shorten(key), key)
        return names


_FORMATS: dict[str, type[GeoJson | Esri]] = {"geojson": GeoJson, "esri": Esri}


@dataclass(frozen=True)
class Feature:
    """One record of a map export; its properties raise InvalidValue if they cannot be parsed."""

    format: GeoJson | Esri
    record: Any

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the values by every name that a profile may use for them."""
        if not isinstance(self.record, dict):
            raise InvalidValue("feature", self.record, "is not a JSON object")
        return self.format.attributes(self.record)

    @property
    def footprint(self) -> Footprint:
        """Return the point and the polygons."""
        return self.format.footprint(self.record.get("geometry"))


def iter_features(
    export: Export, result: ReadResult, format_name: str, wkid: int | None = None
) -> Iterator[tuple[SourceLocation, Feature]]:
    """Yield each feature with its location; UnreadableFileError if the export is not in this format.

    Notes in the result whether the ArcGIS server truncated its response (`exceededTransferLimit`).
    """
    format_class = _FORMATS[format_name]
    reader = JsonRecordReader(export, format_class.list_names)
    opened = None
    members_before: frozenset[str] = frozenset()
    for location, record in reader:
        if opened is None:
            opened = _open_format(export, format_class, reader.members, wkid)
            members_before = frozenset(reader.members)
        yield location, Feature(opened, record)
    _check_members(export, format_class, reader, late=reader.members.keys() - members_before if opened else set())
    result.is_truncated = any(
        members.get("exceededTransferLimit") is True
        for members in (reader.members, reader.members.get("properties"))
        if isinstance(members, dict)
    )


def _open_format(
    export: Export, format_class: type[GeoJson | Esri], members: Mapping[str, Any], wkid: int | None
) -> GeoJson | Esri:
    try:
        return format_class(members, wkid)
    except InvalidValue as error:
        raise UnreadableFileError(export.path, f"{error.field} {error.value!r} {error.reason}") from None


def _check_members(
    export: Export, format_class: type[GeoJson | Esri], reader: JsonRecordReader, late: set[str]
) -> None:
    if reader.list_name is None or not format_class.matches(reader.members):
        raise UnreadableFileError(export.path, f"is not {format_class.description}")
    for member in format_class.required_members:
        if member in late:
            raise UnreadableFileError(export.path, f"has its {member} after the features: it must come before them")


def _object_member(name: str, record: Mapping[str, Any]) -> Mapping[str, Any]:
    value = record.get(name)
    if not isinstance(value, dict | None):
        raise InvalidValue(name, value, "is not a JSON object")
    return value or {}


def _named_crs(member: Any) -> CRS:
    """Return the CRS of a GeoJSON `crs` member (GeoJSON 2008, removed by RFC 7946)."""
    if member is None:
        return WGS84
    properties = member.get("properties") if isinstance(member, dict) else None
    if not isinstance(properties, dict):
        raise InvalidValue("crs", member, "does not name a coordinate reference system")
    return crs_from_name(properties.get("name"))


def _without_table(name: str) -> str:
    return name.rpartition(".")[2]


def _is_null(value: object) -> bool:
    return isinstance(value, str) and value.strip().casefold() in _ESRI_NULLS
