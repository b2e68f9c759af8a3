import csv
from io import StringIO

import pytest

from loaders.errors import UnreadableFileError
from loaders.inference import propose


def error_of(path):
    with pytest.raises(UnreadableFileError) as error:
        propose.profile(path)
    return str(error.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it is empty"),
        ("\n  \n", "it is empty"),
        ("hello world", "it begins with 'hello world'"),
        (
            "\n\nid,name , city\n",
            "it looks like CSV, but neither of a map nor of menus; its first line has 3 columns: 'id', 'name', 'city'",
        ),
        ('"a;b";c', "it looks like CSV, but neither of a map nor of menus; its first line has 2 columns: 'a;b', 'c'"),
        ('[{"id": 3,\n"name": "Cabot"}]', "it looks like JSON, but neither of a map nor of menus: "),
        ("<?xml version='1.0'?><!-- x --><gml:Map/>", "it is XML with the root element <gml:Map>"),
        ("x" * 99, f"it begins with '{'x' * 60}…'"),
    ],
)
def test_an_export_of_unknown_format_is_described(save, content, message):
    assert error_of(save(content)).startswith(f"is not in a known format: {message}")


def test_at_most_forty_columns_are_listed(save):
    text = StringIO()
    csv.writer(text).writerow(range(50))

    assert "'38', '39', …; buildings need" in error_of(save(text.getvalue()))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"type": "FeatureCollection", "features": [\n{]}', "line 2 is not JSON: "),
        ('{"type": "Feature", "properties": {}}', "is not a GeoJSON FeatureCollection"),
        ('{"type": "FeatureCollection", "features": []}', "has no features with fields"),
        ("Serve_Date,Meal_Number\n", "has no rows"),
        ('Serve_Date\n"a', "line 2 is not CSV: "),
        (b"\xff\xfea\0", "line 1 is UTF-16"),
        (b"\x1f\x8bxx", "cannot be decompressed"),
    ],
)
def test_a_broken_export_is_an_error(save, content, message):
    assert message in error_of(save(content))
