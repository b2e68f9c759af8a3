"""A process that writes a sheet of a workbook as CSV: a small file may be a sheet that fills the memory.

Arguments are the workbook, the CSV file and the name of the sheet, the first one with a table if it is empty. Standard
output is the name of the sheet; an error is one line and exit status 1.
"""

import csv
import re
import resource
import sys
from collections.abc import Container, Iterator, Sequence
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

_MAX_SECONDS, _MAX_BYTES = 60, 2_000_000_000
_HEAD_ROWS = 20
# Of a row in which a table begins, and of one below.
_MIN_COLUMNS, _MIN_CELLS = 3, 2
_PERCENT = re.compile(r"%|\bdv\b|daily value|percent", re.IGNORECASE)


def main(path: str, target: str, name: str) -> None:
    """Write a sheet to a CSV file, a row in each line."""
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_SECONDS, _MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    try:
        sheet = _sheet(CalamineWorkbook.from_path(path), name)
    except PasswordError:
        sys.exit("has a password: save it without one")
    except WorksheetNotFound:
        sys.exit(f"has no sheet {name!r}")
    except (CalamineError, XmlError, ZipError, ValueError, OSError) as error:
        sys.exit(f"is no workbook that can be read ({error}): export its table as CSV or XLSX")
    with open(target, "w", encoding="utf-8", newline="") as file:
        percentages = _percentages(sheet)
        csv.writer(file, lineterminator="\n").writerows(_texts(row, percentages) for row in sheet.iter_rows())
    sys.stdout.write(sheet.name)


def _sheet(workbook: CalamineWorkbook, name: str) -> CalamineSheet:
    """Return the sheet with a name, or the first visible one with a table; ValueError if there is none."""
    if name:
        return workbook.get_sheet_by_name(name)
    for each in workbook.sheets_metadata:
        if each.typ == SheetTypeEnum.WorkSheet and each.visible == SheetVisibleEnum.Visible:
            sheet = workbook.get_sheet_by_name(each.name)
            if _has_table(islice(sheet.iter_rows(), _HEAD_ROWS)):
                return sheet
    raise ValueError("no sheet has a header with three columns and a row below")


def _has_table(rows: Iterator[Sequence[Any]]) -> bool:
    filled = (sum(1 for cell in row if cell != "") for row in rows)
    return any(number >= _MIN_COLUMNS for number in filled) and any(number >= _MIN_CELLS for number in filled)


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
