"""The commands that read exports: buildings, dining, check and profile."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import click

from loaders import profiles
from loaders.cli import output
from loaders.cli.database import campus_today, connected
from loaders.cli.progress import track, track_writing
from loaders.inference import propose
from loaders.profiles import FORMATS, ProfileError
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.load import ALL_GUARDS, LoadOptions, LoadResult, load
from loaders.publishing.safety_checks import GUARDS
from loaders.publishing.staleness import find_staleness
from loaders.readers import buildings, dining
from loaders.readers.files import read_head
from loaders.readers.result import ReadResult
from loaders.readers.sniff import detect_format

_EXIT_STATUS = {"published": 0, "unchanged": 0, "dry-run": 0, "invalid": 2, "refused": 3}
_STALE = 3
_DEFAULT_PROFILES = {"buildings": "geojson", "dining": "foodpro"}
_VERDICTS = {
    "unchanged": "nothing to change",
    "dry-run": "can be published",
    "refused": "would be refused",
    "invalid": "cannot be used",
}
_BUILDING_OPTIONS = ("id_field", "city", "image_base", "wkid")

Command = Callable[..., None]


def _options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return a decorator that adds all of these options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _only_one(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.BadParameter(f"there are {len(values)}, but a load has one profile", ctx, parameter)
    return values[0] if values else None


files_argument = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
config_option = click.option(
    "--config", default="development.ini", show_default=True, help="The ini file of the service."
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Compare and report; write nothing.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
profile_option = click.option(
    "--profile",
    multiple=True,
    callback=_only_one,
    help="A profile or a .toml file; otherwise the export's format decides.",
)
building_options = _options(
    click.option("--id-field", help="The field of the integer id."),
    click.option("--city", help="The city of buildings without one."),
    click.option("--image-base", help="Prefix for file names of photos."),
    click.option("--wkid", type=int, help="The spatial reference of an export that names none; web maps have 3857."),
)
load_options = _options(
    config_option,
    click.option(
        "--max-errors",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Publish without the invalid records if there are at most N.",
    ),
    click.option(
        "--override",
        "overrides",
        multiple=True,
        type=click.Choice([*GUARDS, ALL_GUARDS]),
        metavar="GUARD",
        help=f"Publish although this guard refuses; repeatable: {', '.join([*GUARDS, ALL_GUARDS])}.",
    ),
    click.option(
        "--max-stale",
        type=click.IntRange(min=0),
        metavar="DAYS",
        help="Exit with 3 if the export is unchanged, or its menus ended, for more than DAYS days.",
    ),
    click.option(
        "--problems",
        type=click.File("w", encoding="utf-8", errors="backslashreplace", lazy=False),
        metavar="FILE",
        help="Write all errors and warnings to this file, one per line.",
    ),
    click.option("--quiet", is_flag=True, help="Print only what needs attention."),
    json_option,
)


@click.command("buildings")
@files_argument
@profile_option
@building_options
@dry_run_option
@load_options
def load_buildings(files: tuple[Path, ...], profile: str | None, dry_run: bool, **options: Any) -> None:
    """Load map exports, GeoJSON or Esri JSON: together FILES are all buildings. `-` is standard input."""
    _finish(_load("buildings", files, profile, options, write=not dry_run), options)


@click.command("dining")
@files_argument
@profile_option
@dry_run_option
@load_options
def load_dining(files: tuple[Path, ...], profile: str | None, dry_run: bool, **options: Any) -> None:
    """Load dining exports: together FILES are the whole menus of their dates. `-` is standard input."""
    _finish(_load("dining", files, profile, options, write=not dry_run), options)


@click.command("check")
@files_argument
@profile_option
@building_options
@load_options
def check(files: tuple[Path, ...], profile: str | None, **options: Any) -> None:
    """Read exports, compare them with the live data, and report whether they can be published."""
    with output.errors_as_json(None, options["as_json"]):
        profile = profile or _detect_profile(files[0])
        dataset = FORMATS[profiles.read_format(profile)]
    _require_building_options(dataset, options)
    result = _load(dataset, files, profile, options, write=False)
    if result.violations:
        result = replace(result, state="refused")
    _finish(result, options, verdict=True)


@click.command("profile")
@click.argument("file", type=click.Path(path_type=Path))
def propose_profile(file: Path) -> None:
    """Inspect an unknown export and print a profile that reads it. `-` is standard input."""
    click.echo(propose.profile(file, track), nl=False)


COMMANDS = (load_buildings, load_dining, check, propose_profile)


def _default_profile(dataset: str, files: tuple[Path, ...]) -> str:
    detected = detect_format(read_head(files[0]))
    return detected if detected and FORMATS.get(detected) == dataset else _DEFAULT_PROFILES[dataset]


def _detect_profile(file: Path) -> str:
    """Return the default profile of the format of a file; an error that describes the file if it is unknown."""
    detected = detect_format(read_head(file))
    if detected is None:
        propose.profile(file, track)
        raise ProfileError(f"{file} is not in a known format: give a profile (--profile)")
    return detected


def _require_building_options(dataset: str, options: Mapping[str, Any]) -> None:
    """Raise UsageError for options of buildings in a check of menus."""
    for name in _BUILDING_OPTIONS:
        if dataset == "dining" and options[name] is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} is an option for buildings, and this export has menus")


def _read_buildings(files: tuple[Path, ...], name: str, options: Mapping[str, Any]) -> tuple[ReadResult, Thresholds]:
    profile = profiles.load_building_profile(name)
    changes = {option: options[option] for option in _BUILDING_OPTIONS if options[option] is not None}
    if id_field := changes.pop("id_field", None):
        changes["fields"] = {**profile.fields, "id": (id_field,)}
    return buildings.read(files, replace(profile, **changes), track), profile.thresholds


def _read_dining(files: tuple[Path, ...], name: str, _: Mapping[str, Any]) -> tuple[ReadResult, Thresholds]:
    profile = profiles.load_dining_profile(name)
    return dining.read(files, profile, track), profile.thresholds


_READERS = {"buildings": _read_buildings, "dining": _read_dining}


def _load(
    dataset: str, files: tuple[Path, ...], profile: str | None, options: Mapping[str, Any], *, write: bool
) -> LoadResult:
    """Load the records into the database of the ini file, unless there are too many errors."""
    with output.errors_as_json(dataset, options["as_json"]):
        reading, thresholds = _READERS[dataset](files, profile or _default_profile(dataset, files), options)
        if len(reading.errors) > options["max_errors"] or not reading.records:
            return LoadResult(dataset, "invalid", reading)
        how = LoadOptions(write=write, overrides=frozenset(options["overrides"]), track=track_writing)
        with connected(options["config"]) as database:
            result = load(database, dataset, reading, thresholds, how)
        if options["max_stale"] is None:
            return result
        today = date.fromisoformat(campus_today(options["config"]))
        return replace(result, staleness=find_staleness(result, options["max_stale"], today))


def _finish(result: LoadResult, options: Mapping[str, Any], *, verdict: bool = False) -> NoReturn:
    """Print the result and exit with its status."""
    status = _EXIT_STATUS[result.state] or (_STALE if result.staleness else 0)
    is_quiet = options["quiet"] and not status
    output.show(result, as_json=options["as_json"], problems=options["problems"], is_quiet=is_quiet)
    if verdict and not (options["as_json"] or is_quiet):
        output.write_line(f"verdict: {'is stale' if result.staleness else _VERDICTS[result.state]}")
    sys.exit(status)
