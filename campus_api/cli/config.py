"""The command campus-config: print an ini file, check one and its database, list the settings."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files

import click

from campus_api.cli import diagnostics
from campus_api.cli.diagnostics import Report
from campus_api.settings import SETTINGS


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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(ctx: click.Context, ini: str, settings_only: bool, as_json: bool) -> None:
    """Check the settings of INI, the connection to its database and the loaded documents; nothing is changed.

    The exit status is 0 if the service can start and has data, 1 if the database cannot be used or a data set was
    never loaded, and 2 if the service cannot start, because the configuration is invalid or a newer version has loaded
    the data.
    """
    report = diagnostics.check(ini, settings_only=settings_only)
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        _print(report)
    ctx.exit(report.status)


@main.command("settings")
def list_settings() -> None:
    """Print every setting with its environment variable, default and description, as a Markdown table."""
    rows = [("ini file", "environment", "default", "description"), ("---",) * 4]
    for setting in SETTINGS:
        default = f"`{setting.default}`" if setting.default else ""
        rows.append((f"`{setting.name}`", f"`{setting.variable}`", default, setting.help.replace("<", r"\<")))
    for row in rows:
        click.echo("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|")


def _print(report: Report) -> None:
    settings = [(entry["name"], f"{entry['value'] or ''}  ({entry['source']})") for entry in report.settings]
    result = [("problem", text) for text in report.problems] + [("warning", text) for text in report.warnings]
    if not report.problems:
        result.append(("ok", "the service is ready" if report.reachable else "the settings are valid"))
    _print_section(f"Settings of {report.file}", settings)
    _print_section("Documents", [(name, str(count)) for name, count in report.documents.items()])
    _print_section("Result", result)


def _print_section(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Print a title, and texts after labels of one width; nothing without rows."""
    if rows:
        click.secho(title, bold=True)
        width = max(len(label) for label, _ in rows)
        for label, text in rows:
            click.echo(f"  {label:{width}}  {text}")
