import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from campus_api.domain import tables
from campus_api.domain.models import Names
from campus_api.http.renderers import encode_csv
from tests.factories import row

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text(",\"\r\n 'a")


@given(TEXTS, TEXTS, TEXTS)
def test_a_reader_of_csv_gets_every_text_as_it_is(location, category, recipe):
    names = Names({30: f"Hall {location}"}, {23: f"Category {category}"})
    cells = ["2026-11-20", "1", "lunch", "30", names.locations[30], "23", names.categories[23], "7", f"Dish {recipe}"]

    content = encode_csv(tables.menu_cells([row(7, cells[-1], meal=1)], names)).decode()

    assert list(csv.reader(io.StringIO(content, newline=""))) == [cells]
