"""A profile proposed for an unknown export, with the evidence in comments."""

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

import tomlkit

from campus_api.domain.text import truncate
from loaders.code_pages import needed_encoding
from loaders.errors import ROWS, UnreadableFileError
from loaders.inference.comments import add_comments, wrap
from loaders.inference.propose_buildings import propose_buildings
from loaders.inference.propose_dining import FindBuildings, propose_dining
from loaders.map_formats import BUILDING_FORMATS
from loaders.menu_formats.common_names import common_columns
from loaders.readers import detect_export
from loaders.result import ProgressCallback, ReadResult, no_progress
from loaders.sources.content import document_names, xml_root
from loaders.sources.files import Export, file_name, open_export, sheet_name
from loaders.syntax.csv_rows import csv_head, widest_delimiter
from loaders.text import header_position

_ACCEPTED = (
    "buildings need a latitude and a longitude or a geometry, menus a date, a dish and a meal, a hall or a category, by"
    " common names or in a profile (docs/data.md), whose rows can flatten nested objects and other tables"
)
# What a table of menus may lack, by what it has.
_LACKING = {("date", "dish"): "a meal, a hall or a category", ("meal", "dish"): "a date", ("date", "meal"): "a dish"}
# A JSON member after others that are no objects, or an XML root.
_ERROR = re.compile(
    r'\s*(?:\{[^][{}]*"(?:errors?|fault)"\s*:(?!\s*\[\s*\])|(?=\{\s*"(?:detail|message)"|\{[^][{}]*"msg"[^][{}]*\}\s*$'
    r'|\{[^][{}]*"(?:(?:success|ok)"\s*:\s*false|status(?:_?code)?"\s*:\s*"?(?:[45][0-9]{2}\b|error|fail)))'
    r"|(?:<\?xml[^>]*>\s*)?(?:<(?:\w+:)?(?:Envelope|Body)\b[^>]*>\s*)*<[\w:]*(?:error|exception|fault)\w*[^>]*>)\s*(.*)",
    re.DOTALL | re.IGNORECASE,
)
# JSON whose lists are empty, or XML with only numbers and dates in its elements.
_WITHOUT_ITEMS = re.compile(
    r"\s*(?=[\[{])(?:[^\[]*\[\s*\])+[^\[]*|\s*\{\s*\}\s*"
    r"|\s*(?:<\?[^>]*>\s*)?<\w[^>]*>\s*(?:</?[\w:.-]+(?:\s+\w+=\"[0-9-]*\")*\s*/?>[\s0-9.-]*)*"
)
_MAX_SHOWN = 60
_MAX_COLUMNS = 40


def profile(
    path: Path,
    track: ProgressCallback = no_progress,
    layer: str | None = None,
    find_buildings: FindBuildings = lambda names: {},
    origins: Mapping[Path, Path | str] = MappingProxyType({}),
    sheets: Sequence[Path] = (),
) -> str:
    """Return a profile for an export, as TOML; UnreadableFileError if its format is unknown or it has no records.

    `find_buildings` returns the ids of the buildings that have these names, for the halls of menus. `origins` are the
    URLs of downloads, `sheets` all sheets of the workbook of which the export is one.
    """
    detected = {each: detect_export(each, origins) for each in sheets or [path]}
    name = next(filter(None, detected.values()), None)
    read = [each for each, format_name in detected.items() if format_name == name]
    if name is None:
        refuse(path, origins)
    with open_export(read[0], None, None) as export:
        encoding = None if name == "gdal" else export.code_page
    with ExitStack() as stack:
        exports = [stack.enter_context(open_export(each, ReadResult(origins=origins), encoding)) for each in read]
        if name in BUILDING_FORMATS:
            title, body = propose_buildings(exports, name, track, layer)
        else:
            title, body = propose_dining(exports, name, encoding, track, find_buildings)
    document = tomlkit.document()
    names = ", ".join([file_name(read[0]), *map(sheet_name, read[1:])])
    add_comments(document, wrap(f"{names}: {title}"))
    if unread := ", ".join(sheet_name(each) for each in detected if each not in read):
        add_comments(document, wrap(f"Sheets that are not read: {unread}"))
    if encoding:
        add_comments(document, [f"Text {needed_encoding(encoding)}"])
        document.add("encoding", encoding)
    return tomlkit.dumps(document) + tomlkit.dumps(body)


def refuse(path: Path, origins: Mapping[Path, Path | str]) -> NoReturn:
    """Raise the UnreadableFileError that describes a file of unknown format."""
    with open_export(path, ReadResult(origins=origins), None) as export:
        line = next(filter(None, map(str.strip, export.head.splitlines())), "")
        raise UnreadableFileError(path, f"is not in a known format: {_describe(line, export)}")


def _describe(line: str, export: Export) -> str:
    if not line:
        return "it is empty"
    if export.code_page and "\N{REPLACEMENT CHARACTER}" in line:
        return f"it is not UTF-8, and {needed_encoding(export.code_page)}"
    if error := _ERROR.match(export.head):
        return f"it is the error of a server: {_quote(error[1])}"
    if _WITHOUT_ITEMS.fullmatch(export.head):
        return "it has no records"
    if element := xml_root(export.head):
        return f"it is XML with the root element <{element}>; {ROWS} can flatten it"
    kind = "JSON" if line[0] in "[{" else "CSV"
    if kind == "JSON":
        names, described = document_names(export.head), _quote(export.head)
    else:
        rows = csv_head(export.head, widest_delimiter(export.head))
        names = [each for each in rows[header_position(rows)] if not each.startswith("$")]
        shown = ", ".join(map(_quote, names[:_MAX_COLUMNS]))
        described = f"its header has {len(names)} columns: {shown}"
    if len(names) == 1:
        return f"it begins with {_quote(line)}"
    common = common_columns([dict.fromkeys(names)])[0].keys()
    for known, lacking in _LACKING.items():
        if {*known} <= common:
            needed = f"no column of {lacking} by a common name, which a profile can name, or {ROWS} can make"
            return f"it has a {' and a '.join(known)}, but {needed}; {described}"
    return f"it looks like {kind}, but neither of a map nor of menus; {described}; {_ACCEPTED}"


def _quote(text: str) -> str:
    return repr(truncate(" ".join(text[: 2 * _MAX_SHOWN].split()), _MAX_SHOWN))
