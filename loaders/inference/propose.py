"""What an unknown export is, as a profile that reads it, with what speaks for it in comments."""

import csv
import textwrap
from pathlib import Path
from typing import NoReturn

from loaders.errors import UnreadableFileError
from loaders.inference.propose_buildings import propose_buildings
from loaders.inference.propose_dining import propose_dining
from loaders.inference.toml_text import comment
from loaders.profiles import FORMATS
from loaders.readers.files import Export, file_name, open_export
from loaders.readers.result import ProgressCallback, ReadResult, no_progress
from loaders.readers.sniff import detect_format

_PROPOSE = {"buildings": propose_buildings, "dining": propose_dining}
_LONGEST_LINE = 10_000
_SHOWN = 60
_COLUMNS = 40
_WIDE = 118


def profile(path: Path, track: ProgressCallback = no_progress) -> str:
    """Return a profile for an export, in TOML; UnreadableFileError when it is in no format that is known."""
    with open_export(path, ReadResult()) as export:
        form = detect_format(export.head)
        if form is None:
            _refuse(export)
        title, *lines = _PROPOSE[FORMATS[form]](export, form, track)
    titles = textwrap.wrap(f"{file_name(path)}: {title}", _WIDE, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join([*map(comment, titles), *lines]) + "\n"


def _refuse(export: Export) -> NoReturn:
    line = export.text.readline(_LONGEST_LINE)
    while line.isspace():
        line = export.text.readline(_LONGEST_LINE)
    raise UnreadableFileError(export.path, f"is in no format that is known: {_looks_of(line.strip(), export)}")


def _looks_of(line: str, export: Export) -> str:
    """Return what an export seems to be, judged by its first line that is not empty."""
    if not line:
        return "it is empty"
    if line[0] in "[{":
        return f"it looks like JSON, but neither of a map nor of menus: {_beginning(export.head)}"
    separator = max(",;\t|", key=line.count)
    columns = next(csv.reader([line], delimiter=separator))
    if len(columns) == 1:
        return f"it begins with {_beginning(line)}"
    names = ", ".join(map(_beginning, columns[:_COLUMNS])) + ", …" * (len(columns) > _COLUMNS)
    return f"it looks like CSV, but not of menus; its first line has {len(columns)} columns: {names}"


def _beginning(text: str) -> str:
    line = " ".join(text[: 2 * _SHOWN].split())
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…")
