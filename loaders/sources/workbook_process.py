"""A process that writes sheets of a workbook as CSV: a small file may be a sheet that fills the memory.

Arguments are the workbook, a folder for the files 0.csv, 1.csv ..., the name of the sheet, without which all visible
ones with a cell are written, and whether rows.csv is written instead, a JSON document that lacks its last bracket.
Standard output is a JSON list of their names, and one of those of hidden ones; an error is one line and exit status 1.
"""

import csv
import json
import re
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from itertools import islice
from typing import IO, Any
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile, ZipFile

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

from loaders.sources.dtd import WITHOUT_DTD
from loaders.text import HEAD_ROWS, HEADING_COLUMN, SHEET_COLUMN, header_position

_MAX_SECONDS, _MAX_BYTES = 60, 2_000_000_000
_MAX_HEADER_ROWS = 3
_ODS_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
_Range = tuple[tuple[int, int], tuple[int, int]]
_Ranges = Sequence[_Range]
_PERCENT = re.compile(r"%|\bdv\b|daily value|percent", re.IGNORECASE)


def main(path: str, folder: str, name: str, as_rows: str) -> None:
    """Write sheets to files."""
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_SECONDS, _MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    written: list[str] = []
    try:
        workbook = CalamineWorkbook.from_path(path)
        merged: Mapping[str, _Ranges] = {}
        with suppress(BadZipFile, KeyError), ZipFile(path) as archive:
            merged = _merged_cells_of_ods(archive.open("content.xml"))
        sheets = [each for each in workbook.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
        visible = [each.name for each in sheets if each.visible == SheetVisibleEnum.Visible]
        for each in [name] if name else visible:
            sheet = workbook.get_sheet_by_name(each)
            if sheet.start or name:
                file_name = f"{folder}/{'rows' if as_rows else len(written)}.csv"
                with open(file_name, "a", encoding="utf-8", newline="") as file:
                    file.write((", " if written else "[") if as_rows else "")
                    _write(sheet, sheet.merged_cell_ranges or merged.get(each, ()), file, as_rows=bool(as_rows))
                written.append(each)
        if not written:
            raise ValueError("no visible sheet has a cell")
    except PasswordError:
        sys.exit("has a password: save it without one")
    except WorksheetNotFound:
        sys.exit(f"has no sheet {name!r}")
    except (CalamineError, XmlError, ZipError, ExpatError, ValueError, OSError) as error:
        sys.exit(f"is no workbook that can be read ({error}): export its table as CSV or XLSX")
    hidden = [] if name else [each.name for each in sheets if each.name not in visible]
    json.dump([written, hidden], sys.stdout)


def _merged_cells_of_ods(content: IO[bytes]) -> Mapping[str, _Ranges]:
    """Return the merged cells of the sheets of OpenDocument, which Calamine does not read."""
    merged: defaultdict[str, list[_Range]] = defaultdict(list)
    name, row, column, next_row = "", 0, 0, 0

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal name, row, column, next_row
        kind, read = element.removeprefix(_ODS_TABLE), attributes.get
        if kind == "table":
            name, next_row = read(f"{_ODS_TABLE}name", ""), 0
        elif kind == "table-row":
            row, column = next_row, 0
            next_row += int(read(f"{_ODS_TABLE}number-rows-repeated", 1))
        elif kind in ("table-cell", "covered-table-cell"):
            rows, columns = (int(read(f"{_ODS_TABLE}number-{each}-spanned", 1)) for each in ("rows", "columns"))
            if rows * columns > 1:
                merged[name].append(((row, column), (row + rows - 1, column + columns - 1)))
            column += int(read(f"{_ODS_TABLE}number-columns-repeated", 1))

    parser = WITHOUT_DTD.ParserCreate(None, " ")
    parser.StartElementHandler = start
    parser.ParseFile(content)
    return merged


def _write(sheet: CalamineSheet, ranges: _Ranges, file: IO[str], *, as_rows: bool) -> None:
    """Write the filled rows of a sheet as JSON, or each row in the line of its number as CSV."""
    first, last = (0, -1) if as_rows else _header(sheet, ranges)
    rows = _filled(sheet, ranges, first, last)
    percentages = _percentages(sheet)
    texts = (_texts(row, percentages) for row in rows)
    if as_rows:
        filled = [[text.replace("\u2028", "\n") for text in row] for row in texts if row]
        json.dump({"sheet": sheet.name, "rows": filled}, file)
    else:
        write = csv.writer(file, lineterminator="\n").writerow
        for number, row in enumerate(texts):
            # From the header on, the name of the sheet is the last column.
            write([*row, SHEET_COLUMN if number == last else sheet.name] if row and number >= last else row)


def _header(sheet: CalamineSheet, ranges: _Ranges) -> tuple[int, int]:
    """Return the first and the last row of the header, whose cells may be merged with those below or be groups."""
    head = [*islice(sheet.iter_rows(), HEAD_ROWS)]
    first = header_position([list(map(_text, row)) for row in head])
    ends = [bottom for (top, _), (bottom, _) in ranges if top <= first < bottom < first + _MAX_HEADER_ROWS]
    has_groups = any(top == first and left < right for (top, left), (_, right) in ranges)
    for row in head[first + 1 : first + 2] if has_groups else ():
        # A date or a number is no name.
        is_text = all(isinstance(cell, str) and not any(map(str.isdigit, cell)) for cell in row)
        if is_text and row.count("") < head[first].count(""):
            ends.append(first + 1)
    return first, max(ends, default=first)


def _filled(sheet: CalamineSheet, ranges: _Ranges, first: int, last: int) -> Iterator[list[Any]]:
    """Yield each row with the value of merged cells in all of them; of titles and headers, only in their first column.

    Empty are those of a header but its last one, rows without a cell of their own, and one cell over most columns,
    which is the heading of the rows below: their last cell. A title as wide as such cells is a heading, too.
    """
    _, offset = sheet.start or (0, 0)
    spans = [(top, (left, right)) for (top, left), (_, right) in ranges if right - left >= max(2, sheet.width // 2)]
    headings = {span for top, span in spans if 0 <= last < top}
    wide = {top for top, span in spans if not first <= top <= last and span in headings}
    heading: Any = ""
    starting: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for (top, left), (bottom, right) in ranges:
        if left >= offset:
            starting[top].append((bottom, left - offset, (right if bottom > last else left) - offset))
    # The last row and the value of each merged column.
    merged: dict[int, tuple[int, Any]] = {}
    for number, row in enumerate(sheet.iter_rows()):
        own = [column for column, cell in enumerate(row) if cell != ""]
        is_empty = first <= number < last or not (own or number == last)
        for bottom, left, right in starting.pop(number, ()):
            if number in wide and own == [left]:
                heading, is_empty = row[left], True
            else:
                merged |= dict.fromkeys(range(left, min(right + 1, len(row))), (bottom, row[left]))
        for column, (bottom, value) in merged.items():
            if number <= bottom:
                row[column] = value
        others = [HEADING_COLUMN if number == last else heading] if wide else []
        yield [] if is_empty else [*row, *others]


def _percentages(sheet: CalamineSheet) -> set[int]:
    """Return the columns of percentages: their head says so, and most of their numbers are 0.05 for 5 %."""
    head = (cell for row in islice(sheet.iter_rows(), HEAD_ROWS) for cell in enumerate(row))
    named = {column for column, cell in head if isinstance(cell, str) and _PERCENT.search(cell)}
    fractions: Counter[int] = Counter()
    for row in sheet.iter_rows() if named else ():
        for column in named:
            cell = row[column]
            if isinstance(cell, float) and cell:
                fractions[column] += 1 if cell < 1 else -1
    return {column for column, majority in fractions.items() if majority > 0}


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
