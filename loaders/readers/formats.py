"""The formats of exports, and the detection of a file's format."""

from collections.abc import Mapping
from typing import TypeVar

from loaders import profiles
from loaders.profiles import BuildingProfile, DiningProfile, ProfileError
from loaders.readers.campus_buildings import CampusBuildings
from loaders.readers.campus_dining import CampusDining
from loaders.readers.esri import Esri
from loaders.readers.features import BuildingFormat
from loaders.readers.foodpro import FoodPro
from loaders.readers.gdal import Gdal
from loaders.readers.geojson import GeoJson
from loaders.readers.huds import Huds
from loaders.readers.menu_rows import DiningFormat
from loaders.readers.openmensa import OpenMensa
from loaders.readers.overpass import Overpass
from loaders.readers.table import Table

# Formats are detected in this order.
BUILDING_FORMATS: dict[str, type[BuildingFormat]] = {
    each.name: each for each in (CampusBuildings, GeoJson, Esri, Overpass, Gdal, Table)
}
DINING_FORMATS: dict[str, type[DiningFormat]] = {each.name: each for each in (CampusDining, FoodPro, Huds, OpenMensa)}

_FormatT = TypeVar("_FormatT")


def detect_format(head: str) -> str | None:
    """Return the name of the format of an export with these first characters, None if it is unknown."""
    formats: list[type[BuildingFormat] | type[DiningFormat]] = [*BUILDING_FORMATS.values(), *DINING_FORMATS.values()]
    return next((each.name for each in formats if each.sniff(head)), None)


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
