"""The command campus-load: options, progress, report and exit status."""

import sys
from collections.abc import Callable, Iterator
from configparser import Error as ConfigParserError
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from plaster.exceptions import PlasterError
from pymongo.database import Database
from pyramid.paster import get_appsettings

from campus_api import database, settings
from loaders import buildings, dining, profiles
from loaders.exports import Reading, UnreadableExport
from loaders.lock import Locked, locked
from loaders.plan import Plan, plan_buildings, plan_dining
from loaders.profiles import ProfileError
from loaders.progress import track
from loaders.publish import Overtaken, publish

_OVERTAKEN = 1
_BAD_INPUT = 2
_NO_DATABASE = 4
_DATABASE_PATIENCE_MS = 10_000
_LOCK_PATIENCE_SECONDS = 60

files_argument = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))


def load_options(command: Callable) -> Callable:
    """Add the options that all loads have."""
    options = [
        click.option("--config", default="development.ini", show_default=True, help="The ini file of the service."),
        click.option("--dry-run", is_flag=True, help="Compare and report; write nothing."),
        click.option(
            "--allow-bad",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="Publish with at most N bad records left out.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def main() -> None:
    """Load provider exports into the campus data service."""


@main.command("buildings")
@files_argument
@click.option("--profile", default="geojson", show_default=True, help="Field names: a profile or a .toml file.")
@click.option("--id-field", help="The field that holds the integer id.")
@click.option("--city", help="The city of buildings that name none.")
@click.option("--image-base", help="What to put in front of a photo's file name.")
@load_options
def load_buildings(files, profile, id_field, city, image_base, config, dry_run, allow_bad):
    """Load GeoJSON FILES: together they are all buildings."""
    with _clear_errors():
        chosen = profiles.buildings(profile)
        fields = {**chosen.fields, "id": (id_field,)} if id_field else chosen.fields
        overrides = {"city": city, "image_base": image_base}
        given = {name: value for name, value in overrides.items() if value is not None}
        reading = buildings.read(files, replace(chosen, fields=fields, **given), track)
        if not _usable(reading, allow_bad):
            _suggest_id_field(reading)
            sys.exit(_BAD_INPUT)
        _load("buildings", plan_buildings, reading, config, dry_run)


@main.command("dining")
@files_argument
@click.option("--profile", default="foodpro", show_default=True, help="Format and codes: a profile or a .toml file.")
@load_options
def load_dining(files, profile, config, dry_run, allow_bad):
    """Load dining FILES: together they are the whole menus of their dates."""
    with _clear_errors():
        reading = dining.read(files, profiles.dining(profile), track)
        if not _usable(reading, allow_bad):
            sys.exit(_BAD_INPUT)
        _load("dining", plan_dining, reading, config, dry_run)


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Turn the errors that a person can mend into one line and an exit status."""
    try:
        yield
    except (ProfileError, UnreadableExport, settings.SettingError) as error:
        _stop(_BAD_INPUT, str(error))
    except database.DatabaseUnavailable as error:
        _stop(_NO_DATABASE, f"the database is not available: {error}")
    except (Locked, Overtaken) as error:
        _stop(_OVERTAKEN, f"{error}: run the load again")


def _stop(status: int, message: str) -> None:
    click.echo(f"campus-load: {message}", err=True)
    sys.exit(status)


def _usable(reading: Reading, allow_bad: int) -> bool:
    """List the bad records and tell whether the rest may be published."""
    for problem in reading.problems:
        click.echo(str(problem), err=True)
    bad = len(reading.problems)
    if bad > allow_bad:
        hint = f"--allow-bad {bad} publishes the rest" if reading.records else "no record can be used"
        click.echo(f"campus-load: {_count(bad, 'bad record')}, nothing was published ({hint}).", err=True)
        return False
    if not reading.records:
        click.echo("campus-load: the export holds no records, nothing was published.", err=True)
    return bool(reading.records)


def _suggest_id_field(reading: Reading) -> None:
    """Say which properties could serve as ids, where the chosen one cannot."""
    if reading.integer_fields:
        fields = ", ".join(f"{name} (in {count})" for name, count in reading.integer_fields.most_common())
        click.echo(f"campus-load: fields with integers, for --id-field: {fields}.", err=True)


def _load(dataset: str, plan: Callable[[Database, list], Plan], reading: Reading, config: str, dry_run: bool) -> None:
    values = _settings(config)
    if values["mongo.uri"].startswith("mongomock:"):
        raise settings.SettingError("mongo.uri is a database in memory: nothing that is loaded would be kept.")
    connection = database.connect(values, serverSelectionTimeoutMS=_DATABASE_PATIENCE_MS, w="majority")
    try:
        lock = nullcontext() if dry_run else locked(connection.database, dataset, _LOCK_PATIENCE_SECONDS)
        with database.available(), lock:
            planned = plan(connection.database, reading.records)
            if not dry_run and not planned.changes_nothing:
                publish(connection.database, planned, reading.sources, len(reading.problems))
    finally:
        connection.close()
    _report(planned, reading, dry_run)


def _settings(config: str) -> dict[str, Any]:
    try:
        return settings.read(get_appsettings(config))
    except ConfigParserError:
        # What the parser says quotes the line, which may hold a password.
        raise settings.SettingError(
            f"{config} is not an ini file of the service: it cannot be parsed (is a % written %%?)"
        ) from None
    except (OSError, LookupError, ImportError, PlasterError) as error:
        raise settings.SettingError(f"{config} is not an ini file of the service: {error}") from error


def _report(plan: Plan, reading: Reading, dry_run: bool) -> None:
    click.echo(f"{plan.dataset}: {_outcome(plan, dry_run)}")
    for name, difference in plan.differences.items():
        counts = ", ".join(f"{number} {what}" for what, number in difference.counts.items())
        click.echo(f"  {name:<11}{counts}")
    if reading.duplicates:
        click.echo(f"  {_count(reading.duplicates, 'duplicate')} left out")
    if reading.problems:
        click.echo(f"  {_count(len(reading.problems), 'bad record')} left out")
    for what, number in reading.notes.items():
        click.echo(f"  {number} {what}")


def _outcome(plan: Plan, dry_run: bool) -> str:
    if plan.changes_nothing:
        return f"unchanged, revision {plan.revision - 1} stays"
    if dry_run:
        return f"dry run, nothing was written; this would be revision {plan.revision}"
    return f"published as revision {plan.revision}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
