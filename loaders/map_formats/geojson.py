"""GeoJSON (RFC 7946, or GeoJSON 2008 with a CRS), and sequences of GeoJSON features (RFC 8142 or one per line)."""

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Any

from loaders.errors import InvalidValue
from loaders.geo.crs import CRS, WGS84, crs_from_name, crs_from_wkid
from loaders.geo.footprint import Footprint
from loaders.geo.geojson import geojson_footprint
from loaders.map_formats.base import FeatureCollection, object_member
from loaders.syntax.json_stream import is_json

_MEMBERS = {"type", "id", "properties", "geometry", "bbox"}
_TYPE = re.compile(r'"type"\s*:\s*"Feature(Collection)?"')

_FEATURE = re.compile(r'"type"\s*:\s*"Feature"')
# Some servers call a list of Esri features a FeatureCollection.
_ESRI_FEATURE = re.compile(r'"attributes"\s*:\s*\{')


class GeoJson(FeatureCollection):
    """A FeatureCollection or a sequence of features: in degrees, unless `crs` or the profile names another CRS."""

    name = "geojson"
    title = "GeoJSON"
    files = "GeoJSON"
    description = "a GeoJSON FeatureCollection with a list of features"
    list_names = ("features",)
    required_members = ("crs",)

    def __init__(self, members: Mapping[str, Any], wkid: int | None) -> None:
        super().__init__(members, wkid)
        self._crs = _named_crs(members.get("crs")) if wkid is None else crs_from_wkid(wkid)

    def settings(self) -> Mapping[str, Any]:
        return {"crs": self._crs.wkid or self._crs}

    @staticmethod
    def sniff(head: str) -> bool:
        is_esri = _ESRI_FEATURE.search(head) and not _FEATURE.search(head)
        return is_json(head) and bool(_TYPE.search(head)) and not is_esri

    @staticmethod
    def matches(members: Mapping[str, Any]) -> bool:
        return members.get("type") == "FeatureCollection"

    @staticmethod
    def is_feature(record: Any) -> bool:
        return isinstance(record, dict) and record.get("type") == "Feature"

    def attributes(self, record: Any) -> Mapping[str, Any]:
        """Return the properties, and the feature's own id if it has one: "id" is "properties.id" then."""
        properties = object_member("properties", record)
        if record.get("id") is None:
            return properties
        hidden = {} if properties.get("id") in (None, record["id"]) else {"properties.id": properties["id"]}
        return {**properties, **hidden, "id": record["id"]}

    def ignored_fields(self, record: Any, names: Collection[str]) -> Iterable[str]:
        return chain(super().ignored_fields(record, names), record.keys() - _MEMBERS)

    def footprint(self, record: Mapping[str, Any]) -> Footprint:
        return geojson_footprint(record.get("geometry"), self._crs)

    def spatial_reference(self, record: Mapping[str, Any]) -> str | None:
        """Return the name of the document's CRS."""
        crs = self.members.get("crs")
        return crs and str(crs["properties"]["name"])


def _named_crs(member: Any) -> CRS:
    """Return the CRS of a GeoJSON `crs` member (GeoJSON 2008, removed by RFC 7946)."""
    if member is None:
        return WGS84
    properties = member.get("properties") if isinstance(member, dict) else None
    if not isinstance(properties, dict):
        raise InvalidValue("crs", member, "does not name a coordinate reference system")
    return crs_from_name(properties.get("name"))
