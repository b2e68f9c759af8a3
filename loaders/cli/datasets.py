"""The two data sets: how their exports are recognized and read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from pymongo.database import Database

from loaders import profiles
from loaders.cli import options as cli_options
from loaders.cli.database import OpenDatabase
from loaders.cli.exports import Files
from loaders.cli.options import LoadOptions
from loaders.cli.terminal import track
from loaders.errors import UnreadableFileError
from loaders.inference import propose
from loaders.profiles import BuildingProfile, DiningProfile, ProfileError
from loaders.profiles.building_ids import AssignedIdSource, IdSource
from loaders.profiles.thresholds import combine_thresholds
from loaders.publishing.assigned_ids import read_assigned_ids
from loaders.publishing.load import LoadResult, PublishOptions, load_buildings, load_dining
from loaders.readers import buildings, dataset_of, detect_profile, dining, dining_format
from loaders.result import ReadResult
from loaders.sources.files import read_head

# The records of exports, and a function that publishes them.
_Reading = tuple[ReadResult, Callable[[Database, PublishOptions], LoadResult]]


@dataclass(frozen=True)
class Dataset:
    """A data set: how its exports are read, with which options besides those of all loads."""

    name: str
    load_profile: Callable[[str], BuildingProfile | DiningProfile]
    read: Callable[[Files, LoadOptions, OpenDatabase], _Reading]
    options: Sequence[str] = ()
    has_dates: bool = False


def _read_buildings(files: Files, options: LoadOptions, open_database: OpenDatabase) -> _Reading:
    sources = [
        (_building_profile(name or _detect_profile(BUILDINGS, paths[0]), options), paths)
        for name, paths in files.items()
    ]
    assigns_ids = any(isinstance(profile.id, AssignedIdSource) for profile, _ in sources)
    assigned_ids = read_assigned_ids(open_database()) if assigns_ids else {}
    thresholds = combine_thresholds([profile.thresholds for profile, _ in sources])
    reading = buildings.read_sources(sources, track, assigned_ids)
    return reading, lambda database, publish: load_buildings(database, reading, thresholds, publish)


def _building_profile(name: str, options: LoadOptions) -> BuildingProfile:
    """Load a profile, changed by the options."""
    profile = profiles.load_building_profile(name)
    values = {name: getattr(options, name) for name in cli_options.BUILDING_OPTIONS}
    changes = {name: value for name, value in values.items() if value is not None}
    if id_field := changes.pop("id_field", None):
        changes["id"] = IdSource((id_field,))
    return replace(profile, **changes)


def _read_dining(files: Files, _options: LoadOptions, open_database: OpenDatabase) -> _Reading:
    ((name, paths),) = files.items()
    profile = profiles.load_dining_profile(name or _detect_profile(DINING, paths[0]))
    assigns_ids = dining_format(profile).assigns_ids(profile)
    assigned_ids = read_assigned_ids(open_database(), "dining") if assigns_ids else {}
    reading = dining.read(paths, profile, track, assigned_ids=assigned_ids)
    return reading, lambda database, publish: load_dining(database, reading, profile.thresholds, publish)


BUILDINGS = Dataset(
    "buildings",
    profiles.load_building_profile,
    _read_buildings,
    options=(*cli_options.BUILDING_OPTIONS, "source"),
)
DINING = Dataset("dining", profiles.load_dining_profile, _read_dining, has_dates=True)
_DATASETS = {each.name: each for each in (BUILDINGS, DINING)}


def detect_dataset(files: Files) -> Dataset:
    """Return the data set of the first profile or file; an error that describes the file if its format is unknown."""
    profile, (file, *_) = next(iter(files.items()))
    return _DATASETS[dataset_of(profile or _detect_format(file))]


def reject_options(dataset: Dataset, values: dict[str, Any]) -> None:
    """Raise UsageError for options of buildings in a check of menus."""
    for name in BUILDINGS.options:
        if values[name] is not None and name not in dataset.options:
            raise click.UsageError(f"--{name.replace('_', '-')} is an option for buildings, and this export has menus")


def _detect_profile(dataset: Dataset, file: Path) -> str:
    """Return the default profile of a file, that of its format; UnreadableFileError if it has other data."""
    detected = _detect_format(file)
    if (other := dataset_of(detected)) != dataset.name:
        raise UnreadableFileError(file, f"is in the format {detected}: load it with campus-load {other}")
    return detected


def _detect_format(file: Path) -> str:
    detected = detect_profile(read_head(file))
    if detected is None:
        propose.profile(file, track)
        raise ProfileError(f"{file} is not in a known format: give a profile (--profile)")
    return detected
