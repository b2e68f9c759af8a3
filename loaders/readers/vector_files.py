"""Vector files as GDAL opens them: a local path, or a member of a ZIP archive."""

import hashlib
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from loaders.errors import UnreadableFileError
from loaders.readers.files import CHUNK_SIZE, Export, file_name, main_file

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


def file_suffix(head: str) -> str | None:
    """Return the suffix of a file with these first characters, None if GDAL must not read it."""
    return next((suffix for suffix, signature in _SIGNATURES.items() if signature.match(head)), None)


@contextmanager
def local_file(export: Export) -> Iterator[Path]:
    """Yield the path of an export, or of a temporary copy if it is compressed or a stream."""
    suffix = file_suffix(export.head)
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


def dataset_name(export: Export, path: Path) -> str:
    """Return GDAL's name of a file; in a ZIP archive, of the only readable file or folder of a Shapefile."""
    return _archived_name(export, path) if file_suffix(export.head) == ".zip" else str(path)


def _archived_name(export: Export, path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            name = _readable_member(export, archive)
            if name in archive.namelist():
                _check_member(export, archive, name)
    except (zipfile.BadZipFile, RuntimeError) as error:
        raise UnreadableFileError(export.path, f"is a ZIP archive that cannot be read: {error}") from error
    return f"/vsizip/{{{path}}}/{name}".removesuffix("/.")


def _readable_member(export: Export, archive: zipfile.ZipFile) -> str:
    """Return the name of the only vector file, or of the only folder with Shapefiles."""
    members = [each for each in map(PurePosixPath, archive.namelist()) if "__MACOSX" not in each.parts]
    shapefiles = {member.parent for member in members if member.suffix.lower() == ".shp"}
    names = sorted(map(str, shapefiles or {member for member in members if member.suffix.lower() in _ARCHIVED}))
    # The main file of KMZ is doc.kml.
    names = ["doc.kml"] if "doc.kml" in names else names
    if len(names) != 1:
        reason = f"is a ZIP archive without exactly one readable file: {', '.join(names) or 'none'}"
        raise UnreadableFileError(export.path, reason)
    return names[0]


def _check_member(export: Export, archive: zipfile.ZipFile, name: str) -> None:
    with archive.open(name) as member:
        suffix = file_suffix(member.read(CHUNK_SIZE).decode("utf-8-sig", errors="replace"))
    if suffix not in _ARCHIVED:
        raise UnreadableFileError(export.path, f"has a member {name} that is not {_DESCRIPTION}")
    _check_size(export, suffix, archive.getinfo(name).file_size)


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
