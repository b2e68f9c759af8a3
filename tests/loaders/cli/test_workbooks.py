"""Workbooks of Excel and LibreOffice load like CSV."""

import json
import zipfile
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest

FILES = Path(__file__).parents[4] / "shared/data/files"
COLUMNS = 'format = "menu-table"\n[columns]\ndate = "date"\nmeal = "meal"\nlocation = "hall"\n'
COLUMNS += 'dish = "dish"\ndish_id = "id"\n'
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

    def workbook(name="menus.xlsx", merged=(), **sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            sheet.sheet_state = "hidden" if title == "Hidden" else "visible"
            for row in rows:
                sheet.append(row)
            for cells in merged:
                sheet.merge_cells(cells)
        book.save(tmp_path / name)
        return tmp_path / name

    return workbook


def save_ods(path, content):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    return path


def menus(campus_load):
    return json.loads(campus_load("dump", "dining").stdout)["menus"]


def served(campus_load):
    dump = json.loads(campus_load("dump", "dining").stdout)
    names = {kind: {each["id"]: each["name"] for each in dump[kind]} for kind in ("locations", "categories")}
    rows = ((row, names["locations"][row["location"]], names["categories"][row["category"]]) for row in dump["menus"])
    return [(row["date"], row["meal"], hall, station, row["name"]) for row, hall, station in rows]


def test_all_sheets_with_the_columns_are_read_below_their_titles_with_typed_cells(campus_load, workbook, save):
    profile = save(COLUMNS, "own.toml")
    path = workbook(
        Notes=[["Instructions", "x"]],
        Week1=[["Menus of the week"], [], HEADER, *ROWS],
        Legend=[["Symbol", "Meaning", "Color"], ["V", "vegan", "green"]],
        Week2=[["Week", 2], ["new", *HEADER[::-1]], ["yes", 103, "Stew", "North", "lunch", date(2026, 11, 27)]],
        Week3=[HEADER],
        Empty=[],
        Hidden=[HEADER, *ROWS],
    )

    result = campus_load("dining", path, "--profile", profile)

    assert result.exit_code == 0, result.stderr
    served = [(row["date"], row["meal"], row["recipe"], row["name"]) for row in menus(campus_load)]
    first_week = [("2026-11-20", 1, 101, "Soup of the day"), ("2026-11-20", 2, 102, "Pie")]
    assert served == [*first_week, ("2026-11-27", 1, 103, "Stew")]
    assert "not read: new (1)" in result.stdout
    assert "warning: menus.xlsx, sheet Week3 has no records" in result.stderr
    for sheet in ("Notes' is not read", "Legend' is not read", "Hidden' is hidden, and not read"):
        assert f"menus.xlsx, the whole file: sheet '{sheet}" in result.stderr, sheet


def test_merged_cells_hold_their_value_in_all_of_them_also_below_wrapped_names(campus_load, workbook):
    rows = [
        ["Menus of the week"],
        ["Serve\nDate", "Meal", "Dining\nHall", "Served"],
        [None, None, None, "Station", "Dish"],
        [date(2026, 11, 20), "lunch", "North", "Grill", "Burger"],
        [None, None, None, None, "Fries"],
        [None, "dinner", None, "Soups", "Soup"],
        [date(2026, 11, 21), "lunch", "South", "Pho"],
    ]
    header = ["A1:E1", "A2:A3", "B2:B3", "C2:C3", "D2:E2"]
    path = workbook(Menus=rows, merged=[*header, "A4:A6", "B4:B5", "C4:C6", "D4:D5", "D7:E8"])

    result = campus_load("dining", path)

    assert result.exit_code == 0, result.stderr
    assert served(campus_load) == [
        ("2026-11-20", 1, "North", "Grill", "Burger"),
        ("2026-11-20", 1, "North", "Grill", "Fries"),
        ("2026-11-20", 2, "North", "Soups", "Soup"),
        ("2026-11-21", 1, "South", "Pho", "Pho"),
    ]


def test_a_header_below_names_of_groups_is_read(campus_load, workbook):
    groups = ["When", None, "Where", None, "What"]
    rows = [groups, ["date", "meal", "hall", "station", "dish"], [date(2026, 11, 20), "lunch", "North", "Grill", "Pie"]]

    result = campus_load("dining", workbook(Menus=rows, merged=["A1:B1", "C1:D1"]))

    assert result.exit_code == 0, result.stderr
    assert served(campus_load) == [("2026-11-20", 1, "North", "Grill", "Pie")]


def test_the_name_of_a_sheet_is_a_column_that_a_profile_must_name(campus_load, workbook, save):
    for kind, sheets, named, values in [
        ("meal", ["Breakfast", "Lunch ", "Late Night"], True, {0, 1, 3}),
        ("location", ["North Hall", "South Hall", "Café 3"], True, {"North Hall", "South Hall", "Café 3"}),
        ("location", ["Monday", "KW 49", "Sheet3", "November", "Data"], False, {"menus"}),
        ("category", ["Grill", "Soups"], True, {"Grill", "Soups"}),
        ("category", ["KW 49", "KW 50"], False, {"Menu"}),
        ("date", ["30.11.2026", "01.12.2026"], True, {"2026-11-30", "2026-12-01"}),
    ]:
        row = {"date": date(2026, 11, 20), "meal": "lunch", "location": "North", "station": "Hot", "dish": "Soup"}
        row.pop("station" if kind == "category" else kind)
        path = workbook(**{sheet: [[*row], [*row.values()]] for sheet in sheets})

        undecided = campus_load("check", path)
        proposed = campus_load("profile", path).stdout
        profile = save(proposed, "own.toml")
        result = campus_load("dining", path, "--profile", profile, "--override", "all")

        number = len(sheets)
        reason = f'has {number} sheets and no column of the {kind}: the profile needs {kind} = "$sheet"'
        text = 'category is missing: it is "Menu" for all' if kind == "category" else f"menus.xlsx: {reason}"
        assert text in undecided.stderr, sheets
        assert f"# menus.xlsx, sheet {', '.join(sheets)}: table of menus, {number} rows" in proposed, sheets
        assert (result.exit_code, f'{kind} = "$sheet"' in proposed) == (0, named), (sheets, result.stderr)
        column = ["date", "meal", "location", "category"].index(kind)
        assert {row[column] for row in served(campus_load)} - {"2026-11-20"} == values, sheets


def test_a_heading_over_most_columns_is_a_column_of_the_rows_below(campus_load, workbook, save):
    row = {"date": date(2026, 11, 20), "meal": "lunch", "location": "North", "station": "Hot", "dish": "Soup"}
    for column, headings, values in [
        ("meal", ["Breakfast", "Abendessen"], {0, 2}),
        ("date", ["Fr 20.11.2026", "Saturday, November 21, 2026"], {"2026-11-20", "2026-11-21"}),
        ("station", ["Grill", "Soups"], {"Grill", "Soups"}),
        ("location", ["North Hall"], {"menus"}),
        ("", ["Menus of the week", "Subject to change"], {1}),
    ]:
        cells = [row[name] for name in row if name != column]
        header = [name for name in row if name != column]
        rows = [headings[:1], header, cells, headings[1:], header, [*cells[:-1], "Pie"]]
        path = workbook(merged=("A1:D1", "A4:D4"), Menus=rows)

        error = campus_load("check", path).stderr
        profile = save(campus_load("profile", path).stdout, "own.toml")
        campus_load("dining", path, "--profile", profile, "--override", "all")

        assert f"{column} = " in error or not column or 'category = "$heading"' in error, column
        assert {value for each in served(campus_load) for value in each if value in values} == values, column


def test_sheets_and_csv_are_documents_of_a_program(campus_load, workbook, save):
    program = r""".[] | .sheet as $hall | .rows[0] as $dates | .rows[1:][] as $row | range(1; $dates | length)
        | {date: "2026-\($dates[.][6:8])-\($dates[.][3:5])", hall: $hall, dish: ($row[.] / "\n" | first)}"""
    columns = 'date = "date"\nlocation = "hall"\ndish = "dish"\n'
    profile = save(f"format = 'menu-table'\nrows = '''{program}'''\n[columns]\n{columns}", "own.toml")
    rows = [["", "Mo 30.11.", "Di 01.12."], ["Menu 1", "Soup", "Pie"]]
    csv = save("\n".join(map(";".join, rows)), "East.csv")

    lines = [rows[0], ["Menu 1", "Soup\nof the day", "Pie"]]
    result = campus_load("dining", workbook(North=rows, South=lines), csv, "--profile", profile)

    assert result.exit_code == 0, result.stderr
    dishes = {"2026-11-30": "Soup", "2026-12-01": "Pie"}
    expected = {(day, hall, dish) for day, dish in dishes.items() for hall in ("East", "North", "South")}
    assert {(day, hall, dish) for day, _, hall, _, dish in served(campus_load)} == expected
    profile.write_text(profile.read_text().replace(".sheet as", '"North" as'))
    assert "not read" not in campus_load("check", workbook(North=rows), "--profile", profile).stdout


@pytest.mark.skipif(not FILES.is_dir(), reason="the exports are not there")
def test_small_workbooks_load_as_proposed(campus_load, save):
    for name, columns in {
        "sheet-a-hall": {("North Hall", 1), ("North Hall", 2), ("South Hall", 1)},
        "sheet-a-meal": {("North", 0), ("North", 1), ("North", 2)},
        "sheets-in-other-order": {("North Hall", 1), ("North Hall", 2)},
        "merged-station": {("North", 1)},
        "merged": {("North Hall", 0), ("North Hall", 1)},
    }.items():
        path = FILES / f"{name}.xlsx"
        profile = save(campus_load("profile", path).stdout, "own.toml")

        result = campus_load("dining", path, "--profile", profile, "--override", "all")

        rows = served(campus_load)
        assert (result.exit_code, {(hall, meal) for _, meal, hall, *_ in rows}) == (0, columns), (name, result.stderr)
        assert name != "merged-station" or {row[3] for row in rows} == {"Grill", "Soup"}, name


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

        assert result.exit_code == 0, (cells, result.stderr)
        facts = json.loads(campus_load("dump", "dining").stdout)["facts"]
        assert [each["nutrients"]["sodium"]["daily_value"] for each in facts] == [5, 120, 0, 12.5], cells


def test_a_sheet_is_chosen_by_the_option_or_the_profile_and_named_in_errors_and_proposals(campus_load, workbook, save):
    others = [HEADER, [date(2026, 11, 21), "lunch", "South", "Tea", 7]]
    path = workbook(Menus=[HEADER, *ROWS], Winter=others, Broken=[HEADER, ["tomorrow", "lunch", "North", "Soup", 1]])
    profile = save('format = "menu-table"\nsheet = "Winter"\n', "own.toml")

    for options in (["--sheet", "Winter"], ["--profile", profile]):
        assert campus_load("dining", path, *options, "--override", "all").exit_code == 0, options
        assert [row[-1] for row in served(campus_load)] == ["Tea"], options
    error = campus_load("dining", path, "--sheet", "Broken").stderr
    assert error.startswith("menus.xlsx, sheet Broken, line 2: date 'tomorrow' is not a date"), error
    assert "has no sheet 'Summer'" in campus_load("dining", path, "--sheet", "Summer").stderr
    proposal = campus_load("profile", path, "--sheet", "Menus").stdout
    assert proposal.startswith("# menus.xlsx, sheet Menus: table of menus, 2"), proposal


def test_buildings_and_other_formats_of_workbooks_are_read(campus_load, workbook, tmp_path):
    buildings = workbook("map.xlsx", Map=[["id", "name", "latitude", "longitude"], [1, "Widener", 42.37, -71.11]])
    merged = CELL.replace("<table:table-cell", '<table:table-cell table:number-rows-spanned="2"')
    empty = '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>'
    covered = '<table:covered-table-cell table:number-columns-repeated="3"/>'
    rows = [
        [*map(CELL.format, HEADER[:4])],
        [*map(merged.format, ["2026-11-20", "lunch", "North"]), CELL.format("Crème")],
        [covered, CELL.format("Pie")],
    ]
    content = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)
    save_ods(tmp_path / "menus.ods", ODS.format(empty + content))

    assert campus_load("buildings", buildings).exit_code == 0
    assert campus_load("dining", tmp_path / "menus.ods").exit_code == 0
    assert [row[-1] for row in served(campus_load)] == ["Crème", "Pie"]
    assert campus_load("dining", Path(__file__).parents[1] / "feeds/merged.xls").exit_code == 0
    merged = [("Grill", "Burger"), ("Grill", "Fries"), ("Soups", "Soup")]
    assert {*served(campus_load)} >= {("2026-11-30", 1, "North", *each) for each in merged}


