"""The commands that read exports: buildings, dining, check and profile."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import click

from loaders import profiles
from loaders.cli import options as cli_options
from loaders.cli import output
from loaders.cli.database import OpenDatabase, campus_today, connected_on_demand
from loaders.cli.exports import Export, Exports, ExportType, Files, LocalExports, local_exports
from loaders.cli.progress import track, track_writing
from loaders.cli.terminal import escape_lines
from loaders.inference import propose
from loaders.profiles import BuildingProfile, ProfileError
from loaders.profiles.building_ids import AssignedIdSource, IdSource
from loaders.profiles.thresholds import Thresholds, combine_thresholds
from loaders.publishing.assigned_ids import read_assigned_ids
from loaders.publishing.load import LoadOptions, LoadResult, load
from loaders.publishing.revalidation import find_load, record_not_modified, settings_digest
from loaders.publishing.staleness import find_staleness
from loaders.readers import buildings, dining
from loaders.readers.download import NotModified, redact
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

Options = Mapping[str, Any]


@click.command("buildings", short_help="Load map exports, which together are all buildings.")
@cli_options.optional_files_argument
@cli_options.profile_option
@cli_options.source_option
@cli_options.building_options
@cli_options.dry_run_option
@cli_options.load_options
def load_buildings(
    files: tuple[Export, ...],
    profile: str | None,
    sources: Exports,
    dry_run: bool,
    **options: Any,
) -> None:
    """Load map exports: together FILES are all buildings.

    FILES may be URLs, among them layers of ArcGIS servers. `-` is standard input. A file is GeoJSON, Esri JSON,
    Overpass JSON, a Shapefile (its folder or a .zip), GeoPackage, KML, KMZ, TopoJSON, FlatGeobuf, a table with latitude
    and longitude or WKT (CSV or JSON), or a dump of this API; ogr2ogr converts others.
    """
    _finish(_load("buildings", _by_profile(files, profile, sources), options, write=not dry_run), options)


@click.command("dining", short_help="Load dining exports, the whole menus of their dates.")
@cli_options.files_argument
@cli_options.profile_option
@cli_options.dry_run_option
@cli_options.load_options
def load_dining(files: tuple[Export, ...], profile: str | None, dry_run: bool, **options: Any) -> None:
    """Load dining exports: together FILES are the whole menus of their dates.

    FILES may be URLs. `-` is standard input. A file is FoodPro rows, HUDS CSV, an OpenMensa feed or a dump of this API.
    """
    _finish(_load("dining", {profile: files}, options, write=not dry_run), options)


@click.command("check", short_help="Check whether exports can be published; write nothing.")
@cli_options.optional_files_argument
@cli_options.profile_option
@cli_options.source_option
@cli_options.building_options
@cli_options.load_options
def check(files: tuple[Export, ...], profile: str | None, sources: Exports, **options: Any) -> None:
    """Read exports, compare them with the live data, and report whether they can be published."""
    as_json, exports = options["as_json"], _by_profile(files, profile, sources)
    with ExitStack() as stack:
        with output.errors_as_json(None, as_json):
            local = stack.enter_context(local_exports(exports))
            with local.errors():
                dataset = _detect_dataset(local.files)
        if dataset == "dining":
            _reject_building_options({**options, "source": sources or None})
        with output.errors_as_json(dataset, as_json), connected_on_demand(options["config"]) as open_database:
            result = _load_files(dataset, local, open_database, options)
    if result.violations:
        result = replace(result, state="refused")
    _finish(result, options, verdict=True)


@click.command("profile", short_help="Inspect an export and propose a profile that reads it.")
@click.argument("file", type=ExportType())
@cli_options.layer_option
def propose_profile(file: Export, layer: str | None) -> None:
    """Inspect an unknown export, a file or a URL, and print a profile that reads it. `-` is standard input."""
    with local_exports({None: [file]}) as local, local.errors():
        click.echo(escape_lines(propose.profile(local.files[None][0], track, layer)), nl=False)


COMMANDS = (load_buildings, load_dining, check, propose_profile)


def _by_profile(files: Sequence[Export], profile: str | None, sources: Exports) -> Exports:
    """Return the exports by profile; UsageError unless there are either files or sources."""
    if bool(files) == bool(sources) or (profile and sources):
        raise click.UsageError("use either FILES, with or without --profile, or --source")
    return sources or {profile: files}


def _default_profile(dataset: str, file: Path) -> str:
    detected = detect_format(read_head(file))
    return detected if detected and dataset_of(detected) == dataset else _DEFAULT_PROFILES[dataset]


def _detect_dataset(files: Files) -> str:
    """Return the data set of the first profile or file; an error that describes the file if its format is unknown."""
    profile, (file, *_) = next(iter(files.items()))
    profile = profile or detect_format(read_head(file))
    if profile is None:
        propose.profile(file, track)
        raise ProfileError(f"{file} is not in a known format: give a profile (--profile)")
    return dataset_of(profile)


def _reject_building_options(options: Options) -> None:
    """Raise UsageError for options of buildings in a check of menus."""
    for name in (*cli_options.BUILDING_OPTIONS, "source"):
        if options[name] is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} is an option for buildings, and this export has menus")


def _load(dataset: str, exports: Exports, options: Options, *, write: bool) -> LoadResult:
    """Download and load exports; a single URL is not read again if it has not changed since its last load."""
    flat = [export for group in exports.values() for export in group]
    # Without the menus it is unknown when they end.
    is_conditional = write and (dataset == "buildings" or options["max_stale"] is None)
    url = flat[0] if len(flat) == 1 and isinstance(flat[0], str) and is_conditional else None
    with (
        output.errors_as_json(dataset, options["as_json"]),
        connected_on_demand(options["config"]) as open_database,
    ):
        settings = _settings_digest(dataset, exports, options)
        last_load = find_load(open_database(), dataset, redact(url), settings) if url else None
        try:
            with local_exports(exports, last_load and last_load["sources"][0]) as local:
                return _load_files(dataset, local, open_database, options, settings=settings, write=write)
        except NotModified:
            result = record_not_modified(open_database(), dataset, redact(str(url)), settings)
            return _with_staleness(result, options)


def _settings_digest(dataset: str, exports: Exports, options: Options) -> str:
    """Return a digest of all that decides how exports are read, but for the formats that are detected."""
    load_profile = {"buildings": profiles.load_building_profile, "dining": profiles.load_dining_profile}[dataset]
    loaded = [profile and load_profile(profile) for profile in exports]
    return settings_digest(loaded, [options.get(name) for name in cli_options.BUILDING_OPTIONS])


def _load_files(
    dataset: str,
    local: LocalExports,
    open_database: OpenDatabase,
    options: Options,
    *,
    settings: str = "",
    write: bool = False,
) -> LoadResult:
    """Load the records into the database, unless there are too many errors."""
    with local.errors():
        reading, thresholds = _READERS[dataset](local.files, options, open_database)
    local.describe_sources(reading, settings)
    if len(reading.errors) > options["max_errors"] or not reading.records:
        return LoadResult(dataset, "invalid", reading)
    load_options = LoadOptions(write=write, overrides=frozenset(options["overrides"]), track=track_writing)
    return _with_staleness(load(open_database(), dataset, reading, thresholds, load_options), options)


def _read_buildings(files: Files, options: Options, open_database: OpenDatabase) -> tuple[ReadResult, Thresholds]:
    sources = [(_building_profile(name, paths[0], options), paths) for name, paths in files.items()]
    assigns_ids = any(isinstance(profile.id, AssignedIdSource) for profile, _ in sources)
    assigned_ids = read_assigned_ids(open_database()) if assigns_ids else {}
    thresholds = combine_thresholds([profile.thresholds for profile, _ in sources])
    return buildings.read_sources(sources, track, assigned_ids), thresholds


def _building_profile(name: str | None, first_file: Path, options: Options) -> BuildingProfile:
    """Load a profile, changed by the options."""
    profile = profiles.load_building_profile(name or _default_profile("buildings", first_file))
    changes = {option: options[option] for option in cli_options.BUILDING_OPTIONS if options[option] is not None}
    if id_field := changes.pop("id_field", None):
        changes["id"] = IdSource((id_field,))
    return replace(profile, **changes)


def _read_dining(files: Files, _options: Options, _open_database: OpenDatabase) -> tuple[ReadResult, Thresholds]:
    ((name, paths),) = files.items()
    profile = profiles.load_dining_profile(name or _default_profile("dining", paths[0]))
    return dining.read(paths, profile, track), profile.thresholds


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
