import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from campus_api.domain import tables
from campus_api.domain.models import Names
from tests.factories import row
from tests.linear import assert_linear, reordered_marks

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text(",\"\r\n 'a")


@given(TEXTS, TEXTS, TEXTS)
def test_lines_are_what_csv_writer_writes(location, category, recipe):
    names = Names({30: f"Hall {location}"}, {23: f"Category {category}"})
    cells = ["2026-11-20", 1, "lunch", 30, names.locations[30], 23, names.categories[23], 7, f"Dish {recipe}"]
    expected = io.StringIO()
    csv.writer(expected).writerow(cells)

    assert list(tables.menu_lines([row(7, cells[-1], meal=1)], names)) == [expected.getvalue()]


def test_a_line_takes_linear_time():
    names = Names({}, {})

    assert_linear(lambda size: list(tables.menu_lines([row(7, reordered_marks(size))], names)), 32_000)
