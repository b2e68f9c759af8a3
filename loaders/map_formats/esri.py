"""Esri JSON: the responses of ArcGIS servers."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from loaders.errors import InvalidValue
from loaders.geo.crs import crs_from_reference, crs_from_wkid
from loaders.geo.esri import esri_footprint
from loaders.geo.footprint import Footprint
from loaders.map_formats.base import FeatureCollection, object_member
from loaders.syntax.json_stream import is_json

_KEY = re.compile(r'"(attributes|geometryType|esriGeometry\w+|displayFieldName|layerName)"')


class Esri(FeatureCollection):
    """The response of an ArcGIS server: `features` of a query or `results` of a find."""

    name = "esri"
    title = "Esri JSON"
    files = "Esri JSON"
    description = "Esri JSON with a list of features or results"
    list_names = ("features", "results")
    required_members = ("spatialReference", "fieldAliases")

    def __init__(self, members: Mapping[str, Any], wkid: int | None) -> None:
        super().__init__(members, wkid)
        if transform := members.get("transform"):
            reason = "is of quantized coordinates: request them without quantizationParameters"
            raise InvalidValue("transform", transform, reason)
        reference = object_member("spatialReference", members)
        self._crs = crs_from_reference(reference) or (crs_from_wkid(wkid) if wkid else None)
        self.aliases = object_member("fieldAliases", members)
        self._keys_by_name: dict[tuple[str, ...], dict[str, str]] = {}

    def settings(self) -> Mapping[str, Any]:
        return {"spatialReference": self._crs and (self._crs.wkid or self._crs), "fieldAliases": self.aliases}

    @staticmethod
    def sniff(head: str) -> bool:
        return is_json(head) and bool(_KEY.search(head))

    @staticmethod
    def matches(members: Mapping[str, Any]) -> bool:
        return members.get("type") != "FeatureCollection"

    @staticmethod
    def is_feature(record: Any) -> bool:
        return isinstance(record, dict) and "attributes" in record

    def attributes(self, record: Any) -> Mapping[str, Any]:
        """Return the attributes by field name and by alias, each with and without the prefix of its table."""
        attributes = object_member("attributes", record)
        keys = tuple(attributes)
        if keys not in self._keys_by_name:
            self._keys_by_name[keys] = self._index_names(keys)
        return {name: attributes[key] for name, key in self._keys_by_name[keys].items()}

    def fields(self, record: Any) -> Mapping[str, Any]:
        return object_member("attributes", record)

    def ignored_fields(self, record: Any, names: Collection[str]) -> Iterable[str]:
        keys_by_name = self._keys_by_name[tuple(object_member("attributes", record))]
        return super().ignored_fields(record, {keys_by_name[name] for name in keys_by_name.keys() & names})

    def footprint(self, record: Mapping[str, Any]) -> Footprint:
        return esri_footprint(record.get("geometry"), self._crs)

    def spatial_reference(self, record: Mapping[str, Any]) -> str | None:
        """Return the number of the spatial reference of the geometry or else of the document, with its name."""
        geometry = record.get("geometry")
        reference = geometry.get("spatialReference") if isinstance(geometry, dict) else None
        reference = reference or self.members.get("spatialReference")
        return _describe_reference(reference) if reference else None

    def _index_names(self, keys: tuple[str, ...]) -> dict[str, str]:
        """Return the key of each name; full names take precedence over names without their table."""
        aliases = {key: str(self.aliases.get(key, key)) for key in keys}
        names = {key: key for key in keys}
        for shorten in (str, _without_table):
            for key in keys:
                names.setdefault(shorten(aliases[key]), key)
                names.setdefault(shorten(key), key)
        return names


def _describe_reference(reference: Any) -> str:
    """Return a spatial reference as the export names it, with the name of a known WKID."""
    if not isinstance(reference, dict):
        return repr(reference)
    wkid = reference.get("wkid") or reference.get("latestWkid")
    try:
        crs = crs_from_reference(reference)
    except InvalidValue as error:
        return f"{error.field} {error.value}, which {error.reason}"
    if crs is None:
        return "without a number"
    return f"wkid {wkid} ({crs.name})" if wkid else crs.name


def _without_table(name: str) -> str:
    return name.rpartition(".")[2]
