"""Provider exports to model objects; nothing is written here."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.export_format import ExportFormat
from loaders.map_formats import BUILDING_FORMATS
from loaders.map_formats.base import BuildingFormat
from loaders.map_formats.table import Table
from loaders.menu_formats import DINING_FORMATS
from loaders.menu_formats.base import DiningFormat
from loaders.profiles import BuildingProfile, DiningProfile
from loaders.profiles.files import ProfileError, built_in_profiles, read_format
from loaders.result import Origins, ReadResult, SourceLocation
from loaders.sources.files import file_name, open_export, read_head
from loaders.syntax.json_stream import is_json
from loaders.syntax.rows import program_rows

_FormatT = TypeVar("_FormatT")
_built_in_profile = cache(profiles.load_dining_profile)
_IS_ROW = '."$warning" // all(.date, (.dish // .closed); . != null and . != "")'


def detect_profile(head: str) -> str | None:
    """Return the built-in profile that fits an export with these first characters, None if there is none."""
    formats = (name for name, each in BUILDING_FORMATS.items() if each.sniff(head))
    systems = (name for name in _dining_profiles() if fits(head, _built_in_profile(name)))
    return next(chain(formats, systems), None)


def detect_export(path: Path, origins: Origins) -> str | None:
    """Return the built-in profile that fits an export, None if there is none.

    Formats with common names are recognized by their first characters only if no program of a profile makes rows with
    a date and a dish of a document. UnreadableFileError if it is broken XML, of which no format can be recognized.
    """
    head = read_head(path)
    detected = detect_profile(head)
    if detected in (None, "table", "menu-table"):
        if head.lstrip().startswith("<"):
            return _detect_rows(path, origins) or detected
        if is_json(head):
            # Those who read it say in which line it is broken.
            with suppress(UnreadableFileError):
                return _detect_rows(path, origins) or detected
    return detected


def _detect_rows(path: Path, origins: Origins) -> str | None:
    """Return the first built-in profile whose program makes a warning or a row with a date and a dish, or None."""
    built_in = [each for each in map(_built_in_profile, _dining_profiles()) if each.rows]
    tried = (f'try first(({each.rows}\n) | select({_IS_ROW}) | "{each.name}") catch empty' for each in built_in)
    with open_export(path, ReadResult(origins=origins), None) as export:
        return next((name for _, name in program_rows(export, f"first({', '.join(tried)})")), None)


def fits(head: str, profile: BuildingProfile | DiningProfile) -> bool:
    """Return whether a table with these first characters has the columns that a profile reads."""
    if isinstance(profile, DiningProfile):
        return dining_format(profile).fits(head, profile)
    return Table.fits(head, profile)


@cache
def _dining_profiles() -> tuple[str, ...]:
    names = built_in_profiles()
    providers = (name for name in names if read_format(name) in DINING_FORMATS and name not in DINING_FORMATS)
    return (*providers, *DINING_FORMATS)


def read_records(
    path: Path,
    export_format: ExportFormat,
    result: ReadResult,
    encoding: str,
    expected: str,
) -> Iterator[tuple[SourceLocation, Any]]:
    """Yield the records of a file with their locations; what else it says becomes part of the result.

    If it cannot be read, the error names the built-in profile that fits it, unless that is the expected one.
    """
    with open_export(path, result, encoding) as export:
        try:
            yield from export_format.records(export)
        except UnreadableFileError as error:
            detected = detect_profile(export.head)
            if detected in (None, expected):
                raise
            reason = f"{error.reason}; it is in the format {detected}, not {expected}"
            raise UnreadableFileError(error.path, reason, error.line) from None
        result.sources.extend(export_format.other_sources)
    result.unread.update(export_format.unread)
    result.database_id = result.database_id or export_format.database_id
    result.restored_ids |= export_format.restored_ids
    result.add_warnings(file_name(path), export_format.warnings)


def dataset_of(profile_name: str) -> str:
    """Return the data set of a profile's format; ProfileError if the format is unknown."""
    format_name = read_format(profile_name)
    _look_up(profile_name, format_name, {**BUILDING_FORMATS, **DINING_FORMATS})
    return "buildings" if format_name in BUILDING_FORMATS else "dining"


def building_format(profile: BuildingProfile) -> type[BuildingFormat]:
    """Return the format of a profile; ProfileError if it is unknown."""
    return _look_up(profile.name, profile.format, BUILDING_FORMATS)


def dining_format(profile: DiningProfile) -> type[DiningFormat]:
    """Return the format of a profile; ProfileError if it is unknown."""
    return _look_up(profile.name, profile.format, DINING_FORMATS)


def _look_up(profile_name: str, format_name: str, formats: Mapping[str, _FormatT]) -> _FormatT:
    if format_name not in formats:
        raise ProfileError(f"profile {profile_name}: format {format_name!r} is not one of {', '.join(formats)}")
    return formats[format_name]
