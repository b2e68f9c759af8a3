"""Vector files as GDAL opens them: a local path, or a member of a ZIP archive."""

import hashlib
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from loaders.errors import UnreadableFileError
from loaders.sources.content import MAX_EXPANSION, TEXT_SUFFIXES, is_bomb, member_names, xml_root
from loaders.sources.files import CHUNK_SIZE, Export, file_name, main_file
from loaders.sources.vector_checks import check_numbers, check_schema, count_geometries, count_placemarks

# The first characters of a file by the suffix that GDAL expects, but for KML, which is XML.
_SIGNATURES = {
    ".gpkg": re.compile("SQLite format 3\0"),
    ".shp": re.compile("\0\0'\n"),
    ".zip": re.compile("PK\x03\x04"),
    ".topojson": re.compile(r'\s*\{.*"type"\s*:\s*"Topology"', re.DOTALL),
}


class _Format(NamedTuple):
    """The drivers that may open a file, the check of it, and its size in bytes, as GDAL holds some in memory.

    No other driver of GDAL exists while the loaders use it. Some checks return the number of features in the file.
    """

    drivers: set[str]
    check: Callable[[Export, Path], int | None]
    max_size: float = inf


_FORMATS = {
    ".gpkg": _Format({"GPKG"}, check_schema),
    ".shp": _Format({"ESRI Shapefile"}, check_numbers),
    # In memory, they have about 10 and 30 times their size.
    ".kml": _Format({"KML", "LIBKML"}, count_placemarks, 40_000_000),
    ".topojson": _Format({"TopoJSON"}, count_geometries, 15_000_000),
}
# https://gdal.org/en/stable/user/configoptions.html
_OPTIONS = {
    # No file of this name exists, on any server.
    "CPL_VSIL_CURL_ALLOWED_FILENAME": "none",
    "CPL_ALLOW_VSISTDIN": "NO",
    "LIBKML_EXTERNAL_STYLE": "NO",
}
_DESCRIPTION = "a Shapefile, a GeoPackage, KML, KMZ or TopoJSON"
_SHAPEFILE_PARTS = (".shp", ".shx", ".dbf", ".prj", ".cpg")
_ARCHIVED = (".gpkg", ".kml", ".topojson")
_KMZ_MAIN = PurePosixPath("doc.kml")


def restrict_gdal() -> None:
    """Deregister all drivers of GDAL but ours, and disable what reads other files and URLs.

    Some drivers recognize a file in which other formats begin, and open the files and URLs that it names.
    """
    from pyogrio import list_drivers, set_gdal_config_options
    from pyogrio._ogr import _register_drivers

    others = set(list_drivers()).difference(*(each.drivers for each in _FORMATS.values()))
    set_gdal_config_options(_OPTIONS | {"GDAL_SKIP": ",".join(sorted(others))})
    if others:
        # GDAL_SKIP has an effect only when drivers are registered.
        _register_drivers()


def file_suffix(head: str) -> str | None:
    """Return the suffix of a file with these first characters, None if GDAL must not read it."""
    if (xml_root(head) or "").rpartition(":")[2] == "kml":
        return ".kml"
    return next((suffix for suffix, signature in _SIGNATURES.items() if signature.match(head)), None)


def _local_file(export: Export, folder: Path) -> tuple[str, Path]:
    """Return the suffix and the path of an export, or of a copy in a folder if it is compressed or a stream."""
    suffix = file_suffix(export.head)
    if suffix is None:
        raise UnreadableFileError(export.path, f"is not {_DESCRIPTION}")
    # The other files of a Shapefile have the name of the main one.
    if suffix == ".shp" and not (export.is_plain_file and main_file(export.path).suffix.lower() == ".shp"):
        raise UnreadableFileError(export.path, "is only one file of a Shapefile: use its folder or a .zip")
    if export.is_plain_file:
        path = export.path.resolve()
    else:
        path = folder / f"export{suffix}"
        with path.open("wb") as file:
            shutil.copyfileobj(export.binary, file)
    _check_size(export, suffix, path.stat().st_size)
    return suffix, path


