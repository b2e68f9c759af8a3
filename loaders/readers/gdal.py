"""Vector files that GDAL reads: Shapefile, GeoPackage, FlatGeobuf, KML and TopoJSON."""

import hashlib
import math
import re
import shutil
import tempfile
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from loaders.errors import DataWarning, UnreadableFileError
from loaders.geo.crs import CRS, WGS84, crs_from_name, crs_from_wkid
from loaders.geo.footprint import Footprint
from loaders.geo.simple_features import wkb_footprint
from loaders.profiles import BuildingProfile
from loaders.readers.features import BuildingFormat, Feature, export_errors
from loaders.readers.files import Export, file_name, main_file
from loaders.readers.result import ReadResult, SourceLocation

# The first characters of a file by the suffix that GDAL expects.
_SIGNATURES = {
    ".gpkg": re.compile("SQLite format 3\0"),
    ".fgb": re.compile("fgb\x03fgb"),
    ".shp": re.compile("\0\0'\n"),
    ".zip": re.compile("PK\x03\x04"),
    ".kml": re.compile(r"\s*(<\?xml.*?\?>\s*)?(<!--.*?-->\s*)*<(\w+:)?kml[\s>]", re.DOTALL),
    ".topojson": re.compile(r'\s*\{.*"type"\s*:\s*"Topology"', re.DOTALL),
}
_DESCRIPTION = "a Shapefile, a GeoPackage, FlatGeobuf, KML, KMZ or TopoJSON"
_SHAPEFILE_PARTS = (".shp", ".shx", ".dbf", ".prj", ".cpg")
_ARCHIVED = (".gpkg", ".fgb", ".kml", ".topojson")
# GDAL holds these files in memory, in about 10 and 30 times their size.
_MAX_SIZES = {".kml": 40_000_000, ".topojson": 15_000_000}
# A batch is held in memory; every batch skips all features before it, which some drivers must read.
_BATCH_SIZE = 20_000
# What GDAL suggests to programmers at the end of a message.
_ADVICE = re.compile(r"; |\. Set ")
_MAX_EXACT_FLOAT = 2**53


class Gdal(BuildingFormat):
    """A layer of a vector file: in degrees, unless the layer or else the profile names another CRS."""

    name = "gdal"
    title = "GDAL"

    def __init__(self, info: Mapping[str, Any], crs: CRS) -> None:
        self.title = info["driver"]
        self._named_crs = crs.name if info["crs"] else None
        self._crs = crs

    @staticmethod
    def sniff(head: str) -> bool:
        """Return whether this is the beginning of a file that GDAL reads."""
        return _suffix(head) is not None

    @classmethod
    def features(
        cls, export: Export, result: ReadResult, profile: BuildingProfile
    ) -> Iterator[tuple[SourceLocation, Feature]]:
        """Yield each feature with its number; UnreadableFileError if GDAL cannot read the export or all of it."""
        with _local_file(export) as path:
            layer = _Layer(export, path, profile.layer, result)
            with export_errors(export):
                opened = cls(layer.info, _crs(layer.info["crs"], profile.wkid))
            number = 0
            for number, record in enumerate(layer.records(), start=1):  # noqa: B007
                yield SourceLocation(None, number), Feature(opened, record)
            if number < layer.info["features"]:
                reason = f"has only {number} of its {layer.info['features']} features: is it truncated?"
                raise UnreadableFileError(export.path, reason)
        result.sources.extend(map(_source, _shapefile_parts(export.path)))

    def attributes(self, record: tuple[bytes | None, dict[str, Any]]) -> Mapping[str, Any]:
        """Return the values that are not null."""
        return record[1]

    def footprint(self, record: tuple[bytes | None, dict[str, Any]]) -> Footprint:
        """Return the footprint of the geometry."""
        return wkb_footprint(record[0], self._crs)

    def spatial_reference(self, record: Any) -> str | None:
        """Return the name of the layer's CRS."""
        return self._named_crs


