"""Detection of an export's format from its first characters."""

import csv
import re

_JSON_FORMATS = {
    "geojson": re.compile(r'"type"\s*:\s*"Feature(Collection)?"'),
    "esri": re.compile(r'"(attributes|geometryType|esriGeometry\w+|displayFieldName|layerName)"'),
    "foodpro": re.compile(r'"serve_date"', re.IGNORECASE),
}
_HUDS_WIDTHS = (8, 9)
_HUDS_MEALS = ("BRK", "LUN", "DIN")
_MAX_LINES = 20


def detect_format(head: str) -> str | None:
    """Return "geojson", "esri", "foodpro" or "huds"; None for any other format."""
    if head.lstrip()[:1] in ("{", "["):
        return next((name for name, pattern in _JSON_FORMATS.items() if pattern.search(head)), None)
    for row in csv.reader(head.splitlines()[:_MAX_LINES]):
        if "serve_date" in [name.strip().casefold() for name in row]:
            return "foodpro"
        if len(row) in _HUDS_WIDTHS and row[3].strip() in _HUDS_MEALS:
            return "huds"
    return None
