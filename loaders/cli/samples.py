"""The command samples."""

import click

from loaders.cli import output
from loaders.cli.database import campus_today, connected
from loaders.cli.options import config_option
from loaders.samples import load_samples


@click.command("samples")
@config_option
def samples(config: str) -> None:
    """Load sample data, with menus from yesterday to a week ahead.

    A data set that was loaded from another export is not replaced.
    """
    today = campus_today(config)
    with connected(config) as database:
        for dataset, revision in load_samples(database, today).items():
            state = f"published as revision {revision}" if revision else "not changed"
            output.write(f"{dataset}: {state}", bold=True)
