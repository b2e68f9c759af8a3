"""A process that writes sheets of a workbook as CSV: a small file may be a sheet that fills the memory.

Arguments are the workbook, a folder for the files 0.csv, 1.csv ..., and the name of the sheet; if that is empty, all
with the header of the first table are written. Standard output is a JSON list of their names; an error is one line and
exit status 1.
"""

import csv
import json
import re
import resource
import sys
from collections.abc import Container, Sequence
from datetime import date, datetime, time
from itertools import islice
from typing import Any

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
    WorksheetNotFound,
    XmlError,
    ZipError,
)

from loaders.text import header_position

_MAX_SECONDS, _MAX_BYTES = 60, 2_000_000_000
_HEAD_ROWS = 20
# Of a header, and of a row below.
_MIN_COLUMNS, _MIN_CELLS = 3, 2
_PERCENT = re.compile(r"%|\bdv\b|daily value|percent", re.IGNORECASE)


def main(path: str, folder: str, name: str) -> None:
    """Write sheets to CSV files, a row in each line."""
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_SECONDS, _MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    try:
        sheets = _sheets(CalamineWorkbook.from_path(path), name)
    except PasswordError:
        sys.exit("has a password: save it without one")
    except WorksheetNotFound:
        sys.exit(f"has no sheet {name!r}")
    except (CalamineError, XmlError, ZipError, ValueError, OSError) as error:
        sys.exit(f"is no workbook that can be read ({error}): export its table as CSV or XLSX")
    for number, sheet in enumerate(sheets):
        with open(f"{folder}/{number}.csv", "w", encoding="utf-8", newline="") as file:
            percentages = _percentages(sheet)
            csv.writer(file, lineterminator="\n").writerows(_texts(row, percentages) for row in sheet.iter_rows())
    json.dump([sheet.name for sheet in sheets], sys.stdout)


def _sheets(workbook: CalamineWorkbook, name: str) -> list[CalamineSheet]:
    """Return the sheet with a name, or the visible ones with the header of the first table; ValueError without one."""
    if name:
        return [workbook.get_sheet_by_name(name)]
    header: list[str] = []
    sheets = []
    for each in workbook.sheets_metadata:
        if each.typ == SheetTypeEnum.WorkSheet and each.visible == SheetVisibleEnum.Visible:
            sheet = workbook.get_sheet_by_name(each.name)
            names = _header(sheet)
            header = header or names
            if names and names == header:
                sheets.append(sheet)
    if not sheets:
        raise ValueError("no sheet has a header with three columns and a row below")
    return sheets


def _header(sheet: CalamineSheet) -> list[str]:
    """Return the names of the columns of a table, none unless there are three and a row with two cells below."""
    rows = [list(map(_text, row)) for row in islice(sheet.iter_rows(), _HEAD_ROWS)]
    names, *below = [list(filter(str.strip, row)) for row in rows[header_position(rows) :]] or [[]]
    return names if len(names) >= _MIN_COLUMNS and any(len(row) >= _MIN_CELLS for row in below) else []


def _percentages(sheet: CalamineSheet) -> set[int]:
    """Return the columns of percentages: their head says so, and most of their numbers are 0.05 for 5 %."""
    head = (cell for row in islice(sheet.iter_rows(), _HEAD_ROWS) for cell in enumerate(row))
    named = {column for column, cell in head if isinstance(cell, str) and _PERCENT.search(cell)}
    numbers: dict[int, list[float]] = {column: [] for column in named}
    for row in sheet.iter_rows() if named else ():
        for column in named:
            cell = row[column]
            if isinstance(cell, float) and cell:
                numbers[column].append(cell)
    return {column for column in named if 2 * sum(number < 1 for number in numbers[column]) > len(numbers[column])}


def _texts(row: Sequence[Any], percentages: Container[int]) -> list[str]:
    return [
        f"{100 * cell:.10g}%" if isinstance(cell, float) and column in percentages else _text(cell)
        for column, cell in enumerate(row)
    ]


def _text(cell: Any) -> str:
    """Return the text of a cell as tables of CSV have it; a line break in it is U+2028, so that a row is a line."""
    if isinstance(cell, datetime):
        return str(cell.date()) if cell.time() == time() else str(cell)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, bool | date | time):
        return str(cell).lower()
    return "\u2028".join(str(cell).splitlines())


if __name__ == "__main__":
    main(*sys.argv[1:])
