"""The exports of a command line: files, pipes and URLs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from loaders.errors import DataWarning, MissingFileError, UnreadableFileError
from loaders.profiles.files import text_setting
from loaders.readers import detect_export
from loaders.result import ReadResult
from loaders.sources import arcgis
from loaders.sources.download import DEFAULT_LIMITS, Download, DownloadLimits, HttpClient
from loaders.sources.files import CHUNK_SIZE, file_name, main_file
from loaders.sources.urls import is_url
from loaders.sources.workbooks import convert_sheets, is_workbook

STDIN = Path("-")

Export = Path | str
# The exports, or the local files, of each profile, or those without one.
Exports = Mapping[str | None, Sequence[Export]]
Files = Mapping[str | None, Sequence[Path]]
# The URL or pipe of each temporary file.
Origins = Mapping[Path, Export]


class ExportType(click.Path):
    """The path of a file, or an http or https URL, which stays text."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the URL."""
        return value if isinstance(value, str) and is_url(value) else super().convert(value, param, ctx)


@dataclass(frozen=True)
class LocalExports:
    """The files of exports, the downloads among them by path, and the URL or pipe of each temporary file.

    `missing` are the errors of the URLs that servers do not have, if they have others, `unread` the sheets of
    workbooks that are not read, with the name of the file.
    """

    files: Files
    downloads: Mapping[Path, Download]
    origins: Origins
    missing: Sequence[MissingFileError] = ()
    unread: list[tuple[str, DataWarning]] = field(default_factory=list)

    @cached_property
    def detected(self) -> dict[Path, str | None]:
        """The built-in profile that fits each file without a profile, None if there is none."""
        return {path: detect_export(path, self.origins) for path in self.files.get(None, ())}

    def describe_sources(self, result: ReadResult, files: Iterable[Path], settings: str) -> None:
        """Add the URLs to the sources of a result, of files in this order, with the digest of the settings."""
        sources = iter(result.sources)
        for path in files:
            # The folder of a Shapefile has other sources, too.
            source = next(each for each in sources if each["file"] == file_name(main_file(path)))
            if path in self.downloads:
                source.update(self.downloads[path].source, settings=settings)


@contextmanager
def local_exports(
    exports: Exports,
    validators: Mapping[str, str] | None = None,
    limits: DownloadLimits = DEFAULT_LIMITS,
    sheet: str | None = None,
) -> Iterator[LocalExports]:
    """Download the URLs of exports, copy pipes and convert workbooks, for as long as the context lasts.

    The limits are for all downloads together. Of a workbook, this sheet is converted, or that of the profile, or else
    all. `validators` are the `etag` and `last_modified` of the last load of a single
    URL: NotModified if they are current.
    """
    with TemporaryDirectory(prefix="campus-load-") as folder:
        client = HttpClient(limits)
        downloads: dict[Path, Download] = {}
        origins: dict[Path, Export] = {}
        missing: list[MissingFileError] = []
        unread: list[tuple[str, DataWarning]] = []

        def local_paths(export: Export, profile: str | None) -> list[Path]:
            subfolder = Path(folder, str(len(origins) + len(missing)))
            if isinstance(export, str):
                download = _download(client, export, subfolder, validators)
                downloads[download.path] = download
                path = download.path
                origins[path] = download.source["url"]
            elif export == STDIN or export.is_fifo():
                path = _copy_pipe(export, subfolder)
                origins[path] = export
            else:
                path = export
            if not is_workbook(path):
                return [path]
            with named_by(origins):
                only, rows = (text_setting(profile, key) if profile else "" for key in ("sheet", "rows"))
                tables, hidden = convert_sheets(path, subfolder, sheet or only, as_rows=bool(rows))
            unread.extend((path.name, DataWarning("sheet", name, "is hidden, and not read")) for name in hidden)
            origins.update(dict.fromkeys(tables, origins.get(path, path)))
            if path in downloads:
                downloads.update(dict.fromkeys(tables, downloads[path]))
            return tables

        files: dict[str | None, list[Path]] = {}
        for profile, group in exports.items():
            for export in group:
                try:
                    files.setdefault(profile, []).extend(local_paths(export, profile))
                except MissingFileError as error:
                    missing.append(error)
        files = {profile: paths for profile, paths in files.items() if paths}
        if not files:
            raise missing[0]
        yield LocalExports(files, downloads, origins, missing, unread)


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
    folder.mkdir()
    copy = folder / ("standard input" if pipe == STDIN else pipe.name)
    with copy.open("wb") as file:
        file.writelines(_chunks(pipe))
    return copy


def _chunks(pipe: Path) -> Iterator[bytes]:
    """Yield the bytes of a pipe; UnreadableFileError if it cannot be read."""
    try:
        with click.open_file(str(pipe), "rb") as source:
            while chunk := source.read(CHUNK_SIZE):
                yield chunk
    except OSError as error:
        raise UnreadableFileError(pipe, f"cannot be read: {error.strerror}") from None
    except RuntimeError:
        # Of click, which finds no stream.
        raise UnreadableFileError(pipe, "standard input is closed") from None


def _download(client: HttpClient, url: str, folder: Path, validators: Mapping[str, str] | None) -> Download:
    folder.mkdir()
    if arcgis.is_layer(url):
        return arcgis.download_layer(client, url, folder)
    return client.download(url, folder, validators)