class _Layer:
    """A layer of a data set of GDAL; pyogrio is imported on first use, because it is slow to import."""

    def __init__(self, export: Export, path: Path, name: str | None, result: ReadResult) -> None:
        from pyogrio import list_layers, read_info

        self._export = export
        self._result = result
        self._dataset = str(path)
        self._folder = f"{path.parent}/"
        with self._errors():
            if _suffix(export.head) == ".zip":
                self._dataset = _archived(export, path)
            layers = list_layers(self._dataset).tolist()
            self._name = self._choose([layer for layer, geometry_type in layers if geometry_type is not None], name)
            self.info = read_info(self._dataset, layer=self._name)

    def records(self) -> Iterator[tuple[bytes | None, dict[str, Any]]]:
        """Yield the geometry as WKB and the attributes of each feature."""
        batch_size, skipped = _BATCH_SIZE, 0
        while batch_size == _BATCH_SIZE:
            batch = self._read(skipped)
            yield from batch
            batch_size = len(batch)
            skipped += batch_size

    def _choose(self, names: list[str], name: str | None) -> str:
        """Return the layer of this name, or the only one that is not empty."""
        from pyogrio import read_info

        if name is None and len(names) > 1:
            names = [each for each in names if read_info(self._dataset, layer=each)["features"]]
        if name in names or (name is None and len(names) == 1):
            return name or names[0]
        reason = "has several layers" if name is None and names else f"has no layer {name or ''} with geometries"
        hint = f": name one with --layer: {', '.join(names)}" if names else ""
        raise UnreadableFileError(self._export.path, " ".join(reason.split()) + hint)

    def _read(self, skipped: int) -> list[tuple[bytes | None, dict[str, Any]]]:
        from pyogrio.raw import read

        with self._errors():
            meta, fids, geometries, columns = read(
                self._dataset,
                layer=self._name,
                force_2d=True,
                skip_features=skipped,
                max_features=_BATCH_SIZE,
                return_fids=True,
                datetime_as_string=True,
            )
        columns = dict(zip(meta["fields"], map(_values, columns, meta["ogr_types"]), strict=True))
        if self.info["fid_column"]:
            columns[self.info["fid_column"]] = fids.tolist()
        return [
            (geometry, {name: values[row] for name, values in columns.items() if values[row] is not None})
            for row, geometry in enumerate(geometries)
        ]

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of GDAL into UnreadableFileError, and its warnings into warnings about the whole file."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                yield
            except (RuntimeError, ValueError) as error:
                reason = _ADVICE.split(str(error).replace(self._folder, ""), maxsplit=1)[0]
                raise UnreadableFileError(self._export.path, f"cannot be read by GDAL: {reason}") from error
        for warning in caught:
            data_warning = DataWarning("GDAL", None, f"warns: {warning.message}")
            self._result.add_warning(file_name(self._export.path), SourceLocation(), data_warning)


def _suffix(head: str) -> str | None:
    return next((suffix for suffix, signature in _SIGNATURES.items() if signature.match(head)), None)


@contextmanager
def _local_file(export: Export) -> Iterator[Path]:
    """Yield the path of an export, or of a temporary copy if it is compressed or a stream."""
    suffix = _suffix(export.head)
    if suffix is None:
        raise UnreadableFileError(export.path, f"is not {_DESCRIPTION}")
    if export.is_plain_file:
        _check_size(export, suffix, export.path.stat().st_size)
        yield export.path.resolve()
        return
    if suffix == ".shp":
        raise UnreadableFileError(export.path, "is only one file of a Shapefile: use its folder or a .zip")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"export{suffix}")
        with path.open("wb") as file:
            shutil.copyfileobj(export.binary, file)
        _check_size(export, suffix, path.stat().st_size)
        yield path


def _check_size(export: Export, suffix: str, size: int) -> None:
    if size > _MAX_SIZES.get(suffix, size):
        reason = f"has over {_MAX_SIZES[suffix]:,} bytes of {suffix[1:]}: convert it to a GeoPackage with ogr2ogr"
        raise UnreadableFileError(export.path, reason)


def _archived(export: Export, path: Path) -> str:
    """Return GDAL's name of the one file, or folder of a Shapefile, in a ZIP archive that it can read."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {PurePosixPath(each.filename): each.file_size for each in archive.infolist()}
    except zipfile.BadZipFile as error:
        raise UnreadableFileError(export.path, f"is a broken ZIP archive: {error}") from error
    members = [member for member in sizes if "__MACOSX" not in member.parts]
    shapefiles = {member.parent for member in members if member.suffix.lower() == ".shp"}
    names = sorted(map(str, shapefiles or {member for member in members if member.suffix.lower() in _ARCHIVED}))
    # The main file of KMZ is doc.kml.
    names = ["doc.kml"] if "doc.kml" in names else names
    if len(names) != 1:
        reason = f"is a ZIP archive without exactly one readable file: {', '.join(names) or 'none'}"
        raise UnreadableFileError(export.path, reason)
    _check_size(export, PurePosixPath(names[0]).suffix.lower(), sizes.get(PurePosixPath(names[0]), 0))
    return f"/vsizip/{{{path}}}/{names[0]}".removesuffix("/.")


def _crs(name: str | None, wkid: int | None) -> CRS:
    if wkid is not None:
        return crs_from_wkid(wkid)
    return crs_from_name(name) if name else WGS84


def _values(column: Any, ogr_type: str) -> list[Any]:
    """Return the values of a column, None for null."""
    values = column.tolist()
    if ogr_type.endswith("List"):
        return [None if value is None else list(value) for value in values]
    if column.dtype.kind == "f":
        return [_number(value, is_integer=ogr_type.startswith("OFTInteger")) for value in values]
    return values


def _number(value: float, *, is_integer: bool) -> int | float | str | None:
    """Return a number, None for NaN; integers are read as floats if one of them is null."""
    if math.isnan(value):
        return None
    if is_integer and abs(value) < _MAX_EXACT_FLOAT:
        return int(value)
    # As text, a rounded integer cannot be mistaken for an id.
    return str(value) if is_integer else value


def _shapefile_parts(path: Path) -> list[Path]:
    """Return the files of a Shapefile, or of a folder of them, but the main one."""
    main = main_file(path)
    if main.suffix.lower() != ".shp":
        return []
    files = [each for each in sorted(main.parent.iterdir()) if each.suffix.lower() in _SHAPEFILE_PARTS]
    return [each for each in files if each != main and (path.is_dir() or each.stem == main.stem)]


def _source(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        return {"file": file_name(path), "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
