"""GeoJSON (RFC 7946, or GeoJSON 2008 with a CRS), and sequences of GeoJSON features (RFC 8142 or one per line)."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from loaders.errors import InvalidValue
from loaders.geo.crs import CRS, WGS84, crs_from_name
from loaders.geo.geojson import geojson_footprint
from loaders.map_formats.base import Feature, FeatureCollection, object_member
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

    def _parse_settings(self) -> Mapping[str, Any]:
        profile = self._profile
        return {"crs": _named_crs(self.members.get("crs")) if profile.wkid is None else profile.crs}

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

    def _parse(self, record: Any) -> Feature:
        """Return the properties, and the feature's own id if it has one: "id" is "properties.id" then."""
        fields = object_member("properties", record)
        if record.get("id") is not None:
            hidden = {} if fields.get("id") in (None, record["id"]) else {"properties.id": fields["id"]}
            fields = {**fields, **hidden, "id": record["id"]}
        return Feature(
            fields,
            partial(geojson_footprint, record.get("geometry"), self.settings["crs"]),
            unread=record.keys() - _MEMBERS,
        )


def _named_crs(member: Any) -> CRS:
    """Return the CRS of a GeoJSON `crs` member (GeoJSON 2008, removed by RFC 7946)."""
    if member is None:
        return WGS84
    properties = member.get("properties") if isinstance(member, dict) else None
    if not isinstance(properties, dict):
        raise InvalidValue("crs", member, "does not name a coordinate reference system")
    return crs_from_name(properties.get("name"))
