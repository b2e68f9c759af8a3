"""Provider exports to model objects; nothing is written here."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.map_formats import BUILDING_FORMATS
from loaders.map_formats.base import BuildingFormat
from loaders.menu_formats import DINING_FORMATS
from loaders.menu_formats.base import DiningFormat
from loaders.profiles import BuildingProfile, DiningProfile, ProfileError
from loaders.sources.files import Export

_FormatT = TypeVar("_FormatT")


def detect_format(head: str) -> str | None:
    """Return the name of the format of an export with these first characters, None if it is unknown."""
    formats: list[type[BuildingFormat] | type[DiningFormat]] = [*BUILDING_FORMATS.values(), *DINING_FORMATS.values()]
    return next((each.name for each in formats if each.sniff(head)), None)


@contextmanager
def report_wrong_format(export: Export, expected: str) -> Iterator[None]:
    """Name the detected format in an error that makes an export unreadable, if another one was expected."""
    try:
        yield
    except UnreadableFileError as error:
        detected = detect_format(export.head)
        if detected in (None, expected):
            raise
        reason = f"{error.reason}; it is in the format {detected}, not {expected}"
        raise UnreadableFileError(error.path, reason, error.line) from None


def dataset_of(profile_name: str) -> str:
    """Return the data set of a profile's format; ProfileError if the format is unknown."""
    format_name = profiles.read_format(profile_name)
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
