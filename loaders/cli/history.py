"""The commands for the database: history, undo, diff, dump and samples."""

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import click
from pymongo.database import Database

from campus_api.domain.feeds import describe_counts
from loaders.cli import output
from loaders.cli.database import campus_clock, connected
from loaders.cli.exports import STDIN
from loaders.cli.options import config_option, json_option, quiet_option
from loaders.errors import UnreadableFileError
from loaders.publishing import history
from loaders.publishing.dump import dump_buildings, dump_dining
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from loaders.samples import load_samples
from loaders.text import shorten

_HASH_LENGTH = 12
_MAX_REASONS = 3

_DUMPS: dict[str, Callable[[Database], Iterator[bytes]]] = {"buildings": dump_buildings, "dining": dump_dining}
dataset_argument = click.argument("dataset", type=click.Choice(_DUMPS))


@click.command("history", short_help="List all loads with their files and changes.")
@click.argument("dataset", type=click.Choice(_DUMPS), required=False)
@config_option
@json_option
def show_history(dataset: str | None, config: str | None, as_json: bool) -> None:
    """List the loads, oldest first: when, which files, what they changed and how they ended."""
    with connected(config) as database:
        entries = history.list_loads(database, [dataset] if dataset else list(_DUMPS))
    if as_json:
        output.write_json([{key: value for key, value in entry.items() if key != "_id"} for entry in entries])
        return
    columns = ("started (UTC)", "data", "revision", "state", "files (sha256) and changes")
    output.write(output.table(*columns, rows=map(_row, entries)) if entries else "no loads yet")


@click.command("undo", short_help="Publish the previous revision of a data set again.")
@dataset_argument
@config_option
@quiet_option
@json_option
def undo(dataset: str, config: str | None, quiet: bool, as_json: bool) -> None:
    """Publish the previous revision of a data set again, as a new revision."""
    with output.errors_as_json(dataset, as_json), connected(config) as database:
        plan = plan_undo(database, dataset)
        revision = publish(database, plan)
    counts = {name: diff.counts for name, diff in plan.differences.items()}
    outcome = f"{dataset}: revision {plan.reverts} is undone, published as revision {revision}"
    with output.reporting(outcome):
        if as_json:
            result = {"dataset": dataset, "state": "published", "revision": revision, "reverts": plan.reverts}
            output.write_json({**result, "collections": counts})
        elif not quiet:
            output.write(outcome, bold=True)
            output.write(output.counts_table(counts))


@click.command("diff", short_help="Show what a load has changed.")
@dataset_argument
@click.argument("revision", type=click.IntRange(min=1))
@config_option
@json_option
def diff(dataset: str, revision: int, config: str | None, as_json: bool) -> None:
    """Show what the load that made REVISION has changed."""
    with output.errors_as_json(dataset, as_json), connected(config) as database:
        entry, changes = history.read_changes(database, dataset, revision)
    if as_json:
        result = {"dataset": dataset, "revision": revision, "collections": entry["collections"]}
        output.write_json({**result, "changes": changes})
        return
    output.write(output.counts_table(entry["collections"]))
    for name, collection_changes in changes.items():
        for change in collection_changes:
            if not change.only_as_of_changed:
                output.write(f"  {name}: {change}")


def _row(entry: dict[str, Any]) -> list[str | list[str]]:
    started = entry["started_at"].strftime("%Y-%m-%d %H:%M")
    revision = "" if entry["revision"] is None else str(entry["revision"])
    lines = [f"{source.get('url', source['file'])} ({source['sha256'][:_HASH_LENGTH]})" for source in entry["sources"]]
    if "reverts" in entry:
        lines.append(f"undoes revision {entry['reverts']}")
    lines += [describe_counts(name, counts) for name, counts in entry["collections"].items()]
    lines += shorten(entry.get("reasons", []), "reason", length=_MAX_REASONS)
    return [started, entry["dataset"], revision, entry["state"], list(filter(None, lines))]


@click.command("dump", short_help="Write the live data as JSON, which can be loaded again.")
@dataset_argument
@click.argument("file", type=click.Path(path_type=Path, writable=True), default=STDIN)
@config_option
def dump(dataset: str, file: Path, config: str | None) -> None:
    """Write the live data as JSON, which `buildings` and `dining` can load, to FILE or standard output."""
    with connected(config) as database, _open(file) as output:
        output.writelines(_DUMPS[dataset](database))


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    """Open standard output for `-`, a device or a pipe, or a file, which is replaced only by a complete one."""
    if path == STDIN:
        yield sys.stdout.buffer
        return
    try:
        with _replacing(path) if path.is_file() or not path.exists() else path.open("wb") as file:
            yield file
    except OSError as error:
        raise UnreadableFileError(path, f"cannot be written: {error.strerror}") from None


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    # Not by tempfile, whose files only their owner may read.
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            yield file
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()


@click.command("samples")
@config_option
def samples(config: str | None) -> None:
    """Load sample data, with menus from yesterday to a week ahead.

    A data set that was loaded from another export is not replaced.
    """
    today = campus_clock(config).today()
    with connected(config) as database:
        revisions = load_samples(database, today)
    published = {name: f"published as revision {number}" for name, number in revisions.items() if number}
    states = [f"{name}: {published.get(name, 'not changed')}" for name in revisions]
    with output.reporting(", ".join(states)):
        for state in states:
            output.write(state, bold=True)


COMMANDS = (show_history, undo, diff, dump, samples)