def test_a_workbook_that_cannot_be_read_is_one_sentence(campus_load, workbook, save, tmp_path):
    whole, halls = workbook(Menus=[HEADER, *ROWS]), [["date", "dish", "station"], ["2026-11-20", "Pie", "Grill"]]
    mixed = {name: [["date", "dish", name], ["2026-11-20", "Pie", "Lunch"]] for name in ("hall", "meal")}
    far = openpyxl.Workbook()
    far.active.append(HEADER)
    far.active["XFD1048576"] = "x"
    far.save(tmp_path / "far.xlsx")
    dtd = '<!DOCTYPE x [<!ENTITY a "b">]>' + ODS.format(f"<table:table-row>{CELL.format('id')}</table:table-row>")
    for path, reason in [
        (save(whole.read_bytes()[:3000], "truncated.xlsx"), "is no workbook that can be read (invalid Zip archive"),
        (save(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "menu.doc"), "is no workbook that can be read"),
        (save_ods(tmp_path / "dtd.ods", dtd), "is no workbook that can be read (defines a DTD"),
        (tmp_path / "far.xlsx", "has too many cells for 2 GB of memory"),
        (workbook("mixed.xlsx", **mixed), "has no column meal, which the profile names"),
        (workbook("empty.xlsx", Text=[]), "is no workbook that can be read (no visible sheet has a cell"),
        (workbook("halls.xlsx", **{"A Lunch": halls, "B Lunch": halls}), "has sheets such as 'A Lunch', whose names"),
    ]:
        result = campus_load("profile", path)

        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), path
        assert result.stderr.startswith(f"campus-load: {path}: {reason}"), (path, result.stderr)
