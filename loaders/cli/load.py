"""The commands that read exports: buildings, dining and check."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from campus_api.settings import SettingError
from loaders import profiles
from loaders.cli import output
from loaders.cli.database import connected
from loaders.cli.progress import track
from loaders.errors import UnreadableFileError
from loaders.inference import propose
from loaders.profiles import FORMATS, ProfileError
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.load import Outcome, Wish, load
from loaders.readers import buildings, dining
from loaders.readers.files import read_head
from loaders.readers.result import ReadResult
from loaders.readers.sniff import detect_format

_STATUS = {"published": 0, "unchanged": 0, "dry-run": 0, "invalid": 2, "refused": 3}
_DEFAULT_PROFILES = {"buildings": "geojson", "dining": "foodpro"}
_VERDICTS = {
    "unchanged": "nothing to change",
    "dry-run": "can be published",
    "refused": "would be refused",
    "invalid": "cannot be used",
}

Read = Callable[[], tuple[ReadResult, Thresholds]]

files_argument = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
profile_option = click.option("--profile", help="A profile or a .toml file; otherwise the export's format decides.")
config_option = click.option(
    "--config", default="development.ini", show_default=True, help="The ini file of the service."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
allow_bad_option = click.option(
    "--allow-bad",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Publish with at most N bad records left out.",
)
wait_option = click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for another load.",
)


def _load_options(command: Callable) -> Callable:
    """Add the options that all loads have."""
    options = [
        config_option,
        click.option("--dry-run", is_flag=True, help="Compare and report; write nothing."),
        allow_bad_option,
        click.option("--accept-shrink", is_flag=True, help="Publish what a guard refuses: it is right."),
        wait_option,
        json_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command("buildings")
@files_argument
@profile_option
@click.option("--id-field", help="The field that holds the integer id.")
@click.option("--city", help="The city of buildings that name none.")
@click.option("--image-base", help="What to put in front of a photo's file name.")
@click.option("--wkid", type=int, help="The spatial reference of an export that does not say it: 3857 is web maps'.")
@_load_options
def load_buildings(files, profile, id_field, city, image_base, wkid, **options):
    """Load map exports, GeoJSON or Esri JSON: together FILES are all buildings. `-` is standard input."""
    overrides = {"city": city, "image_base": image_base, "wkid": wkid}

    def read() -> tuple[ReadResult, Thresholds]:
        chosen = profiles.load_building_profile(profile or _default_profile("buildings", files))
        fields = {**chosen.fields, "id": (id_field,)} if id_field else chosen.fields
        given = {name: value for name, value in overrides.items() if value is not None}
        return buildings.read(files, replace(chosen, fields=fields, **given), track), chosen.thresholds

    _load("buildings", read, **options)


@click.command("dining")
@files_argument
@profile_option
@_load_options
def load_dining(files, profile, **options):
    """Load dining exports: together FILES are the whole menus of their dates. `-` is standard input."""
    _load("dining", lambda: _read_dining(files, profile or _default_profile("dining", files)), **options)


@click.command("check")
@files_argument
@profile_option
@config_option
@allow_bad_option
@json_option
def check(files, profile, config, allow_bad, as_json):
    """Read exports, compare them with what is live, and say whether they can be published."""
    with _invalid_as_json(None, as_json):
        profile = profile or detect_format(read_head(files[0]))
        if profile is None:
            # It says what the export looks like instead, or what is wrong with it.
            propose.profile(files[0], track)
            raise ProfileError(f"{files[0]} is not in a known format: give a profile (--profile)")
        dataset = FORMATS[profiles.read_format(profile)]
    with _invalid_as_json(dataset, as_json):
        reading, limits = _READERS[dataset](files, profile)
        outcome = _compare(dataset, reading, limits, allow_bad, config, Wish(write=False))
    if outcome.refusals:
        outcome = replace(outcome, state="refused")
    output.show(outcome, as_json=as_json)
    if not as_json:
        click.echo(f"verdict: {_VERDICTS[outcome.state]}")
    sys.exit(_STATUS[outcome.state])


@click.command("profile")
@click.argument("file", type=click.Path(path_type=Path))
def propose_profile(file):
    """Look into an unknown export and print a profile that reads it. `-` is standard input."""
    click.echo(propose.profile(file, track), nl=False)


COMMANDS = (load_buildings, load_dining, check, propose_profile)


def _read_buildings(files: tuple[Path, ...], profile: str) -> tuple[ReadResult, Thresholds]:
    chosen = profiles.load_building_profile(profile)
    return buildings.read(files, chosen, track), chosen.thresholds


def _read_dining(files: tuple[Path, ...], profile: str) -> tuple[ReadResult, Thresholds]:
    chosen = profiles.load_dining_profile(profile)
    return dining.read(files, chosen, track), chosen.thresholds


_READERS = {"buildings": _read_buildings, "dining": _read_dining}


def _default_profile(dataset: str, files: tuple[Path, ...]) -> str:
    found = detect_format(read_head(files[0]))
    return found if FORMATS.get(found) == dataset else _DEFAULT_PROFILES[dataset]


def _load(dataset: str, read: Read, **options: Any) -> None:
    wish = Wish(write=not options["dry_run"], accept_shrink=options["accept_shrink"], patience=options["wait"])
    with _invalid_as_json(dataset, options["as_json"]):
        reading, limits = read()
        outcome = _compare(dataset, reading, limits, options["allow_bad"], options["config"], wish)
    output.show(outcome, as_json=options["as_json"])
    sys.exit(_STATUS[outcome.state])


@contextmanager
def _invalid_as_json(dataset: str | None, as_json: bool) -> Iterator[None]:
    try:
        yield
    except (ProfileError, UnreadableFileError, SettingError) as error:
        if as_json:
            output.write_json(output.invalid(dataset, error))
        raise


def _compare(dataset: str, reading: ReadResult, limits: Thresholds, allow_bad: int, config: str, wish: Wish) -> Outcome:
    """Load what was read, unless too much of it is bad."""
    if len(reading.errors) > allow_bad or not reading.records:
        return Outcome(dataset, "invalid", reading)
    with connected(config) as database:
        return load(database, dataset, reading, limits, wish)
