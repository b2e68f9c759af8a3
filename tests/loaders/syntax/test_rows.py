import json

from loaders.profiles.values import parse_program
from loaders.readers import buildings, dining
from loaders.result import ReadResult
from loaders.sources.files import open_export
from loaders.syntax.rows import ProgramLimits, program_rows
from tests.loaders.errors import error_of, reason_of


def rows_of(path, program, source="", **options):
    with open_export(path, ReadResult(origins={path: source} if source else {})) as export:
        return list(program_rows(export, parse_program("rows", program), **options))


def test_each_value_of_the_program_is_a_numbered_row(save):
    number = 9007199254740993
    values = [{"b": number}, {"b": None}, {"b": {"c": -number}}, {"b": ["c", number]}, {"b": ["c", "d"]}, "é\n"]
    path = save(json.dumps({"a": values}), "menu.json")

    assert rows_of(path, ".a[]") == [((None, number), row) for number, row in enumerate(values, start=1)]
    for source, text in [("", str(path)), ("https://x.edu/menu?date=1", "https://x.edu/menu?date=1")]:
        assert rows_of(path, "$source", source=source) == [((None, 1), text)], source
    with open_export(path, ReadResult()) as export:
        endless = program_rows(export, parse_program("rows", "repeat({a: 1})"))
        assert next(endless) == ((None, 1), {"a": 1})
        endless.close()


def test_csv_is_a_sheet_with_the_name_of_its_file(save):
    path = save('\t"Mo\n30.11."\n\nMenu 1\tSoup, hot\n', "North.csv")

    sheet = {"sheet": "North", "rows": [["", "Mo\n30.11."], ["Menu 1", "Soup, hot"]]}
    assert rows_of(path, ".[]") == [((None, 1), sheet)]


def test_the_program_runs_no_python_of_the_working_directory(save, monkeypatch):
    path = save("{}", "menu.json")
    save("raise SystemExit('from the working directory')", "jq.py")
    monkeypatch.chdir(path.parent)

    assert rows_of(path, "{a: 1}") == [((None, 1), {"a": 1})]


def test_a_dtd_and_broken_documents_are_errors(save):
    for document, reason in {
        '<!DOCTYPE m [<!ENTITY a "b">]><m>&a;</m>': "defines a DTD",
        '<!DOCTYPE m SYSTEM "file:///etc/passwd"><m>&a;</m>': "has the entity 'a', which is not one of XML",
        "<m>&a;</m>": "undefined entity",
        "<m>": "no element found",
        '{"a": nul}': "Invalid literal at line 1",
        '{"a": 1': "Unfinished JSON",
    }.items():
        assert reason in reason_of(rows_of, save(document), "."), document


def test_an_error_of_the_program_says_after_how_many_rows(save):
    reason = reason_of(rows_of, save('{"a": [1, 2, "x"]}'), ".a[] | . + 1")

    assert reason == (
        'does not suit the rows of the profile: string ("x") and number (1) cannot be added, after 2 rows'
    )


def test_time_memory_and_documents_are_limited(save):
    path = save("{}")

    for program, limits, reason in (
        ("def f: f; f", ProgramLimits(seconds=1), "takes more than 1 seconds of processor time"),
        ("[range(1e9)]", ProgramLimits(max_bytes=200_000_000), "takes more than 200 MB of memory"),
        (".", ProgramLimits(max_characters=1), "has more than 1 characters"),
    ):
        assert reason_of(rows_of, path, program, limits=limits).startswith(reason), program


def test_a_program_that_is_none_says_where(dining_profile):
    for program, reason in {
        ".a\n| nosuch": "nosuch/0 is not defined in its line 2: | nosuch",
        ".a\n\n| foo(": "syntax error, unexpected end of file in its line 3: | foo(",
        ".a |": "syntax error, unexpected end of file in its line 1: .a |",
    }.items():
        error = error_of(dining_profile, f"rows = '''{program}'''")

        assert str(error).endswith(f"custom.toml: rows is no jq program: {reason}"), program


def test_a_column_that_no_row_has_is_an_error(save, dining_profile):
    columns = '[columns]\ndate = "day"\ndish = "dish"\nlocation = ["Hall", "place"]\n[facts]\ncalories = "kcal"\n'
    document = save('[{"day": "2026-11-20", "hall": "North", "dish": "Soup"}]')

    reason = reason_of(dining.read, [(dining_profile(f'rows = ".[]"\n{columns}', "menu-table"), [document])])

    assert reason == "has no Hall or place, kcal, which the profile names, in any row that its rows make"


def test_rows_of_buildings_are_a_table(save, building_profile):
    text = """rows = '.campuses[] | .name as $campus | .data | many | {id, lat: .geo.lat, lon: .geo.lng, $campus}'
    [fields]
    city = "campus"
    """
    hall = {"id": 1, "geo": {"lat": 44.1, "lng": -73.1}}
    document = save(json.dumps({"campuses": [{"name": "A", "data": hall}, {"name": "B", "data": [hall | {"id": 2}]}]}))

    def read(profile):
        return buildings.read([(building_profile(profile, "table"), [document])])

    buildings_read = [(each.id, each.city, each.point) for each in read(text).records]
    assert buildings_read == [(1, "A", (44.1, -73.1)), (2, "B", (44.1, -73.1))]
    assert reason_of(read, text.replace('"campus"', '["town", "nothing"]')).startswith("has no town or nothing")
