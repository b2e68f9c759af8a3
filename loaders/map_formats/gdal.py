"""Vector files that GDAL reads: Shapefile, GeoPackage, KML and TopoJSON."""

import math
import re
import warnings
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from loaders.code_pages import code_page, needed_encoding
from loaders.errors import DataWarning, UnreadableFileError
from loaders.export_format import export_errors
from loaders.geo.crs import crs_from_name
from loaders.geo.geojson import well_known_footprint
from loaders.map_formats.base import BuildingFormat, Feature
from loaders.profiles import BuildingProfile
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.sources.vector_files import file_suffix, open_vector_source, restrict_gdal, shapefile_sources

# A batch is held in memory; every batch skips all features before it, which some drivers must read.
_BATCH_SIZE = 20_000
# What GDAL suggests to programmers at the end of a message.
_ADVICE = re.compile(r"; |\. Set ")
_KML, _SHAPEFILE = {"KML", "LIBKML"}, {"ESRI Shapefile"}
# As what GDAL reads text whose encoding a Shapefile does not name.
_UNDECLARED = "ISO-8859-1"
_LEFT_OUT = "not several Placemarks directly below <kml>, nor geometries of TopoJSON of type null or GeometryCollection"

# The geometry of a feature as WKB, and its attributes.
_Record = tuple[bytes | None, dict[str, Any]]


class Gdal(BuildingFormat):
    """A layer of a vector file: in degrees, unless the layer or else the profile names another CRS."""

    name = "gdal"
    title = "GDAL"
    files = "a Shapefile (its folder or a .zip), GeoPackage, KML, KMZ, TopoJSON"

    @staticmethod
    def sniff(head: str) -> bool:
        return file_suffix(head) is not None

    def _raw_records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        with open_vector_source(export) as (path, drivers, features):
            layer = _Layer(export, path, drivers, self._profile, features)
            self.title = layer.info["driver"]
            with export_errors(export):
                name = layer.info["crs"] if self._profile.wkid is None else None
                self._crs = crs_from_name(name) if name else self._profile.crs
            number = 0
            for number, record in enumerate(layer.records(), start=1):
                yield SourceLocation(None, number), record
            # GDAL counts the deleted records of a Shapefile, and reports a truncated file itself.
            if number < layer.features and self.title not in _SHAPEFILE:
                reason = f"has only {number} of its {layer.features} features: is it truncated?"
                raise UnreadableFileError(export.path, reason)
            if not number and self.title in _KML:
                raise UnreadableFileError(export.path, "has no Placemark: export the map itself, not a link to it")
        self.warnings, self.code_page = layer.warnings, layer.code_page
        self.other_sources = shapefile_sources(export.path)

    def _parse(self, record: _Record) -> Feature:
        geometry, attributes = record
        return Feature(attributes, partial(well_known_footprint, geometry, self._crs))


