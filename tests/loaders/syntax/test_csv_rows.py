from loaders.result import ReadResult
from loaders.sources.files import open_export
from loaders.syntax.csv_rows import csv_rows
from tests.loaders.errors import error_of


def rows_in(path, delimiter=","):
    with open_export(path, ReadResult()) as export:
        return [(location.line, row) for location, row in csv_rows(export, delimiter)]


def test_a_row_of_over_a_million_characters_is_an_error(save):
    for row in ("x" * 100_000 + ",", '"x\n",'):
        error = error_of(rows_in, save("one,two\n" + row * (1_200_000 // len(row))))

        assert str(error).endswith("line 2 has a row of more than 1,048,576 characters"), row[:5]


def test_a_field_may_be_as_long_as_a_row_and_a_file_longer(save):
    polygon = "x" * ((1 << 20) - 2)

    assert rows_in(save(f"7,{polygon}")) == [(1, ["7", polygon])]
    assert len(rows_in(save(("x" * 1000 + ",two\n") * 1100))) == 1100


def test_rows_have_their_first_line_and_those_of_blank_cells_are_not_read(save):
    assert [line for line, _ in rows_in(save('a,b\r\n\r\n"c\nd",e\rf,g'))] == [1, 3, 5]
    for blank in ("", ",", ",,,", " , ,", '"",""'):
        rows = rows_in(save(f"id,name\n{blank}\n7,Widener\n{blank}\n{blank}\n"))

        assert rows == [(1, ["id", "name"]), (3, ["7", "Widener"])], blank
    assert rows_in(save('a\n"\n",""\n')) == [(1, ["a"])]
