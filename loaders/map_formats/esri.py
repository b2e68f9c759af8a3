"""Esri JSON: the responses of ArcGIS servers."""

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from loaders.errors import InvalidValue
from loaders.geo.crs import crs_from_reference
from loaders.geo.esri import esri_footprint
from loaders.map_formats.base import Feature, FeatureCollection, object_member
from loaders.profiles import BuildingProfile
from loaders.syntax.json_stream import is_json

_KEY = re.compile(r'"(attributes|geometryType|esriGeometry\w+|displayFieldName|layerName)"')


class Esri(FeatureCollection):
    """The response of an ArcGIS server: `features` of a query or `results` of a find."""

    name = "esri"
    title = "Esri JSON"
    files = "Esri JSON"
    description = "Esri JSON with a list of features or results"
    list_names = ("features", "results")

    def __init__(self, profile: BuildingProfile) -> None:
        super().__init__(profile)
        # Most features have the same attributes.
        self._other_names = cache(self._index_names)

    @staticmethod
    def sniff(head: str) -> bool:
        return is_json(head) and bool(_KEY.search(head))

    @staticmethod
    def matches(members: Mapping[str, Any]) -> bool:
        return members.get("type") != "FeatureCollection"

    @staticmethod
    def is_feature(record: Any) -> bool:
        return isinstance(record, dict) and "attributes" in record

    def _parse_settings(self) -> Mapping[str, Any]:
        if transform := self.members.get("transform"):
            reason = "is of quantized coordinates: request them without quantizationParameters"
            raise InvalidValue("transform", transform, reason)
        crs = crs_from_reference(object_member("spatialReference", self.members))
        own = self._profile.crs if self._profile.wkid else None
        self.aliases = object_member("fieldAliases", self.members)
        return {"spatialReference": crs or own, "wkid": own, "fieldAliases": self.aliases}

    def _parse(self, record: Any) -> Feature:
        attributes, geometry = object_member("attributes", record), record.get("geometry")
        return Feature(
            attributes,
            partial(esri_footprint, geometry, self.settings["spatialReference"], self.settings["wkid"]),
            other_names=self._other_names(tuple(attributes)),
        )

    def _index_names(self, names: tuple[str, ...]) -> dict[str, str]:
        """Return the attribute of each alias, and of names and aliases without their table, the full ones first."""
        aliases = {name: str(self.aliases.get(name, name)) for name in names}
        index = {name: name for name in names}
        for shorten in (str, lambda name: name.rpartition(".")[2]):
            for name in names:
                index.setdefault(shorten(aliases[name]), name)
                index.setdefault(shorten(name), name)
        return {other: name for other, name in index.items() if other != name}
