"""A building profile proposed for a map export."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Table

from campus_api.domain.text import truncate
from loaders.errors import ROWS, InvalidValue, UnreadableFileError, require_valid
from loaders.geo.crs import WGS84
from loaders.geo.footprint import Footprint
from loaders.inference import openstreetmap
from loaders.inference.comments import MAX_WIDTH, add_comments, align_columns
from loaders.inference.field_guesser import guess_fields
from loaders.inference.field_names import Guess
from loaders.inference.field_stats import FieldStats
from loaders.map_formats import BUILDING_FORMATS
from loaders.map_formats.base import BuildingFormat, Feature, flatten, is_field
from loaders.map_formats.positions import find_positions, position_footprint
from loaders.profiles import FIELDS, BuildingProfile
from loaders.profiles.building_settings import PositionFields
from loaders.result import ProgressCallback, SourceLocation
from loaders.sources.files import Export
from loaders.text import in_one_language, pluralize, shorten

# Enough to know the fields, and their values fit into memory.
_MAX_FEATURES = 100_000
_MAX_LINES = 41
_MAX_NAME_LENGTH = 32


def propose_buildings(
    exports: Sequence[Export], format_name: str, track: ProgressCallback, layer: str | None
) -> tuple[str, tomlkit.TOMLDocument]:
    """Return a title and a profile proposed for all sheets; UnreadableFileError if none has features with fields."""
    profile = BuildingProfile(fields={}, format=format_name, layer=layer)
    everything, tagged = _read(exports, profile, track)
    if everything.code_page:
        profile = replace(profile, encoding=everything.code_page)
        everything, tagged = _read(exports, profile, track)
    is_extract = openstreetmap.is_extract(everything.fields, everything.features)
    stats = tagged if is_extract else everything
    if not stats.fields:
        advice = f"; {ROWS} can make them" if format_name == "table" else ""
        reason = f"has no features with fields, so no profile can be proposed{stats.first_error}{advice}"
        raise UnreadableFileError(exports[0].path, reason)
    guesses = guess_fields(stats.fields.values(), stats.features)
    if is_extract:
        guesses = {name: each for name, each in guesses.items() if name == "id"}
        guesses |= openstreetmap.guess_fields(stats.fields)
    document = _document(profile, stats, guesses)
    if is_extract:
        document["filter"] = openstreetmap.FILTER
    return everything.title, document


def _read(
    exports: Sequence[Export], profile: BuildingProfile, track: ProgressCallback
) -> tuple["_ExportStats", "_ExportStats"]:
    """Return the statistics of the first features of all sheets, and of those with the tag of a building."""
    stats, tagged = _ExportStats(), _ExportStats()
    sheets = [(export, BUILDING_FORMATS[profile.format](profile)) for export in exports]
    records = ((location, form, record) for export, form in sheets for location, record in form.records(export))
    for location, export_format, feature in track(islice(records, _MAX_FEATURES)):
        stats.add(location, export_format, feature)
        if isinstance(feature, Feature) and openstreetmap.has_building_tag(feature.attributes):
            tagged.add(location, export_format, feature)
    stats.code_page = next((each.code_page for _, each in sheets if each.code_page), "")
    return stats, tagged


def _document(profile: BuildingProfile, stats: "_ExportStats", guesses: Mapping[str, Guess]) -> tomlkit.TOMLDocument:
    document = tomlkit.document()
    add_comments(document, _field_lines(stats, guesses))
    for setting in ("format", "encoding", "layer"):
        if value := getattr(profile, setting):
            document.add(setting, value)
    id_fields = guesses["id"].fields if "id" in guesses else ()
    if id_fields and not any(each.is_unique for each in id_fields) and stats.shapes["polygon"]:
        document.add("merge", True)
    document.add("fields", _fields_table(guesses, stats))
    return document


class _ExportStats:
    def __init__(self) -> None:
        self.fields: dict[str, FieldStats] = {}
        self.first_error = self.code_page = self._format_title = ""
        self.features = 0
        # The number of records by the fields of their position; None is a geometry.
        self.positions: Counter[PositionFields | None] = Counter()
        self.shapes: Counter[str] = Counter()
        # The number of records by their CRS.
        self._systems: Counter[str] = Counter()

    def add(self, location: SourceLocation, export_format: BuildingFormat, record: Feature | InvalidValue) -> None:
        self.features += 1
        self._format_title = export_format.title
        try:
            feature: Feature = require_valid(record)
            self._add_fields(feature, export_format.aliases)
            footprint = self._footprint(feature)
        except InvalidValue as error:
            self.first_error = self.first_error or f"; {location}: {error}"
        else:
            self.shapes["polygon" if footprint.polygons else "point"] += 1
            self._systems[footprint.crs] += 1

    def _footprint(self, feature: Feature) -> Footprint:
        """Return the footprint of a feature, or else that of the position in its attributes."""
        fields = feature.positions
        try:
            footprint = feature.footprint()
        except InvalidValue:
            others = find_positions(feature.attributes)
            if fields or not others:
                raise
            fields, footprint = others, position_footprint(others[0], feature.attributes, WGS84)
        self.positions[next(iter(fields), None)] += 1
        return footprint

    def _add_fields(self, feature: Feature, aliases: Mapping[str, Any]) -> None:
        for name, value in flatten(feature.fields, is_field):
            if name not in self.fields:
                self.fields[name] = FieldStats(name, aliases.get(name))
            self.fields[name].add(in_one_language(value))

    @property
    def title(self) -> str:
        names = [name for name, _ in self._systems.most_common(3)]
        systems = " and ".join(names) or "no known coordinate reference system"
        number = "the first " * (self.features == _MAX_FEATURES) + pluralize(self.features, "feature")
        shapes = [pluralize(self.shapes[shape], shape) for shape in ("polygon", "point")]
        return ", ".join([self._format_title, number, *shapes, f"in {systems}"])


def _field_lines(stats: _ExportStats, guesses: Mapping[str, Guess]) -> list[str]:
    """Return a table of the fields: those of the profile, then the others, most frequently filled first."""
    used = [field for name in FIELDS if name in guesses for field in guesses[name].fields]
    others = sorted(stats.fields.values(), key=lambda field: -field.filled)
    fields = [*{field.name: field for field in [*used, *others]}.values()]
    header = ("field", "filled", "distinct", "type", "examples")
    lines = align_columns([header, *map(_field_row, fields)], numeric=(1, 2))
    return [truncate(line, MAX_WIDTH - 3) for line in shorten(lines, "field", length=_MAX_LINES)]


def _field_row(field: FieldStats) -> tuple[str, ...]:
    alias = "" if field.alias in (None, field.name) else f" ({field.alias})"
    name = truncate(f"{field.name}{alias}", _MAX_NAME_LENGTH)
    return name, f"{field.filled:,}", f"{len(field.distinct):,}", field.type_summary, ", ".join(field.examples)


def _fields_table(guesses: Mapping[str, Guess], stats: _ExportStats) -> Table:
    table = tomlkit.table()
    for name in FIELDS:
        if name in guesses:
            add_comments(table, guesses[name].warnings)
            table.add(name, _expressions(guesses[name]))
    [(position, _)] = stats.positions.most_common(1) or [(None, 0)]
    for name, field in position.names.items() if position else ():
        table.add(name, field)
    missing = [name for name in FIELDS if name not in guesses]
    if missing:
        add_comments(table, [f"No field for: {', '.join(missing)}."])
    return table


def _expressions(guess: Guess) -> str | list[str] | InlineTable:
    if not guess.is_assigned:
        return guess.expressions
    return tomlkit.inline_table().add("assign", guess.expressions)