class _Layer:
    """A layer of a file of GDAL, or all of KML; pyogrio is imported on first use, as it is slow."""

    def __init__(
        self, export: Export, path: Path, drivers: set[str], profile: BuildingProfile, features: int | None
    ) -> None:
        from pyogrio import list_layers

        restrict_gdal()
        self._export = export
        self.warnings: list[DataWarning] = []
        self.code_page = ""
        self._drivers = drivers
        self._encoding = profile.encoding if drivers == _SHAPEFILE else ""
        self._source = str(path)
        self._folder = f"{path.parent}/"
        with self._errors():
            layers = list_layers(self._source).tolist()
            names = [layer for layer, geometry_type in layers if geometry_type is not None]
            self._layers = self._choose(names, profile.layer)
            self.info = next(iter(self._layers.values()))
            self.features = sum(each["features"] for each in self._layers.values())
            if features:
                number = sum(self._read_info(layer)["features"] for layer, _ in layers)
                if number < features:
                    reason = f"has {features} features, of which GDAL reads only {number}"
                    raise UnreadableFileError(export.path, f"{reason}: {_LEFT_OUT}")

    def records(self) -> Iterator[_Record]:
        for name, info in self._layers.items():
            for skipped in range(0, info["features"], _BATCH_SIZE):
                yield from self._read(name, skipped)

    def _choose(self, names: list[str], name: str | None) -> dict[str, dict[str, Any]]:
        """Return the layer of this name, or those that are not empty: one, or several of KML with the same fields."""
        if name is None and len(names) > 1:
            infos = {each: info for each in names if (info := self._read_info(each))["features"]}
            names = [*infos]
            fields = {tuple(info["fields"]) for info in infos.values()}
            if self._drivers == _KML and len(fields) == 1:
                return infos
        if name in names or (name is None and len(names) == 1):
            return {each: self._read_info(each) for each in ([name] if name else names)}
        reason = "has no layer with geometries"
        if names:
            problem = "has several layers" if name is None else f"has no layer {name} with geometries"
            advice = f"to one of {', '.join(names)}; the others are not read then"
            reason = f"{problem}: set --layer, or layer in the profile, {advice}"
        raise UnreadableFileError(self._export.path, reason)

    def _read_info(self, layer: str) -> dict[str, Any]:
        """Return what is known about a layer; UnreadableFileError if an unexpected driver has opened the file."""
        from pyogrio import read_info

        info = read_info(self._source, layer=layer)
        if info["driver"] not in self._drivers:
            reason = f"begins like a file for {' or '.join(sorted(self._drivers))}"
            raise UnreadableFileError(self._export.path, f"{reason}, but GDAL opens it as {info['driver']}")
        return info

    def _read(self, name: str, skipped: int) -> list[_Record]:
        from pyogrio.raw import read

        with self._errors():
            meta, fids, geometries, columns = read(
                self._source,
                layer=name,
                encoding=_UNDECLARED if self._encoding else None,
                force_2d=True,
                skip_features=skipped,
                max_features=_BATCH_SIZE,
                return_fids=True,
                datetime_as_string=True,
            )
            values = map(_values, columns, meta["ogr_types"], meta["ogr_subtypes"])
            names = map(self._text, meta["fields"])
            columns = {name: [*map(self._text, each)] for name, each in zip(names, values, strict=True)}
        if self.info["fid_column"]:
            columns[self.info["fid_column"]] = fids.tolist()
        if self.info["encoding"] == _UNDECLARED and not self._encoding:
            texts = [value for value in chain(*columns.values()) if isinstance(value, str)]
            content = "\n".join([*texts, ""]).encode(_UNDECLARED, "replace")
            if page := code_page(content, utf_8="utf-8"):
                self.code_page = page
                self.warnings.append(DataWarning("text", None, needed_encoding(page)))
        return [
            (geometry, {name: values[row] for name, values in columns.items() if values[row] is not None})
            for row, geometry in enumerate(geometries)
        ]

    def _text(self, value: Any) -> Any:
        """Return a text in the encoding of the profile, but for a cut-off letter at its end; GDAL drops whole ones."""
        if self._encoding and isinstance(value, str):
            return getincrementaldecoder(self._encoding)().decode(value.encode(_UNDECLARED))
        return value

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of GDAL into UnreadableFileError, and its warnings into warnings about the whole file."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                yield
            except UnicodeDecodeError as error:
                encoding = self._encoding or "UTF-8"
                reason = f"has text that is not {encoding}: set encoding in the profile (of a Shapefile)"
                raise UnreadableFileError(self._export.path, reason) from error
            except (RuntimeError, ValueError, UnboundLocalError) as error:
                reason = _ADVICE.split(str(error).replace(self._folder, ""), maxsplit=1)[0]
                if isinstance(error, UnboundLocalError):
                    # A bug of pyogrio 0.13: it returns an unset variable if GDAL cannot export a CRS.
                    reason = "its coordinate reference system is broken"
                raise UnreadableFileError(self._export.path, f"cannot be read by GDAL: {reason}") from error
        self.warnings += [DataWarning("GDAL", None, f"warns: {warning.message}") for warning in caught]


def _values(column: Any, ogr_type: str, ogr_subtype: str) -> list[Any]:
    """Return the values of a column, None for null; integers and booleans are read as floats if one of them is null."""
    values = column.tolist()
    if ogr_type.endswith("List"):
        return [None if value is None else list(value) for value in values]
    if column.dtype.kind == "f":
        number = int if ogr_type.startswith("OFTInteger") else float
        convert = bool if ogr_subtype == "OFSTBoolean" else number
        return [None if math.isnan(value) else convert(value) for value in values]
    return values
