"""Which format an export is in, told from how it begins."""

import csv
import re
from pathlib import Path

from loaders.exports import Reading
from loaders.files import STANDARD_INPUT, open_export

_ESRI = re.compile(r'"(attributes|geometryType|esriGeometry\w+|displayFieldName|layerName)"')
_GEOJSON = re.compile(r'"(FeatureCollection|Feature)"')
_FOODPRO = re.compile(r'"serve_date"', re.IGNORECASE)
_HUDS_WIDTHS = (8, 9)
_HUDS_MEALS = ("BRK", "LUN", "DIN")


def format_of(sample: str) -> str | None:
    """Return "geojson", "esri", "foodpro" or "huds"; None for what is none of them."""
    if sample.lstrip()[:1] in ("{", "["):
        kinds = {"geojson": _GEOJSON, "esri": _ESRI, "foodpro": _FOODPRO}
        return next((kind for kind, pattern in kinds.items() if pattern.search(sample)), None)
    for row in csv.reader(sample.splitlines()[:20]):
        if "serve_date" in [name.strip().casefold() for name in row]:
            return "foodpro"
        if len(row) in _HUDS_WIDTHS and row[3].strip() in _HUDS_MEALS:
            return "huds"
    return None


def format_of_file(path: Path) -> str | None:
    """Return the format of a file; None also for standard input, which can be read only once."""
    if path == STANDARD_INPUT:
        return None
    with open_export(path, Reading()) as export:
        return format_of(export.sample)
