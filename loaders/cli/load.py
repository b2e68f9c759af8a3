"""The commands that read exports: buildings, dining, check and profile."""

import sys
from collections.abc import Collection, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, NoReturn

import click

from campus_api.db.errors import DatabaseUnavailable
from campus_api.settings import SettingError
from loaders.cli import options as cli_options
from loaders.cli import output
from loaders.cli.database import OpenDatabase, campus_clock, connected, connected_on_demand, is_configured
from loaders.cli.datasets import BUILDINGS, DINING, LoadCommand, detect_command, read_with, reject_options
from loaders.cli.exports import SOURCE, LocalExports, Source, local_exports, named_by
from loaders.cli.options import LoadOptions
from loaders.cli.problems import print_errors
from loaders.cli.terminal import echo, track
from loaders.errors import DataWarning, UnavailableFileError, UnreadableFileError
from loaders.inference import propose
from loaders.map_formats import BUILDING_FORMATS
from loaders.map_formats.base import BuildingFormat
from loaders.menu_formats import DINING_FORMATS
from loaders.menu_formats.base import DiningFormat
from loaders.publishing.assigned_ids import AssignedIdsConflict
from loaders.publishing.dining_plan import buildings_by_name
from loaders.publishing.load import LoadResult, PublishOptions, find_staleness, record_invalid, with_retries
from loaders.result import ReadResult
from loaders.text import pluralize

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
@cli_options.export_options
@cli_options.building_options
@cli_options.dry_run_option
@cli_options.load_options
def load_buildings_command(**values: Any) -> None:
    """Load map exports."""
    _load(BUILDINGS, LoadOptions.parse(**values))


@click.command(
    "dining",
    help=f"""Load dining exports: together FILES are the whole menus of their dates.

    FILES may be URLs. `-` is standard input. A file is {_list_files(DINING_FORMATS)}.
    """,
    short_help="Load dining exports, the whole menus of their dates.",
)
@cli_options.export_options
@cli_options.dry_run_option
@cli_options.load_options
def load_dining_command(**values: Any) -> None:
    """Load dining exports."""
    _load(DINING, LoadOptions.parse(**values))


@click.command("check", short_help="Check whether exports can be published; write nothing.")
@cli_options.export_options
@cli_options.building_options
@cli_options.load_options
def check(**values: Any) -> None:
    """Read exports, compare them with the live data, and report whether they can be published."""
    options = LoadOptions.parse(**values, dry_run=True)
    with ExitStack() as stack:
        with output.errors_as_json(None, options.as_json):
            local = stack.enter_context(local_exports(options.exports, sheet=options.sheet))
            with named_by(local.origins):
                command = detect_command(local)
        reject_options(command, options)
        with output.errors_as_json(command.dataset, options.as_json), connected_on_demand(options.config) as database:
            result = _load_files(command, local, database, options)
    if result.violations:
        result = replace(result, state="refused")
    _finish(result, options, verdict=True)


@click.command("profile", short_help="Inspect an export and propose a profile that reads it.")
@click.argument("file", type=SOURCE)
@cli_options.layer_option
@cli_options.sheet_option
@click.option(
    "--config",
    help="The ini file of the service, whose buildings are proposed for halls of their name.",
)
def propose_profile(file: Source, layer: str | None, sheet: str | None, config: str | None) -> None:
    """Inspect an unknown export, a file or a URL, and print a profile that reads it. `-` is standard input."""

    def find_buildings(names: Collection[str]) -> Mapping[str, int]:
        if not (config or is_configured()):
            return {}
        with connected(config) as database:
            return buildings_by_name(database, names)

    with local_exports({None: [file]}, sheet=sheet) as local, named_by(local.origins):
        paths = local.files[None]
        proposed = propose.profile(paths[0], track, layer, find_buildings, local.origins, paths)
        for line in proposed.removesuffix("\n").split("\n"):
            echo(line)
        reading = read_with(paths, proposed, local.origins)
        if reading.errors:
            print_errors(reading)
            number = pluralize(len(reading.errors), "invalid record")
            click.echo(f"campus-load: {number} with this profile: correct it.", err=True)
            if hint := reading.hint():
                echo(f"campus-load: {hint}.", err=True)
            sys.exit(2)


COMMANDS = (load_buildings_command, load_dining_command, check, propose_profile)


def _load(command: LoadCommand, options: LoadOptions) -> NoReturn:
    """Load exports, record what cannot be loaded, print the result and exit."""
    with output.errors_as_json(command.dataset, options.as_json), connected_on_demand(options.config) as open_database:
        try:
            with local_exports(options.exports, sheet=options.sheet) as local:
                result = _load_files(command, local, open_database, options)
        except UnreadableFileError as error:
            if not isinstance(error, UnavailableFileError):
                _record_invalid(command, open_database, options, ReadResult(), str(error))
            raise
        if result.state == "invalid":
            _record_invalid(command, open_database, options, result.reading)
    _finish(result, options)


def _record_invalid(
    command: LoadCommand, open_database: OpenDatabase, options: LoadOptions, reading: ReadResult, reason: str = ""
) -> None:
    # The error of the export is more important than one of the database.
    with suppress(DatabaseUnavailable, SettingError):
        if options.write:
            record_invalid(open_database(), command.dataset, reading, reason)


def _load_files(
    command: LoadCommand, local: LocalExports, open_database: OpenDatabase, options: LoadOptions
) -> LoadResult:
    """Read and load the records, and do so again if another load has assigned the same ids in the meantime."""
    if local.missing and command is BUILDINGS:
        raise local.missing[0]
    return with_retries(partial(_load_once, command, local, open_database, options), AssignedIdsConflict)


def _load_once(
    command: LoadCommand, local: LocalExports, open_database: OpenDatabase, options: LoadOptions
) -> LoadResult:
    with named_by(local.origins):
        files = command.with_profiles(local)
        reading, thresholds = command.read(files, local.origins, options, open_database)
    for error in local.missing:
        reading.add_warnings(error.source, [DataWarning(error.source, None, error.reason)])
    for file, warning in local.unread:
        reading.add_warnings(file, [warning])
    if len(reading.errors) > options.max_errors or not reading.record_count:
        return LoadResult(command.dataset, "invalid", reading)
    clock = campus_clock(options.config)
    today = date.fromisoformat(clock.today())
    writing = partial(track, verb="Writing")
    publish_options = PublishOptions(options.write, frozenset(options.overrides), writing, today)
    result = command.publish(open_database(), reading, thresholds, publish_options)
    return replace(result, staleness=find_staleness(result, options.max_stale, clock))


def _finish(result: LoadResult, options: LoadOptions, *, verdict: bool = False) -> NoReturn:
    status = _EXIT_STATUS[result.state] or (_STALE if result.staleness else 0)
    is_quiet = options.quiet and not status
    with output.reporting(output.outcome(result)):
        output.show(result, as_json=options.as_json, problems=options.problems, is_quiet=is_quiet)
        if verdict and not (options.as_json or is_quiet):
            echo(f"verdict: {'is stale' if result.staleness else _VERDICTS[result.state]}")
    sys.exit(status)
