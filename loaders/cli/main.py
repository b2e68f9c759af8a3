"""The command campus-load: subcommands and exit statuses."""

import signal
from typing import Any

import click

from campus_api.db.errors import DatabaseUnavailable
from loaders.cli import history, load, output
from loaders.cli.terminal import echo
from loaders.errors import UnavailableFileError
from loaders.publishing.assigned_ids import AssignedIdsConflict
from loaders.publishing.publish import ConcurrentLoadError

_RUN_AGAIN = 1
_BAD_INPUT = 2
_UNAVAILABLE = 4
_INTERRUPTED = 130


class _Commands(click.Group):
    """Subcommands whose expected errors are one line and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UnavailableFileError as error:
            self._stop(ctx, _UNAVAILABLE, str(error))
        except output.INVALID_INPUT as error:
            self._stop(ctx, _BAD_INPUT, str(error))
        except DatabaseUnavailable as error:
            self._stop(ctx, _UNAVAILABLE, f"the database is not available: {error}")
        except BrokenPipeError:
            # click ends the command in silence: nobody reads its output.
            raise
        except OSError as error:
            name = error.filename or "standard output or a temporary file"
            self._stop(ctx, _UNAVAILABLE, f"{name} cannot be read or written: {error.strerror}")
        except (ConcurrentLoadError, AssignedIdsConflict) as error:
            self._stop(ctx, _RUN_AGAIN, f"{error}: run it again")
        except KeyboardInterrupt:
            self._stop(ctx, _INTERRUPTED, "interrupted: run the load again")

    def _stop(self, ctx: click.Context, status: int, message: str) -> None:
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
