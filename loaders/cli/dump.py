"""The command dump."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import click
from pymongo.database import Database

from loaders.cli.database import connected
from loaders.cli.history import dataset_argument
from loaders.cli.options import config_option
from loaders.errors import UnreadableFileError
from loaders.publishing.dump import dump_buildings, dump_dining
from loaders.sources.files import STDIN

_DUMPS: dict[str, Callable[[Database], Iterator[bytes]]] = {"buildings": dump_buildings, "dining": dump_dining}


@click.command("dump", short_help="Write the live data as JSON, which can be loaded again.")
@dataset_argument
@click.argument("file", type=click.Path(path_type=Path, writable=True), default=STDIN)
@config_option
def dump(dataset: str, file: Path, config: str) -> None:
    """Write the live data as JSON, which `buildings` and `dining` can load, to FILE or standard output."""
    with connected(config) as database, _open(file) as output:
        output.writelines(_DUMPS[dataset](database))


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    """Open standard output for `-`, or a file, which replaces an existing one only when it is complete."""
    if path == STDIN:
        yield sys.stdout.buffer
        return
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise UnreadableFileError(path, f"cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink()
