"""The commands that read exports: buildings, dining, check and profile."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import click
from pymongo.database import Database

from campus_api.db.connection import DatabaseUnavailable
from campus_api.settings import SettingError
from loaders import profiles
from loaders.cli import options as cli_options
from loaders.cli import output
from loaders.cli.database import OpenDatabase, campus_today, connected, connected_on_demand
from loaders.cli.exports import Export, Exports, ExportType, Files, LocalExports, local_exports
from loaders.cli.options import LoadOptions
from loaders.cli.progress import track, track_writing
from loaders.cli.terminal import escape_lines
from loaders.errors import UnavailableFileError, UnreadableFileError
from loaders.inference import propose
from loaders.map_formats import BUILDING_FORMATS
from loaders.map_formats.base import BuildingFormat
from loaders.menu_formats import DINING_FORMATS
from loaders.menu_formats.base import DiningFormat
from loaders.profiles import BuildingProfile, DiningProfile, ProfileError
from loaders.profiles.building_ids import AssignedIdSource, IdSource
from loaders.profiles.thresholds import combine_thresholds
from loaders.publishing.assigned_ids import read_assigned_ids
from loaders.publishing.dining_plan import buildings_by_name
from loaders.publishing.load import (
    LoadResult,
    PublishOptions,
    find_load,
    find_staleness,
    load_buildings,
    load_dining,
    record_invalid,
    record_not_modified,
    settings_digest,
)
from loaders.readers import buildings, dataset_of, detect_format, dining, dining_format
from loaders.result import ReadResult
from loaders.sources.download import NotModified
from loaders.sources.files import read_head
from loaders.sources.urls import redact

_EXIT_STATUS = {"published": 0, "unchanged": 0, "dry-run": 0, "invalid": 2, "refused": 3}
_STALE = 3
_VERDICTS = {
    "unchanged": "nothing to change",
    "dry-run": "can be published",
    "refused": "would be refused",
    "invalid": "cannot be used",
}


def _list_files(formats: Mapping[str, type[BuildingFormat] | type[DiningFormat]]) -> str:
    *others, last = (each.files for each in formats.values())
    return f"{', '.join(others)} or {last}"


@click.command(
    "buildings",
    help=f"""Load map exports: together FILES are all buildings.

    FILES may be URLs, among them layers of ArcGIS servers. `-` is standard input.
    A file is {_list_files(BUILDING_FORMATS)}; ogr2ogr converts others.
    """,
    short_help="Load map exports, which together are all buildings.",
)
@cli_options.optional_files_argument
@cli_options.profile_option
@cli_options.source_option
@cli_options.building_options
@cli_options.dry_run_option
@cli_options.load_options
def load_buildings_command(
    files: tuple[Export, ...], profile: str | None, sources: Exports, dry_run: bool, **options: Any
) -> None:
    """Load map exports."""
    _load(_BUILDINGS, _by_profile(files, profile, sources), LoadOptions(**options), write=not dry_run)


@click.command(
    "dining",
    help=f"""Load dining exports: together FILES are the whole menus of their dates.

    FILES may be URLs. `-` is standard input. A file is {_list_files(DINING_FORMATS)}.
    """,
    short_help="Load dining exports, the whole menus of their dates.",
)
@cli_options.files_argument
@cli_options.profile_option
@cli_options.dry_run_option
@cli_options.load_options
def load_dining_command(files: tuple[Export, ...], profile: str | None, dry_run: bool, **options: Any) -> None:
    """Load dining exports."""
    _load(_DINING, {profile: files}, LoadOptions(**options), write=not dry_run)


@click.command("check", short_help="Check whether exports can be published; write nothing.")
@cli_options.optional_files_argument
@cli_options.profile_option
@cli_options.source_option
@cli_options.building_options
@cli_options.load_options
def check(files: tuple[Export, ...], profile: str | None, sources: Exports, **values: Any) -> None:
    """Read exports, compare them with the live data, and report whether they can be published."""
    options, exports = LoadOptions(**values), _by_profile(files, profile, sources)
    with ExitStack() as stack:
        with output.errors_as_json(None, options.as_json):
            local = stack.enter_context(local_exports(exports))
            with local.errors():
                dataset = _detect_dataset(local.files)
        _reject_options(dataset, {**values, "source": sources or None})
        with output.errors_as_json(dataset.name, options.as_json), connected_on_demand(options.config) as open_database:
            result = _load_files(dataset, local, open_database, options)
    if result.violations:
        result = replace(result, state="refused")
    _finish(result, options, verdict=True)


@click.command("profile", short_help="Inspect an export and propose a profile that reads it.")
@click.argument("file", type=ExportType())
@cli_options.layer_option
@click.option("--config", help="The ini file of the service, whose buildings are proposed for halls of the same name.")
def propose_profile(file: Export, layer: str | None, config: str | None) -> None:
    """Inspect an unknown export, a file or a URL, and print a profile that reads it. `-` is standard input."""

    def find_buildings(names: Collection[str]) -> Mapping[str, int]:
        if config is None:
            return {}
        with connected(config) as database:
            return buildings_by_name(database, names)

    with local_exports({None: [file]}) as local, local.errors():
        click.echo(escape_lines(propose.profile(local.files[None][0], track, layer, find_buildings)), nl=False)


COMMANDS = (load_buildings_command, load_dining_command, check, propose_profile)


# The records of exports, and a function that publishes them.
_Reading = tuple[ReadResult, Callable[[Database, PublishOptions], LoadResult]]


@dataclass(frozen=True)
class _Dataset:
    """A data set: how its exports are read, with which options besides those of all loads."""

    name: str
    load_profile: Callable[[str], BuildingProfile | DiningProfile]
    read: Callable[[Files, LoadOptions, OpenDatabase], _Reading]
    options: Sequence[str] = ()
    has_dates: bool = False


def _read_buildings(files: Files, options: LoadOptions, open_database: OpenDatabase) -> _Reading:
    sources = [
        (_building_profile(name or _detect_profile(_BUILDINGS, paths[0]), options), paths)
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
    profile = profiles.load_dining_profile(name or _detect_profile(_DINING, paths[0]))
    assigns_ids = dining_format(profile).assigns_ids
    assigned_ids = read_assigned_ids(open_database(), "dining") if assigns_ids else {}
    reading = dining.read(paths, profile, track, assigned_ids=assigned_ids)
    return reading, lambda database, publish: load_dining(database, reading, profile.thresholds, publish)


_BUILDINGS = _Dataset(
    "buildings",
    profiles.load_building_profile,
    _read_buildings,
    options=(*cli_options.BUILDING_OPTIONS, "source"),
)
_DINING = _Dataset("dining", profiles.load_dining_profile, _read_dining, has_dates=True)
_DATASETS = {each.name: each for each in (_BUILDINGS, _DINING)}


def _by_profile(files: Sequence[Export], profile: str | None, sources: Exports) -> Exports:
    """Return the exports by profile; UsageError unless there are either files or sources."""
    if bool(files) == bool(sources) or (profile and sources):
        raise click.UsageError("use either FILES, with or without --profile, or --source")
    return sources or {profile: files}


def _detect_dataset(files: Files) -> _Dataset:
    """Return the data set of the first profile or file; an error that describes the file if its format is unknown."""
    profile, (file, *_) = next(iter(files.items()))
    return _DATASETS[dataset_of(profile or _detect_format(file))]


def _detect_profile(dataset: _Dataset, file: Path) -> str:
    """Return the default profile of a file, that of its format; UnreadableFileError if it has other data."""
    detected = _detect_format(file)
    if (other := dataset_of(detected)) != dataset.name:
        raise UnreadableFileError(file, f"is in the format {detected}: load it with campus-load {other}")
    return detected


def _detect_format(file: Path) -> str:
    detected = detect_format(read_head(file))
    if detected is None:
        propose.profile(file, track)
        raise ProfileError(f"{file} is not in a known format: give a profile (--profile)")
    return detected


def _reject_options(dataset: _Dataset, values: dict[str, Any]) -> None:
    """Raise UsageError for options of buildings in a check of menus."""
    for name in _BUILDINGS.options:
        if values[name] is not None and name not in dataset.options:
            raise click.UsageError(f"--{name.replace('_', '-')} is an option for buildings, and this export has menus")


def _load(dataset: _Dataset, exports: Exports, options: LoadOptions, *, write: bool) -> NoReturn:
    """Download and load exports; a single URL is not read again if it has not changed since its last load."""
    flat = [export for group in exports.values() for export in group]
    # Without the menus it is unknown when they end.
    is_conditional = write and not (dataset.has_dates and options.max_stale is not None)
    url = flat[0] if len(flat) == 1 and isinstance(flat[0], str) and is_conditional else None
    with (
        output.errors_as_json(dataset.name, options.as_json),
        connected_on_demand(options.config) as open_database,
    ):
        settings = _settings_digest(dataset, exports, options)
        last_load = find_load(open_database(), dataset.name, redact(url), settings) if url else None
        try:
            with local_exports(exports, last_load and last_load["sources"][0]) as local:
                result = _load_files(dataset, local, open_database, options, settings=settings, write=write)
        except NotModified:
            result = record_not_modified(open_database(), dataset.name, redact(str(url)), settings)
            result = _with_staleness(result, options, _today(options))
        except UnreadableFileError as error:
            if write and not isinstance(error, UnavailableFileError):
                _record_invalid(open_database, dataset, ReadResult(), str(error))
            raise
        if write and result.state == "invalid":
            _record_invalid(open_database, dataset, result.reading)
    _finish(result, options)


def _record_invalid(open_database: OpenDatabase, dataset: _Dataset, reading: ReadResult, reason: str = "") -> None:
    # The error of the export is more important than one of the database.
    with suppress(DatabaseUnavailable, SettingError):
        record_invalid(open_database(), dataset.name, reading, reason)


def _settings_digest(dataset: _Dataset, exports: Exports, options: LoadOptions) -> str:
    """Return a digest of all that decides how exports are read, but for the formats that are detected."""
    loaded = [profile and dataset.load_profile(profile) for profile in exports]
    return settings_digest(loaded, [getattr(options, name) for name in cli_options.BUILDING_OPTIONS])


def _load_files(
    dataset: _Dataset,
    local: LocalExports,
    open_database: OpenDatabase,
    options: LoadOptions,
    *,
    settings: str = "",
    write: bool = False,
) -> LoadResult:
    """Load the records into the database, unless there are too many errors."""
    with local.errors():
        reading, publish = dataset.read(local.files, options, open_database)
    local.describe_sources(reading, settings)
    if len(reading.errors) > options.max_errors or not reading.record_count:
        return LoadResult(dataset.name, "invalid", reading)
    today = _today(options)
    overrides = frozenset(options.overrides)
    publish_options = PublishOptions(write=write, overrides=overrides, track=track_writing, today=today)
    return _with_staleness(publish(open_database(), publish_options), options, today)


def _today(options: LoadOptions) -> date:
    return date.fromisoformat(campus_today(options.config))


def _with_staleness(result: LoadResult, options: LoadOptions, today: date) -> LoadResult:
    if options.max_stale is None:
        return result
    return replace(result, staleness=find_staleness(result, options.max_stale, today))


def _finish(result: LoadResult, options: LoadOptions, *, verdict: bool = False) -> NoReturn:
    """Print the result and exit with its status."""
    status = _EXIT_STATUS[result.state] or (_STALE if result.staleness else 0)
    is_quiet = options.quiet and not status
    with output.reporting(output.outcome(result)):
        output.show(result, as_json=options.as_json, problems=options.problems, is_quiet=is_quiet)
        if verdict and not (options.as_json or is_quiet):
            output.write_line(f"verdict: {'is stale' if result.staleness else _VERDICTS[result.state]}")
    sys.exit(status)
