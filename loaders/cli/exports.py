"""The exports of a command line: files, pipes and URLs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import click

from loaders.errors import DataWarning, MissingFileError, UnreadableFileError
from loaders.profiles.files import text_setting
from loaders.readers import detect_export
from loaders.result import Origins
from loaders.sources import arcgis
from loaders.sources.download import DEFAULT_LIMITS, DownloadLimits, HttpClient
from loaders.sources.files import CHUNK_SIZE
from loaders.sources.urls import is_url, redact
from loaders.sources.workbooks import convert_sheets, is_workbook

STDIN = Path("-")

Source = Path | str
# The sources of each profile, or those without one.
Sources = Mapping[str | None, Sequence[Source]]


class SourceType(click.Path):
    """The path of a file, or an http or https URL, which stays text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the URL."""
        return value if isinstance(value, str) and is_url(value) else super().convert(value, param, ctx)


SOURCE = SourceType(path_type=Path)


@dataclass
class LocalExports:
    """Exports as files: those of URLs, pipes and sheets of workbooks are made in a temporary folder.

    `sheet` is read of each workbook instead of that of its profile, or of all.

    `files` are those of each profile, `origins` the URL or pipe of each temporary file. `missing` are the errors of the
    URLs that servers do not have, if they have others, `unread` the sheets of workbooks that are not read, with the
    name of the file.
    """

    folder: Path
    client: HttpClient
    sheet: str
    files: dict[str | None, list[Path]] = field(default_factory=dict)
    origins: dict[Path, Source] = field(default_factory=dict)
    missing: list[MissingFileError] = field(default_factory=list)
    unread: list[tuple[str, DataWarning]] = field(default_factory=list)

    def add(self, source: Source, profile: str | None) -> None:
        """Add the file of a source, or those of the sheets of a workbook, to the files of a profile."""
        try:
            path = self._local_file(source, Path(mkdtemp(dir=self.folder)))
        except MissingFileError as error:
            self.missing.append(error)
            return
        self.files.setdefault(profile, []).extend(self._tables(path, profile) if is_workbook(path) else [path])

    def _local_file(self, source: Source, folder: Path) -> Path:
        """Return a file, or the path to which a URL was downloaded or a pipe copied."""
        if isinstance(source, str):
            download = arcgis.download_layer if arcgis.is_layer(source) else HttpClient.download
            path = download(self.client, source, folder)
            self.origins[path] = redact(source)
            return path
        if source == STDIN or source.is_fifo():
            copy = _copy_pipe(source, folder)
            self.origins[copy] = source
            return copy
        return source

    def _tables(self, workbook: Path, profile: str | None) -> list[Path]:
        """Return the files of the sheets of a workbook, or of its rows if the profile has a program for them."""
        only, rows = (text_setting(profile, key) if profile else "" for key in ("sheet", "rows"))
        with named_by(self.origins):
            folder = Path(mkdtemp(dir=self.folder))
            tables, hidden = convert_sheets(workbook, folder, self.sheet or only, as_rows=bool(rows))
        self.unread.extend((workbook.name, DataWarning("sheet", name, "is hidden, and not read")) for name in hidden)
        self.origins.update(dict.fromkeys(tables, self.origins.get(workbook, workbook)))
        return tables

    @cached_property
    def detected(self) -> dict[Path, str | None]:
        """The built-in profile that fits each file without a profile, None if there is none."""
        return {path: detect_export(path, self.origins) for path in self.files.get(None, ())}


@contextmanager
def local_exports(
    sources: Sources, limits: DownloadLimits = DEFAULT_LIMITS, sheet: str | None = None
) -> Iterator[LocalExports]:
    """Download the URLs of exports, copy pipes and convert workbooks, for as long as the context lasts."""
    with TemporaryDirectory(prefix="campus-load-") as folder:
        local = LocalExports(Path(folder), HttpClient(limits), sheet or "")
        for profile, group in sources.items():
            for source in group:
                local.add(source, profile)
        if not local.files:
            raise local.missing[0]
        yield local


@contextmanager
def named_by(origins: Origins) -> Iterator[None]:
    """Name the URL or pipe in errors instead of its temporary file."""
    try:
        yield
    except UnreadableFileError as error:
        if error.path not in origins:
            raise
        raise UnreadableFileError(origins[error.path], error.reason, error.line) from None


def _copy_pipe(pipe: Path, folder: Path) -> Path:
    """Copy standard input or another pipe, which can be read only once."""
    copy = folder / ("standard input" if pipe == STDIN else pipe.name)
    with copy.open("wb") as file:
        file.writelines(_chunks(pipe))
    return copy


def _chunks(pipe: Path) -> Iterator[bytes]:
    try:
        with click.open_file(str(pipe), "rb") as file:
            while chunk := file.read(CHUNK_SIZE):
                yield chunk
    except OSError as error:
        raise UnreadableFileError(pipe, f"cannot be read: {error.strerror}") from None
    except RuntimeError:
        # Of click, which finds no stream.
        raise UnreadableFileError(pipe, "standard input is closed") from None
