"""Standard output of commands: one that is closed or full is an error with an exit status."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_CANNOT_WRITE = 5


class OutputError(Exception):
    """Standard output is closed or full."""


class _StandardOutput(io.FileIO):
    """Standard output that drops all after a failed write, which is an OutputError unless the reader is gone."""

    _is_broken = False

    def write(self, data: Any) -> int:
        if self._is_broken:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            self._is_broken = True
            if isinstance(error, BrokenPipeError):
                return len(data)
            raise OutputError(f"standard output cannot be written: {error.strerror}") from None


def run(command: Callable[[], Any]) -> None:
    """Run a command; a line on standard error and status 5 if standard output is closed or full."""
    sys.stdout = _open()
    try:
        try:
            command()
        except SystemExit:
            sys.stdout.flush()
            raise
    except OutputError as error:
        click.echo(f"{Path(sys.argv[0]).name}: {error}", err=True)
        sys.exit(_CANNOT_WRITE)


def _open() -> io.TextIOWrapper:
    # sys.stdout is None if it is closed; writing to a file that is open for reading fails in the same way.
    descriptor = os.open(os.devnull, os.O_RDONLY) if sys.stdout is None else sys.stdout.fileno()
    binary = io.BufferedWriter(_StandardOutput(descriptor, "w", closefd=False))
    encoding, errors = (None, None) if sys.stdout is None else (sys.stdout.encoding, sys.stdout.errors)
    return io.TextIOWrapper(binary, encoding, errors)
