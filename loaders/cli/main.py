"""The command campus-load: its subcommands and its exit statuses."""

import signal
from typing import Any, NoReturn

import click

from campus_api.database import DatabaseUnavailable
from campus_api.settings import SettingError
from loaders.cli import history, load
from loaders.errors import UnreadableFileError
from loaders.profiles import ProfileError
from loaders.publishing.history import UnknownRevision
from loaders.publishing.lock import Locked
from loaders.publishing.publish import Overtaken
from loaders.publishing.undo import NothingToUndo

_RUN_AGAIN = 1
_BAD_INPUT = 2
_NO_DATABASE = 4
_INTERRUPTED = 130


class _Commands(click.Group):
    """Commands whose errors that a person can mend are one line and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand; a signal to end leaves nothing half done, and no lock."""
        before = signal.signal(signal.SIGTERM, _end)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            self._stop(ctx, _INTERRUPTED, "interrupted, nothing is half done: run the load again")
        except (ProfileError, UnreadableFileError, SettingError, NothingToUndo, UnknownRevision) as error:
            self._stop(ctx, _BAD_INPUT, str(error))
        except DatabaseUnavailable as error:
            self._stop(ctx, _NO_DATABASE, f"the database is not available: {error}")
        except (Locked, Overtaken) as error:
            self._stop(ctx, _RUN_AGAIN, f"{error}: run the load again")
        finally:
            signal.signal(signal.SIGTERM, before)

    def _stop(self, ctx: click.Context, status: int, message: str) -> None:
        click.echo(f"campus-load: {message}", err=True)
        ctx.exit(status)


def _end(*_: object) -> NoReturn:
    raise KeyboardInterrupt


@click.group(cls=_Commands)
def main() -> None:
    """Load provider exports into the campus data service."""


for command in (*load.COMMANDS, *history.COMMANDS):
    main.add_command(command)
