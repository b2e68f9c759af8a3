"""Workbooks of Excel and LibreOffice load like CSV."""

import json
import zipfile
from datetime import date, datetime

import openpyxl
import pytest

COLUMNS = 'format = "menu-table"\n[columns]\ndate = "date"\nmeal = "meal"\ndish = "dish"\ndish_id = "id"\n'
HEADER = ["date", "meal", "hall", "dish", "id"]
ROWS = [
    [date(2026, 11, 20), "lunch", "North", "Soup\nof the day", 101],
    [datetime(2026, 11, 20, 12, 30), "dinner", "North", "Pie", 102.0],
]
ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
<office:body><office:spreadsheet><table:table table:name="Menus">{}</table:table></office:spreadsheet></office:body>
</office:document-content>"""
CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'


@pytest.fixture
def workbook(tmp_path):
    """Save a workbook of sheets by name, each a list of rows, and return its path."""

    def workbook(name="menus.xlsx", **sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(tmp_path / name)
        return tmp_path / name

    return workbook


def menus(campus_load):
    return json.loads(campus_load("dump", "dining").stdout)["menus"]


def dishes(campus_load):
    return [row["name"] for row in menus(campus_load)]


def test_sheets_with_the_header_of_the_first_table_are_read_below_their_titles_with_typed_cells(
    campus_load, workbook, save
):
    profile = save(COLUMNS, "own.toml")
    path = workbook(
        Notes=[["Instructions", "x"]],
        Week1=[["Menus of the week"], [], HEADER, *ROWS],
        Legend=[["Symbol", "Meaning", "Color"], ["V", "vegan", "green"]],
        Week2=[["Week", 2], [*HEADER, ""], [date(2026, 11, 27), "lunch", "North", "Stew", 103, "new"]],
    )

    result = campus_load("dining", path, "--profile", profile)

    assert result.exit_code == 0, result.stderr
    served = [(row["date"], row["meal"], row["recipe"], row["name"]) for row in menus(campus_load)]
    first_week = [("2026-11-20", 1, 101, "Soup of the day"), ("2026-11-20", 2, 102, "Pie")]
    assert served == [*first_week, ("2026-11-27", 1, 103, "Stew")]


def test_names_of_columns_may_be_wrapped(campus_load, workbook):
    header = ["Serve\nDate", "Meal", "Dining\nHall", "Menu\nItem"]
    path = workbook(Menus=[header, [date(2026, 11, 20), "lunch", "North", "Soup"]])

    result = campus_load("dining", path)

    assert result.exit_code == 0, result.stderr
    assert dishes(campus_load) == ["Soup"]


def test_dates_that_are_cells_of_their_own_type_need_no_format(campus_load, workbook, save):
    dates = [date(2026, 11, 30), "01/12/2026", 46358]
    path = workbook(Menus=[HEADER, *([each, "lunch", "North", f"Soup {each}", 1] for each in dates)])
    proposed = campus_load("profile", path)
    day_first = save(proposed.stdout.replace("%m/%d/%Y", "%d/%m/%Y"), "own.toml")

    result = campus_load("dining", path, "--profile", day_first)

    assert (proposed.exit_code, result.exit_code) == (0, 0), result.stderr
    assert [row["date"] for row in menus(campus_load)] == ["2026-11-30", "2026-12-01", "2026-12-02"]


def test_percentages_are_those_of_cells_in_percent_or_of_whole_numbers(campus_load, workbook, save):
    profile = save(f'{COLUMNS}[facts]\nsodium = "Sodium"\nsodium_daily_value = "Sodium DV"\n', "own.toml")
    for cells in ([0.05, 1.2, 0, 0.125], [5, 120, 0, 12.5]):
        rows = [[date(2026, 11, 20), "lunch", "North", f"Soup {id_}", id_, "300 mg", cells[id_]] for id_ in range(4)]
        path = workbook(Menus=[[*HEADER, "Sodium", "Sodium DV"], *rows])

        result = campus_load("dining", path, "--profile", profile)

        assert result.exit_code == 0, result.stderr
        facts = json.loads(campus_load("dump", "dining").stdout)["facts"]
        assert [each["nutrients"]["sodium"]["daily_value"] for each in facts] == [5, 120, 0, 12.5], cells


def test_a_sheet_is_chosen_by_the_option_or_the_profile_and_named_in_errors_and_proposals(campus_load, workbook, save):
    others = [HEADER, [date(2026, 11, 21), "lunch", "South", "Tea", 7]]
    path = workbook(Menus=[HEADER, *ROWS], Winter=others, Broken=[HEADER, ["tomorrow", "lunch", "North", "Soup", 1]])
    profile = save('format = "menu-table"\nsheet = "Winter"\n', "own.toml")

    for options in (["--sheet", "Winter"], ["--profile", profile]):
        assert campus_load("dining", path, *options, "--override", "all").exit_code == 0, options
        assert dishes(campus_load) == ["Tea"], options
    error = campus_load("dining", path, "--sheet", "Broken").stderr
    assert error.startswith("menus.xlsx, sheet Broken, line 2: date 'tomorrow' is not a date"), error
    assert "has no sheet 'Summer'" in campus_load("dining", path, "--sheet", "Summer").stderr
    assert campus_load("profile", path).stdout.startswith("# menus.xlsx, sheet Menus: table of menus, 2 rows, 1 date")


def test_buildings_and_other_formats_of_workbooks_are_read(campus_load, workbook, tmp_path):
    buildings = workbook("map.xlsx", Map=[["id", "name", "latitude", "longitude"], [1, "Widener", 42.37, -71.11]])
    cells = [["date", "meal", "hall", "dish"], ["2026-11-20", "lunch", "North", "Crème"]]
    rows = "".join(f"<table:table-row>{''.join(map(CELL.format, row))}</table:table-row>" for row in cells)
    with zipfile.ZipFile(tmp_path / "menus.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", ODS.format(rows))

    assert campus_load("buildings", buildings).exit_code == 0
    assert campus_load("dining", tmp_path / "menus.ods").exit_code == 0
    assert dishes(campus_load) == ["Crème"]


def test_a_workbook_that_cannot_be_read_is_one_sentence(campus_load, workbook, save, tmp_path):
    whole = workbook(Menus=[HEADER, *ROWS])
    far = openpyxl.Workbook()
    far.active.append(HEADER)
    far.active["XFD1048576"] = "x"
    far.save(tmp_path / "far.xlsx")
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "")
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 110_000_000)
    for path, reason in [
        (save(whole.read_bytes()[:3000], "truncated.xlsx"), "is no workbook that can be read (invalid Zip archive"),
        (save(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "menu.doc"), "is no workbook that can be read"),
        (tmp_path / "far.xlsx", "has too many cells for 2 GB of memory"),
        (tmp_path / "bomb.xlsx", "is a workbook of 110,000,000 bytes decompressed, which is no table"),
        (workbook("prose.xlsx", Text=[["Welcome"], ["Bye"]]), "is no workbook that can be read (no sheet has a header"),
    ]:
        result = campus_load("check", path)

        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), path
        assert result.stderr.startswith(f"campus-load: {path}: {reason}"), result.stderr
