"""The command campus-config: print an ini file, check one and its database, list the settings."""

from contextlib import closing
from importlib.resources import files

import click
from pymongo.database import Database

from campus_api import settings
from campus_api.db.connection import COLLECTIONS, collection_exists, connect_read_only, read_datasets
from campus_api.db.errors import DatabaseUnavailable, NewerLayout, translate_errors

_MAX_TIMEOUT_MS = 5000


@click.group()
def main() -> None:
    """Create, check and describe the configuration of the campus data API."""


@main.command()
@click.argument("name", type=click.Choice(["development", "production"]))
def template(name: str) -> None:
    """Print an ini file: for development with an embedded MongoDB, or for production with an existing one."""
    click.echo((files("campus_api.cli") / "templates" / f"{name}.ini").read_text(encoding="utf-8"), nl=False)


@main.command()
@click.argument("ini")
@click.option("--settings-only", is_flag=True, help="Do not connect to the database.")
@click.pass_context
def check(ctx: click.Context, ini: str, settings_only: bool) -> None:
    """Print the first problem of the settings of INI, of its database or of the loaded data; nothing is changed.

    The exit status is 0 if the service can start and has data, 1 if the database cannot be used or a data set was
    never loaded, and 2 if the service cannot start, because the configuration is invalid or a newer version has loaded
    the data.
    """
    status, result = 0, "The settings are valid." if settings_only else "The service is ready."
    try:
        _check(ini, settings_only=settings_only)
    except (NewerLayout, settings.SettingError) as error:
        status, result = 2, str(error)
    except DatabaseUnavailable as error:
        status, result = 1, f"The database is not ready: {error}"
    click.echo(result)
    ctx.exit(status)


def _check(path: str, *, settings_only: bool) -> None:
    ini = settings.read_ini(path)
    values = settings.load(ini)
    for name in values.keys() & ini.global_conf.keys():
        raise settings.SettingError(f"{name} in [DEFAULT] is ignored: move it to [app:main].")
    # Of an embedded MongoDB, which would be started, there is no more to check.
    if settings_only and not values["mongo.uri"].startswith("mongodb"):
        return
    timeout = min(values["mongo.timeout_ms"], _MAX_TIMEOUT_MS)
    # Like the service, which reads from secondaries while there is no primary.
    with closing(connect_read_only({**values, "mongo.timeout_ms": timeout})) as connection:
        if not settings_only:
            _check_data(connection.database)


def _check_data(database: Database) -> None:
    """Raise DatabaseUnavailable for the first data set that the service cannot read."""
    with translate_errors():
        documents = read_datasets(database)
        for dataset, names in COLLECTIONS.items():
            if dataset not in documents:
                raise DatabaseUnavailable(f"the data set {dataset} was never loaded.")
            for collection in (database[documents[dataset]["collections"][name]] for name in names):
                if not collection_exists(collection):
                    raise DatabaseUnavailable(f"the live collection {collection.name} does not exist.")


@main.command("settings")
def list_settings() -> None:
    """Print every setting with its environment variable, default and description, as a Markdown table."""
    rows = [("ini file", "environment", "default", "description"), ("---",) * 4]
    for setting in settings.SETTINGS:
        default = f"`{setting.default}`" if setting.default else ""
        rows.append((f"`{setting.name}`", f"`{setting.variable}`", default, setting.help.replace("<", r"\<")))
    for row in rows:
        click.echo("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|")
