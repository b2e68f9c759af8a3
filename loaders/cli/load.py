"""The commands that read exports: buildings, dining, check and profile."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import click

from loaders import profiles
from loaders.cli import options as cli_options
from loaders.cli import output
from loaders.cli.database import OpenDatabase, campus_today, connected_on_demand
from loaders.cli.progress import track
from loaders.inference import propose
from loaders.profiles import BuildingProfile, ProfileError
from loaders.profiles.building_ids import AssignedIdSource, IdSource
from loaders.profiles.thresholds import Thresholds, combine_thresholds
from loaders.publishing.assigned_ids import read_assigned_ids
from loaders.publishing.load import LoadOptions, LoadResult, load
from loaders.publishing.staleness import find_staleness
from loaders.readers import buildings, dining
from loaders.readers.files import read_head
from loaders.readers.formats import dataset_of, detect_format
from loaders.readers.result import ReadResult

_EXIT_STATUS = {"published": 0, "unchanged": 0, "dry-run": 0, "invalid": 2, "refused": 3}
_STALE = 3
_DEFAULT_PROFILES = {"buildings": "geojson", "dining": "foodpro"}
_VERDICTS = {
    "unchanged": "nothing to change",
    "dry-run": "can be published",
    "refused": "would be refused",
    "invalid": "cannot be used",
}

# The files of each profile; without one, the format of the first file decides.
Sources = Mapping[str | None, Sequence[Path]]
Options = Mapping[str, Any]


@click.command("buildings")
@cli_options.optional_files_argument
@cli_options.profile_option
@cli_options.source_option
@cli_options.building_options
@cli_options.dry_run_option
@cli_options.load_options
def load_buildings(
    files: tuple[Path, ...],
    profile: str | None,
    sources: Mapping[str | None, Sequence[Path]],
    dry_run: bool,
    **options: Any,
) -> None:
    """Load map exports: together FILES are all buildings. `-` is standard input.

    A file is GeoJSON, Esri JSON, a Shapefile (its folder or a .zip), GeoPackage, KML, KMZ, TopoJSON or FlatGeobuf;
    ogr2ogr converts others.
    """
    if bool(files) == bool(sources) or (profile and sources):
        raise click.UsageError("use either FILES, with or without --profile, or --source")
    _finish(_load("buildings", sources or {profile: files}, options, write=not dry_run), options)


@click.command("dining")
@cli_options.files_argument
@cli_options.profile_option
@cli_options.dry_run_option
@cli_options.load_options
def load_dining(files: tuple[Path, ...], profile: str | None, dry_run: bool, **options: Any) -> None:
    """Load dining exports: together FILES are the whole menus of their dates. `-` is standard input."""
    _finish(_load("dining", {profile: files}, options, write=not dry_run), options)


@click.command("check")
@cli_options.files_argument
@cli_options.profile_option
@cli_options.building_options
@cli_options.load_options
def check(files: tuple[Path, ...], profile: str | None, **options: Any) -> None:
    """Read exports, compare them with the live data, and report whether they can be published."""
    with output.errors_as_json(None, options["as_json"]):
        profile = profile or _detect_profile(files[0])
        dataset = dataset_of(profile)
    _require_building_options(dataset, options)
    result = _load(dataset, {profile: files}, options, write=False)
    if result.violations:
        result = replace(result, state="refused")
    _finish(result, options, verdict=True)


@click.command("profile")
@click.argument("file", type=click.Path(path_type=Path))
def propose_profile(file: Path) -> None:
    """Inspect an unknown export and print a profile that reads it. `-` is standard input."""
    click.echo(propose.profile(file, track), nl=False)


COMMANDS = (load_buildings, load_dining, check, propose_profile)


def _default_profile(dataset: str, file: Path) -> str:
    detected = detect_format(read_head(file))
    return detected if detected and dataset_of(detected) == dataset else _DEFAULT_PROFILES[dataset]


def _detect_profile(file: Path) -> str:
    """Return the default profile of the format of a file; an error that describes the file if it is unknown."""
    detected = detect_format(read_head(file))
    if detected is None:
        propose.profile(file, track)
        raise ProfileError(f"{file} is not in a known format: give a profile (--profile)")
    return detected


def _require_building_options(dataset: str, options: Options) -> None:
    """Raise UsageError for options of buildings in a check of menus."""
    for name in cli_options.BUILDING_OPTIONS:
        if dataset == "dining" and options[name] is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} is an option for buildings, and this export has menus")


def _load(dataset: str, sources: Sources, options: Options, *, write: bool) -> LoadResult:
    """Load the records into the database of the ini file, unless there are too many errors."""
    with (
        output.errors_as_json(dataset, options["as_json"]),
        connected_on_demand(options["config"]) as open_database,
    ):
        reading, thresholds = _READERS[dataset](sources, options, open_database)
        if len(reading.errors) > options["max_errors"] or not reading.records:
            return LoadResult(dataset, "invalid", reading)
        load_options = LoadOptions(write=write, overrides=frozenset(options["overrides"]))
        return _with_staleness(load(open_database(), dataset, reading, thresholds, load_options), options)


def _read_buildings(sources: Sources, options: Options, open_database: OpenDatabase) -> tuple[ReadResult, Thresholds]:
    loaded = [(_building_profile(name, paths[0], options), paths) for name, paths in sources.items()]
    assigns_ids = any(isinstance(profile.id, AssignedIdSource) for profile, _ in loaded)
    assigned_ids = read_assigned_ids(open_database()) if assigns_ids else {}
    thresholds = combine_thresholds([profile.thresholds for profile, _ in loaded])
    return buildings.read_sources(loaded, track, assigned_ids), thresholds


def _building_profile(name: str | None, first_file: Path, options: Options) -> BuildingProfile:
    """Load a profile, changed by the options."""
    profile = profiles.load_building_profile(name or _default_profile("buildings", first_file))
    changes = {option: options[option] for option in cli_options.BUILDING_OPTIONS if options[option] is not None}
    if id_field := changes.pop("id_field", None):
        changes["id"] = IdSource((id_field,))
    return replace(profile, **changes)


def _read_dining(sources: Sources, _options: Options, _open_database: OpenDatabase) -> tuple[ReadResult, Thresholds]:
    ((name, files),) = sources.items()
    profile = profiles.load_dining_profile(name or _default_profile("dining", files[0]))
    return dining.read(files, profile, track), profile.thresholds


_READERS = {"buildings": _read_buildings, "dining": _read_dining}


def _with_staleness(result: LoadResult, options: Options) -> LoadResult:
    if options["max_stale"] is None:
        return result
    today = date.fromisoformat(campus_today(options["config"]))
    return replace(result, staleness=find_staleness(result, options["max_stale"], today))


def _finish(result: LoadResult, options: Options, *, verdict: bool = False) -> NoReturn:
    """Print the result and exit with its status."""
    status = _EXIT_STATUS[result.state] or (_STALE if result.staleness else 0)
    is_quiet = options["quiet"] and not status
    output.show(result, as_json=options["as_json"], problems=options["problems"], is_quiet=is_quiet)
    if verdict and not (options["as_json"] or is_quiet):
        output.write_line(f"verdict: {'is stale' if result.staleness else _VERDICTS[result.state]}")
    sys.exit(status)
