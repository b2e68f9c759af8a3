"""The commands that read exports: buildings, dining, check and profile."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from loaders import profiles
from loaders.cli import output
from loaders.cli.database import connected
from loaders.cli.exports import Export, ExportType, local_exports
from loaders.cli.progress import track
from loaders.inference import propose
from loaders.profiles import ProfileError
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.load import ALL_GUARDS, LoadOptions, LoadResult, load
from loaders.publishing.revalidation import find_load, record_not_modified, settings_digest
from loaders.publishing.safety_checks import GUARDS
from loaders.readers import buildings, dining
from loaders.readers.download import NotModified, redact
from loaders.readers.files import read_head
from loaders.readers.formats import dataset_of, detect_format
from loaders.readers.result import ReadResult

_EXIT_STATUS = {"published": 0, "unchanged": 0, "dry-run": 0, "invalid": 2, "refused": 3}
_DEFAULT_PROFILES = {"buildings": "geojson", "dining": "foodpro"}
_VERDICTS = {
    "unchanged": "nothing to change",
    "dry-run": "can be published",
    "refused": "would be refused",
    "invalid": "cannot be used",
}

Read = Callable[[tuple[Path, ...]], tuple[ReadResult, Thresholds]]

files_argument = click.argument("files", nargs=-1, required=True, type=ExportType())
profile_option = click.option("--profile", help="A profile or a .toml file; otherwise the export's format decides.")
config_option = click.option(
    "--config", default="development.ini", show_default=True, help="The ini file of the service."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
max_errors_option = click.option(
    "--max-errors",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Publish without the invalid records if there are at most N.",
)
override_option = click.option(
    "--override",
    "overrides",
    multiple=True,
    type=click.Choice([*GUARDS, ALL_GUARDS]),
    help="Publish although this guard refuses; repeatable.",
)


def _load_options(command: Callable) -> Callable:
    """Add the options of all loads."""
    options = [
        config_option,
        click.option("--dry-run", is_flag=True, help="Compare and report; write nothing."),
        max_errors_option,
        override_option,
        json_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command("buildings")
@files_argument
@profile_option
@click.option("--id-field", help="The field of the integer id.")
@click.option("--city", help="The city of buildings without one.")
@click.option("--image-base", help="Prefix for file names of photos.")
@click.option("--wkid", type=int, help="The spatial reference of an export that names none; web maps have 3857.")
@_load_options
def load_buildings(
    files: tuple[Export, ...],
    profile: str | None,
    id_field: str | None,
    city: str | None,
    image_base: str | None,
    wkid: int | None,
    **options: Any,
) -> None:
    """Load map exports, GeoJSON or Esri JSON: together FILES are all buildings.

    FILES may be URLs, among them layers of ArcGIS servers. `-` is standard input.
    """
    overrides: dict[str, Any] = {"city": city, "image_base": image_base, "wkid": wkid}

    def read(paths: tuple[Path, ...]) -> tuple[ReadResult, Thresholds]:
        base = profiles.load_building_profile(profile or _default_profile("buildings", paths))
        fields = {**base.fields, "id": (id_field,)} if id_field else base.fields
        changes = {name: value for name, value in overrides.items() if value is not None}
        return buildings.read(paths, replace(base, fields=fields, **changes), track), base.thresholds

    with output.errors_as_json("buildings", options["as_json"]):
        settings = settings_digest(profile and profiles.load_building_profile(profile), id_field, overrides)
    _load("buildings", files, read, settings, **options)


@click.command("dining")
@files_argument
@profile_option
@_load_options
def load_dining(files: tuple[Export, ...], profile: str | None, **options: Any) -> None:
    """Load dining exports: together FILES are the whole menus of their dates.

    FILES may be URLs. `-` is standard input.
    """

    def read(paths: tuple[Path, ...]) -> tuple[ReadResult, Thresholds]:
        return _read_dining(paths, profile or _default_profile("dining", paths))

    with output.errors_as_json("dining", options["as_json"]):
        settings = settings_digest(profile and profiles.load_dining_profile(profile))
    _load("dining", files, read, settings, **options)


@click.command("check")
@files_argument
@profile_option
@config_option
@max_errors_option
@json_option
def check(files: tuple[Export, ...], profile: str | None, config: str, max_errors: int, as_json: bool) -> None:
    """Read exports, compare them with the live data, and report whether they can be published."""
    with local_exports(files, None, as_json) as exports:
        with exports.errors(None, as_json):
            profile = profile or detect_format(read_head(exports.paths[0]))
            if profile is None:
                # Raises an error that describes the file, if it can.
                propose.profile(exports.paths[0], track)
                raise ProfileError(f"{exports.paths[0]} is not in a known format: give a profile (--profile)")
            dataset = dataset_of(profile)
        with exports.errors(dataset, as_json):
            reading, thresholds = _READERS[dataset](exports.paths, profile)
            result = _load_into(config, dataset, reading, thresholds, max_errors, LoadOptions(write=False))
    if result.violations:
        result = replace(result, state="refused")
    output.show(result, as_json=as_json)
    if not as_json:
        output.write_line(f"verdict: {_VERDICTS[result.state]}")
    sys.exit(_EXIT_STATUS[result.state])


@click.command("profile")
@click.argument("file", type=ExportType())
def propose_profile(file: Export) -> None:
    """Inspect an unknown export, a file or a URL, and print a profile that reads it. `-` is standard input."""
    with local_exports([file], None, as_json=False) as exports, exports.errors(None, as_json=False):
        click.echo(propose.profile(exports.paths[0], track), nl=False)


COMMANDS = (load_buildings, load_dining, check, propose_profile)


def _read_buildings(files: tuple[Path, ...], name: str) -> tuple[ReadResult, Thresholds]:
    profile = profiles.load_building_profile(name)
    return buildings.read(files, profile, track), profile.thresholds


def _read_dining(files: tuple[Path, ...], name: str) -> tuple[ReadResult, Thresholds]:
    profile = profiles.load_dining_profile(name)
    return dining.read(files, profile, track), profile.thresholds


_READERS = {"buildings": _read_buildings, "dining": _read_dining}


def _default_profile(dataset: str, files: tuple[Path, ...]) -> str:
    detected = detect_format(read_head(files[0]))
    return detected if detected and dataset_of(detected) == dataset else _DEFAULT_PROFILES[dataset]


def _load(dataset: str, files: tuple[Export, ...], read: Read, settings: str, **options: Any) -> None:
    result = _read_and_load(dataset, files, read, settings, **options)
    output.show(result, as_json=options["as_json"])
    sys.exit(_EXIT_STATUS[result.state])


def _read_and_load(
    dataset: str,
    files: tuple[Export, ...],
    read: Read,
    settings: str,
    *,
    config: str,
    dry_run: bool,
    overrides: Sequence[str],
    max_errors: int,
    as_json: bool,
) -> LoadResult:
    options = LoadOptions(write=not dry_run, overrides=frozenset(overrides))
    last_source = None if dry_run else _last_source(config, dataset, files, settings, as_json)
    try:
        with local_exports(files, dataset, as_json, last_source) as exports, exports.errors(dataset, as_json):
            reading, thresholds = read(exports.paths)
            exports.describe_sources(reading, settings)
            return _load_into(config, dataset, reading, thresholds, max_errors, options)
    except NotModified:
        with connected(config) as database:
            return record_not_modified(database, dataset, redact(str(files[0])), settings)


def _last_source(
    config: str, dataset: str, files: tuple[Export, ...], settings: str, as_json: bool
) -> dict[str, str] | None:
    """Return the `etag` and `last_modified` of the last load of a URL; None for several exports, or a file."""
    if len(files) > 1 or not isinstance(files[0], str):
        return None
    with output.errors_as_json(dataset, as_json), connected(config) as database:
        last_load = find_load(database, dataset, redact(files[0]), settings)
    return last_load and last_load["sources"][0]


def _load_into(
    config: str, dataset: str, reading: ReadResult, thresholds: Thresholds, max_errors: int, options: LoadOptions
) -> LoadResult:
    """Load the records into the database of an ini file, unless there are too many errors."""
    if len(reading.errors) > max_errors or not reading.records:
        return LoadResult(dataset, "invalid", reading)
    with connected(config) as database:
        return load(database, dataset, reading, thresholds, options)
