"""ZIP archives with one text file, which is read as if it were not in an archive."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path, PurePosixPath
from typing import IO

from loaders.errors import UnreadableFileError

ZIP_MAGIC = b"PK\x03\x04"
_TEXT_SUFFIXES = (".geojson", ".geojsonl", ".json", ".csv", ".osm", ".xml")
# What GDAL reads from archives.
_VECTOR_SUFFIXES = (".shp", ".gpkg", ".fgb", ".kml", ".topojson")


@contextmanager
def open_member(path: Path) -> Iterator[IO[bytes] | None]:
    """Open the only text file of an archive, None unless there is exactly one; UnreadableFileError if it is broken."""
    try:
        archive = zipfile.ZipFile(path)
        name = _text_member(archive.namelist())
        member = archive.open(name) if name else None
    except (zipfile.BadZipFile, RuntimeError) as error:
        raise UnreadableFileError(path, f"is a ZIP archive that cannot be read: {error}") from error
    with archive, member or nullcontext():
        yield member


def _text_member(names: list[str]) -> str | None:
    members = {str(each): each.suffix.lower() for each in map(PurePosixPath, names) if "__MACOSX" not in each.parts}
    texts = [name for name, suffix in members.items() if suffix in _TEXT_SUFFIXES]
    is_vector_file = any(suffix in _VECTOR_SUFFIXES for suffix in members.values())
    return texts[0] if len(texts) == 1 and not is_vector_file else None
