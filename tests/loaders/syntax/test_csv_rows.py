import pytest

from loaders.errors import UnreadableFileError
from loaders.result import ReadResult
from loaders.sources.files import open_export
from loaders.syntax.csv_rows import csv_rows


def rows_in(path, delimiter=","):
    with open_export(path, ReadResult()) as export:
        return [(location.line, row) for location, row in csv_rows(export, delimiter)]


@pytest.mark.parametrize("row", ["x" * 100_000 + ",", '"x\n",'], ids=["a line", "lines in quotes"])
def test_a_row_of_over_a_million_characters_is_an_error(save, row):
    path = save("one,two\n" + row * (1_200_000 // len(row)))

    with pytest.raises(UnreadableFileError, match="line 2 has a row of more than 1,048,576 characters"):
        rows_in(path)


def test_a_field_may_be_as_long_as_a_row(save):
    polygon = "x" * ((1 << 20) - 2)

    assert rows_in(save(f"7,{polygon}")) == [(1, ["7", polygon])]


def test_a_file_of_many_short_rows_is_read(save):
    assert len(rows_in(save("one,two\n" * 200_000))) == 200_000


def test_rows_have_their_first_line(save):
    assert [line for line, _ in rows_in(save('a,b\r\n\r\n"c\nd",e\rf,g'))] == [1, 3, 5]


@pytest.mark.parametrize("blank", ["", ",", ",,,", " , ,", '"\n",""'])
def test_rows_of_blank_cells_are_not_read(save, blank):
    rows = rows_in(save(f"id,name\n{blank}\n7,Widener\n{blank}\n{blank}\n"))

    assert [row for _, row in rows] == [["id", "name"], ["7", "Widener"]]


def test_a_row_after_a_blank_one_has_its_line(save):
    assert rows_in(save("id,name\n,\n7,Widener\n")) == [(1, ["id", "name"]), (3, ["7", "Widener"])]


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("line", ["sep={}", "SEP={}", '"sep={}"'])
def test_a_line_that_names_the_delimiter_is_not_a_row(save, line, delimiter):
    header = delimiter.join(["id", "name"])

    assert rows_in(save(f"{line.format(delimiter)}\r\n{header}\r\n"), delimiter) == [(2, ["id", "name"])]
