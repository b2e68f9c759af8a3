"""Workbooks of Excel and LibreOffice as CSV, of which the formats know nothing else."""

import json
import re
import sys
import zipfile
from pathlib import Path
from subprocess import run

from loaders.errors import UnreadableFileError
from loaders.sources.content import ZIP_MAGIC
from loaders.sources.files import SHEET

# Of .xls, and of all workbooks with a password.
_OLE_MAGIC = b"\xd0\xcf\x11\xe0"
_MEMBERS = re.compile(r"xl/workbook\.(xml|bin)|content\.xml", re.IGNORECASE)
_TOO_LARGE = "has too many cells for 2 GB of memory, or takes more than a minute: delete empty ones, or name a sheet"


def is_workbook(path: Path) -> bool:
    """Return whether a file may be a workbook."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        magic = file.read(len(ZIP_MAGIC))
    if magic == ZIP_MAGIC and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return any(map(_MEMBERS.fullmatch, archive.namelist()))
    # What is left of a truncated one begins with its first member.
    return magic == _OLE_MAGIC or (magic == ZIP_MAGIC and path.suffix.lower() in (".xlsx", ".xlsb", ".ods"))


def convert_sheets(path: Path, folder: Path, sheet: str, *, as_rows: bool) -> tuple[list[Path], list[str]]:
    """Return CSV files in a folder, named by the workbook and the sheet, of one or all, and the names of hidden sheets.

    Instead of these files, it is a JSON document of all rows for a jq program. UnreadableFileError if the workbook
    cannot be read, or is too large.
    """
    # Nothing is imported from the working directory.
    arguments = [str(path), str(folder), sheet, "rows" if as_rows else ""]
    command = [sys.executable, "-P", "-m", "loaders.sources.workbook_process", *arguments]
    process = run(command, capture_output=True, encoding="utf-8", check=False)
    if process.returncode == 1 and "MemoryError" not in process.stderr:
        raise UnreadableFileError(path, " ".join(process.stderr.split()))
    if process.returncode:
        raise UnreadableFileError(path, _TOO_LARGE)
    names, hidden = json.loads(process.stdout)
    if as_rows:
        with (folder / "rows.csv").open("a") as file:
            file.write("]")
        return [(folder / "rows.csv").rename(folder / path.name)], hidden
    files = [f"{path.name}{SHEET}{name.replace('/', ' ')}" for name in names]
    return [(folder / f"{number}.csv").rename(folder / file) for number, file in enumerate(files)], hidden
