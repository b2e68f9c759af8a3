"""The command campus-config: what an ini file and its database mean for the service."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from campus_api.cli import diagnostics
from campus_api.cli.diagnostics import Report
from campus_api.settings import SETTINGS

_WIDE = 200
_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


@click.group()
def main() -> None:
    """Look at the configuration of the campus data service."""


@main.command()
@click.argument("ini")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(ctx, ini, as_json):
    """Report the settings of INI, its database and what is loaded there; nothing is changed.

    The exit status is 0 when the service can do its work, 1 when the database cannot be used or nothing is loaded, and
    2 when the configuration is wrong.
    """
    report = diagnostics.check(ini)
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        _print(report)
    ctx.exit(report.status)


@main.command("settings")
def list_settings():
    """Print every setting with its variable, default and meaning, as a table of Markdown."""
    rows = [("ini file", "environment", "default", ""), ("---",) * 4]
    for setting in SETTINGS:
        default = f"`{setting.default}`" if setting.default else ""
        rows.append((f"`{setting.name}`", f"`{setting.variable}`", default, setting.help.replace("<", r"\<")))
    for row in rows:
        click.echo("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|")


def _print(report: Report) -> None:
    settings = [(entry["name"], entry["value"] or "", entry["source"]) for entry in report.settings]
    _section(f"Settings of {report.file}", settings)
    _section("Time", _time(report.time_zone))
    _section("Database", _database(report.database))
    _section("Data", _data(report.datasets))
    verdict = [("wrong", text) for text in report.problems] + [("note", text) for text in report.warnings]
    _section("Verdict", verdict if report.problems else [*verdict, ("fine", "the service can do its work")])


def _section(title: str, rows: Sequence[tuple[str, ...]]) -> None:
    """Print a title and aligned rows: with colours and as wide as a terminal, plain and wide elsewhere."""
    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDE
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for _ in rows[0] if rows else ():
        table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*(("  " + row[0]), *row[1:]))
    if table.row_count:
        with console.capture() as printed:
            console.print(title, style="bold", soft_wrap=True)
            console.print(table)
        click.echo("\n".join(line.rstrip() for line in printed.get().splitlines()))


def _time(found: dict[str, Any]) -> list[tuple[str, str]]:
    if not found:
        return []
    data = f"{found['data']}, version {found['version'] or 'unknown'}"
    return [("now", f"{found['now']} in {found['name']}"), ("time zone data", data)]


def _database(found: dict[str, Any]) -> list[tuple[str, str]]:
    if not found.get("reachable"):
        return [("answers", "no")] if found else []
    rows = [("answers", f"in {found['milliseconds']} ms, MongoDB {found['version']}")]
    if found["started"]:
        rows.append(("started", "for this check; it stops with it"))
    if "may_write" in found:
        may = "may write" if found["may_write"] else "may only read"
        uncontrolled = "" if found["access_control"] else " (there is no access control: so may everybody)"
        rows.append(("account", f"{found['account'] or 'nobody'}, {may}{uncontrolled}"))
    return rows


def _data(found: dict[str, Any]) -> list[tuple[str, str]]:
    rows = []
    for name, live in found.items():
        said = f"revision {live['revision']}, loaded {_age(live['age_seconds'])} ago" if live else "nothing is loaded"
        rows.append((name, said))
    buildings, dining = found.get("buildings"), found.get("dining")
    if buildings:
        indexes = ", ".join(f"{name} ({', '.join(fields)})" for name, fields in buildings["indexes"].items())
        rows.append(("collection", f"{buildings['collection']}, {buildings['documents']} documents"))
        rows.append(("indexes", indexes or "none"))
    if dining:
        rows.append(("menus", f"{dining['days_ahead']} days from today on, until {dining['last_menu'] or 'never'}"))
    return rows


def _age(seconds: int) -> str:
    """Return a time in its two largest units."""
    parts = []
    for unit, size in _UNITS:
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number} {unit}{'s' * (number != 1)}")
    return " ".join(parts[:2]) or "0 seconds"
