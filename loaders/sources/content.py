"""What a file is by its content: XML by its root, a ZIP archive with one text file, or no export at all."""

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path, PurePosixPath
from typing import IO

from loaders.errors import UnreadableFileError

# Text of real exports is compressed to 2 % or more.
MAX_EXPANSION, MAX_EXPANDED_BYTES = 200, 100_000_000
ZIP_MAGIC = b"PK\x03\x04"
TEXT_SUFFIXES = (".geojson", ".geojsonl", ".json", ".csv", ".osm", ".xml")
# What GDAL reads from archives.
_VECTOR_SUFFIXES = (".shp", ".gpkg", ".kml", ".topojson")
# No DTD, which could define huge entities.
_XML_ROOT = re.compile(r"\s*(?:<\?xml.*?\?>\s*)?(?:(?><!--.*?-->)\s*)*+<([\w:.-]+)", re.DOTALL)
_HTML = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(?:(?><!--.*?-->)\s*)*+<(!doctype\s+html|html|head|body)\b", re.DOTALL | re.IGNORECASE
)
# Not the list or object "data" of any JSON, which is a date in Polish and Italian.
_MEMBER = re.compile(r'(?!"data"\s*:\s*[\[{])"([^"\\]{1,80})"\s*:')
_ELEMENT = re.compile(r"<([A-Za-z_][\w:.-]*)")
_SIGNATURES = {
    "HTML, perhaps a login page, and not an export": _HTML,
    "an archive: unpack it": re.compile(
        rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|BZh[1-9]1AY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|.{257}ustar", re.DOTALL
    ),
    "a PDF, an image, a text document or a file of another program: export its table as CSV or XLSX": re.compile(
        rb"%PDF-|\x89PNG\r\n|\xff\xd8\xff|GIF8|RIFF....WEBP|II\*\0|MM\0\*|BM....\0{4}|....ftyp(heic|heix|mif1|avif)"
        rb"|PK\x03\x04.*?(\[Content_Types\]\.xml|mimetypeapplication/vnd\.oasis)|\xd0\xcf\x11\xe0|\{\\rtf"
        rb"|PAR1|AC10[0-9]{2}\0|\x89HDF|(?!\0\0\x27\x0a|SQLite|PK).{0,16}?\0{8}",
        re.DOTALL,
    ),
}


@contextmanager
def open_member(path: Path) -> Iterator[IO[bytes] | None]:
    """Open the only text file of an archive, None unless there is exactly one; UnreadableFileError if it is broken."""
    try:
        archive = zipfile.ZipFile(path)
        name = _text_member(member_names(archive))
        member = archive.open(name) if name else None
    except (zipfile.BadZipFile, RuntimeError) as error:
        raise UnreadableFileError(path, f"is a ZIP archive that cannot be read: {error}") from error
    with archive, member or nullcontext():
        yield member


def is_bomb(size: int, compressed_size: int) -> bool:
    """Return whether a size and that of its compressed bytes were made to fill the memory or the disk."""
    return size > max(MAX_EXPANDED_BYTES, MAX_EXPANSION * compressed_size)


def member_names(archive: zipfile.ZipFile) -> dict[PurePosixPath, str]:
    """Return the names of the members of an archive by their paths, without those that macOS adds."""
    names = {PurePosixPath(name): name for name in archive.namelist()}
    return {path: name for path, name in names.items() if "__MACOSX" not in path.parts}


def _text_member(names: Mapping[PurePosixPath, str]) -> str | None:
    texts = [name for path, name in names.items() if path.suffix.lower() in TEXT_SUFFIXES]
    is_vector_file = any(path.suffix.lower() in _VECTOR_SUFFIXES for path in names)
    return texts[0] if len(texts) == 1 and not is_vector_file else None


def xml_root(head: str) -> str | None:
    """Return the name of the root element, None if a text does not begin like XML without a DTD."""
    root = _XML_ROOT.match(head)
    return root[1] if root else None


def document_names(head: str) -> list[str]:
    """Return the different names of the members of JSON, or of the elements of XML, in the first characters of it."""
    pattern = _ELEMENT if head.lstrip().startswith("<") else _MEMBER
    return list(dict.fromkeys(pattern.findall(head)))


def describe_foreign(first_bytes: bytes) -> str | None:
    """Return what a file is if it is no export, None if it may be one."""
    content = first_bytes.removeprefix(b"\xef\xbb\xbf")
    return next((name for name, signature in _SIGNATURES.items() if signature.match(content)), None)
