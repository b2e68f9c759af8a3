"""Tables with a geometry in each row: CSV with a header, or JSON objects in an array or one per line."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

from loaders.errors import UnreadableFileError
from loaders.export_format import export_errors
from loaders.map_formats.base import BuildingFormat, Feature, flatten, is_field
from loaders.map_formats.positions import find_positions, geometries, is_position, named_positions, position_footprint
from loaders.profiles import BuildingProfile
from loaders.profiles.building_settings import PositionFields
from loaders.profiles.values import fields_of
from loaders.result import SourceLocation
from loaders.sources.content import document_names
from loaders.sources.files import Export
from loaders.syntax.csv_rows import csv_head, widest_delimiter, without_separator_line
from loaders.syntax.json_stream import is_json, read_array
from loaders.syntax.rows import csv_objects, parse_objects, program_rows, require_object, require_unique
from loaders.text import header_position, is_blank

# GeoJSON, as an object or text, or WKT.
_GEOMETRY_MEMBER = re.compile(
    r':\s*("\s*((MULTI)?POLYGON|POINT)[\sZM]*\(|"?\{\s*\\?"type\\?"\s*:\s*\\?"(Multi)?(Point|Polygon)\b)', re.IGNORECASE
)
# Or the first two numbers of a list.
_SHORT_TEXT = re.compile(r'"([^"\\]{1,80})"\s*:\s*(?:"([^"\\]{1,60})"|\[([^],"]{1,30},[^],"]{1,30})[],])')


class Table(BuildingFormat):
    """Rows with a latitude and a longitude, or a geometry as WKT or GeoJSON; in degrees, or in the profile's CRS."""

    name = "table"
    title = "table"
    files = "a table with latitude and longitude or WKT (CSV or JSON)"

    @staticmethod
    def sniff(head: str) -> bool:
        if is_json(head):
            if named_positions(tuple(document_names(head))) or _GEOMETRY_MEMBER.search(head):
                return True
            texts = _SHORT_TEXT.findall(head)
            return any(is_position(text or pair, name) for name, text, pair in texts)
        header, *rows = _rows(head) or [[]]
        cells = (parse_objects(dict(zip(header, row, strict=False))) for row in rows)
        return bool(named_positions(tuple(header))) or any(any(geometries(each)) for each in cells)

    @classmethod
    def fits(cls, head: str, profile: BuildingProfile) -> bool:
        """Return whether a table with these first characters has the position and id of a profile."""
        header = {*next(iter(_rows(head)), [])}
        has_position = header.issuperset(profile.position.names.values()) if profile.position else cls.sniff(head)
        return has_position and any(header.issuperset(fields_of(each)) for each in profile.id.expressions)

    def _raw_records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        profile = self._profile
        with export_errors(export):
            self._crs = profile.crs
        self.title = "JSON objects" if profile.rows or is_json(export.head) else "CSV"
        if profile.rows:
            yield from program_rows(export, profile.rows, _required_fields(profile))
        elif is_json(export.head):
            yield from read_array(export, "objects")
        else:
            yield from self._csv_rows(export)

    def _csv_rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        names, rows = csv_objects(export, widest_delimiter(export.head))
        require_unique(export, names, names)
        if self._profile.position is None and not self.sniff(export.head):
            reason = "has no columns named lat and lon, or wkt: name them in [fields] of the profile"
            raise UnreadableFileError(export.path, reason, 1)
        yield from rows

    def _parse(self, record: Any) -> Feature:
        """Return the values that are not null; those of nested objects by their path, such as "location.lat"."""
        values = parse_objects(require_object(record))
        members = dict(flatten(values, is_field))
        fields = {name: value for name, value in members.items() if not is_blank(value)}
        positions = find_positions(fields) or named_positions(tuple(members))
        names = [{*each.names.values()} for each in positions]
        is_named = any(each.issubset(self._profile.names) for each in names)
        return Feature(
            fields,
            partial(position_footprint, next(iter(positions), PositionFields()), fields, self._crs),
            positions=positions,
            implied=names[0] if names and not is_named else (),
        )


def _required_fields(profile: BuildingProfile) -> list[list[str]]:
    """Return the names of each field of the profile, of which a record must have one."""
    position = [[each] for each in profile.position.names.values()] if profile.position else []
    expressions = [*profile.fields.values(), profile.id.expressions, *position]
    names = [list(chain.from_iterable(map(fields_of, each))) for each in expressions]
    return [each for each in names if each]


def _rows(head: str) -> list[list[str]]:
    rows = csv_head(without_separator_line(head), widest_delimiter(head))
    return rows[header_position(rows) :]
