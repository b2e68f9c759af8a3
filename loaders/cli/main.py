"""The command campus-load."""

import signal
from typing import Any

import click

from loaders.cli import history, load, output
from loaders.cli.terminal import echo


class _Commands(click.Group):
    """Subcommands whose expected errors are one line and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # click ends the command in silence: nobody reads its output.
            raise
        except tuple(output.ERRORS) as error:
            status, message = output.exit_status(error)
            echo(f"campus-load: {message}", err=True)
            ctx.exit(status)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="campus-api")
def main() -> None:
    """Load provider exports into the campus data service."""


for command in (*load.COMMANDS, *history.COMMANDS):
    main.add_command(command)


def run() -> None:
    """Run the command as a process, which SIGTERM interrupts like Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main()
