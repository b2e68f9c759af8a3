"""Which format an export is in, told from how it begins."""

import csv
import re

_ESRI = re.compile(r'"(attributes|geometryType|esriGeometry\w+|displayFieldName|layerName)"')
_GEOJSON = re.compile(r'"type"\s*:\s*"Feature(Collection)?"')
_FOODPRO = re.compile(r'"serve_date"', re.IGNORECASE)
_HUDS_WIDTHS = (8, 9)
_HUDS_MEALS = ("BRK", "LUN", "DIN")


def detect_format(sample: str) -> str | None:
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