def _check_size(export: Export, suffix: str, size: int) -> None:
    max_size = _FORMATS[suffix].max_size if suffix in _FORMATS else inf
    if size > max_size:
        reason = f"has over {max_size:,} bytes of {suffix[1:]}: convert it to a GeoPackage with ogr2ogr"
        raise UnreadableFileError(export.path, reason)


@contextmanager
def open_vector_source(export: Export) -> Iterator[tuple[Path, set[str], int | None]]:
    """Yield the file or folder of an export, the drivers that may open it, and its features in all layers.

    Of a ZIP archive, it is the only readable file or folder of a Shapefile.
    """
    with tempfile.TemporaryDirectory() as folder:
        suffix, path = _local_file(export, Path(folder))
        if suffix == ".zip":
            suffix, path = _open_archive(export, path, Path(folder, "export"))
        drivers, check, _ = _FORMATS[suffix]
        yield path, drivers, check(export, path)


def _open_archive(export: Export, path: Path, folder: Path) -> tuple[str, Path]:
    """Unpack the export in a ZIP archive; return its suffix and its file, or the folder of a Shapefile."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = member_names(archive)
            readable = _readable_member(export, names)
            if readable in names:
                suffix = _member_suffix(export, archive, names[readable])
                [file] = _unpack(export, archive, [names[readable]], folder)
                return suffix, file
            parts = [each for each in names if each.parent == readable and each.suffix.lower() in _SHAPEFILE_PARTS]
            first, *_ = _unpack(export, archive, [names[each] for each in parts], folder)
            return ".shp", first.parent
    except (zipfile.BadZipFile, RuntimeError, EOFError, zlib.error) as error:
        raise UnreadableFileError(export.path, f"is a ZIP archive that cannot be read: {error}") from error


def _unpack(export: Export, archive: zipfile.ZipFile, names: list[str], folder: Path) -> list[Path]:
    members = [archive.getinfo(name) for name in names]
    size, packed_size = sum(each.file_size for each in members), sum(each.compress_size for each in members)
    if is_bomb(size, packed_size):
        reason = f"has a member {names[0]} that is {MAX_EXPANSION} times as large decompressed"
        raise UnreadableFileError(export.path, reason)
    return [Path(archive.extract(member, folder)) for member in members]


def _readable_member(export: Export, members: Collection[PurePosixPath]) -> PurePosixPath:
    """Return the path of the only vector file, or of the only folder with Shapefiles."""
    shapefiles = {member.parent for member in members if member.suffix.lower() == ".shp"}
    paths = sorted(shapefiles or {member for member in members if member.suffix.lower() in _ARCHIVED})
    paths = [_KMZ_MAIN] if _KMZ_MAIN in paths else paths
    if len(paths) != 1:
        paths = paths or sorted(member for member in members if member.suffix.lower() in TEXT_SUFFIXES)
        reason = f"is a ZIP archive without exactly one readable file: {', '.join(map(str, paths)) or 'none'}"
        raise UnreadableFileError(export.path, reason)
    return paths[0]


def _member_suffix(export: Export, archive: zipfile.ZipFile, name: str) -> str:
    with archive.open(name) as member:
        suffix = file_suffix(member.read(CHUNK_SIZE).decode("utf-8-sig", errors="replace"))
    if suffix not in _ARCHIVED:
        raise UnreadableFileError(export.path, f"has a member {name} that is not {_DESCRIPTION}")
    _check_size(export, suffix, archive.getinfo(name).file_size)
    return suffix


def shapefile_sources(path: Path) -> list[dict[str, str]]:
    """Return the names and SHA-256 of the files of a Shapefile, or of a folder of them, but the main one."""
    main = main_file(path)
    if main.suffix.lower() != ".shp":
        return []
    files = [each for each in sorted(main.parent.iterdir()) if each.suffix.lower() in _SHAPEFILE_PARTS]
    return [_source(each) for each in files if each != main and (path.is_dir() or each.stem == main.stem)]


def _source(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        return {"file": file_name(path), "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
