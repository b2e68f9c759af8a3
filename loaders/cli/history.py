"""The commands that look back: history, undo and diff."""

from typing import Any

import click

from loaders.cli import output
from loaders.cli.database import connected
from loaders.cli.load import config_option, json_option, wait_option
from loaders.publishing import history
from loaders.publishing.lock import locked
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo

_DATASETS = ("buildings", "dining")
dataset_argument = click.argument("dataset", type=click.Choice(_DATASETS))


@click.command("history")
@click.argument("dataset", type=click.Choice(_DATASETS), required=False)
@config_option
@json_option
def show_history(dataset, config, as_json):
    """List the loads, oldest first: when, of which files, what they changed and what became of them."""
    with connected(config) as database:
        found = history.imports(database, [dataset] if dataset else list(_DATASETS))
    if as_json:
        output.write_json([{key: value for key, value in entry.items() if key != "_id"} for entry in found])
        return
    rows = output.table("started (UTC)", "data", "revision", "state", "files", "changes")
    for entry in found:
        rows.add_row(*_row(entry))
    output.write(rows if found else "no loads yet")


@click.command("undo")
@dataset_argument
@config_option
@wait_option
@json_option
def undo(dataset, config, wait, as_json):
    """Bring back what the last load of a data set has replaced, as a new revision."""
    with connected(config) as database, locked(database, dataset, wait) as held:
        plan, sources = plan_undo(database, dataset)
        publish(database, plan, sources, confirm=held.confirm)
    counts = {name: difference.counts for name, difference in plan.differences.items()}
    if as_json:
        said = {"dataset": dataset, "state": "published", "revision": plan.revision, "undoes": plan.undoes}
        output.write_json({**said, "collections": counts})
        return
    output.write(f"{dataset}: revision {plan.undoes} is undone, published as revision {plan.revision}", bold=True)
    output.write(output.counts_table(counts))


@click.command("diff")
@dataset_argument
@click.argument("revision", type=click.IntRange(min=1))
@config_option
@json_option
def diff(dataset, revision, config, as_json):
    """Show what the load that made REVISION has changed."""
    with connected(config) as database:
        entry, changes = history.differences(database, dataset, revision)
    if as_json:
        said = {"dataset": dataset, "revision": revision, "collections": entry["collections"]}
        output.write_json({**said, "changes": changes})
        return
    output.write(output.counts_table(entry["collections"]))
    for name, found in changes.items():
        for change in found:
            output.write(f"  {name}: {change}")


COMMANDS = (show_history, undo, diff)


def _row(entry: dict[str, Any]) -> list[str]:
    files = [f"{source['file']}\nsha256 {source['sha256']}" for source in entry["sources"]]
    state = entry["state"] + (f" (undoes {entry['undoes']})" if "undoes" in entry else "")
    revision = "" if entry["revision"] is None else str(entry["revision"])
    started = entry["started_at"].strftime("%Y-%m-%d %H:%M:%S")
    return [started, entry["dataset"], revision, state, "\n".join(files), _changes(entry["collections"])]


def _changes(collections: dict[str, dict[str, int]]) -> str:
    """Return the numbers of what changed, one line a collection."""
    lines = []
    for name, counts in collections.items():
        said = [f"{counts[key]} {key}" for key in ("added", "changed", "removed") if counts[key]]
        lines += [f"{name}: {', '.join(said)}"] if said else []
    return "\n".join(lines)
