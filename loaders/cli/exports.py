"""The exports of a command line: files and URLs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from loaders.errors import UnreadableFileError
from loaders.readers import arcgis, campus_service
from loaders.readers.download import Download, HttpClient, is_url
from loaders.readers.files import file_name, main_file
from loaders.readers.result import ReadResult

Export = Path | str


class ExportType(click.Path):
    """The path of a file, or an http or https URL, which stays text."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the URL."""
        return value if isinstance(value, str) and is_url(value) else super().convert(value, param, ctx)


@dataclass(frozen=True)
class LocalExports:
    """The paths of exports, and the downloads among them by path."""

    paths: tuple[Path, ...]
    downloads: Mapping[Path, Download]

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Name the URL of a download in errors instead of its temporary file."""
        try:
            yield
        except UnreadableFileError as error:
            if error.path not in self.downloads:
                raise
            url = self.downloads[error.path].source["url"]
            raise UnreadableFileError(url, error.reason, error.line) from None

    def describe_sources(self, result: ReadResult, settings: str) -> None:
        """Add the URLs to the sources of a result, with the digest of the settings that they were read with."""
        sources = iter(result.sources)
        for path in self.paths:
            # The folder of a Shapefile has other sources, too.
            source = next(each for each in sources if each["file"] == file_name(main_file(path)))
            if path in self.downloads:
                source.update(self.downloads[path].source, settings=settings)


@contextmanager
def local_exports(exports: Sequence[Export], validators: Mapping[str, str] | None = None) -> Iterator[LocalExports]:
    """Download the URLs of exports for as long as the context lasts.

    `validators` are the `etag` and `last_modified` of the last load of a single URL: NotModified if they are current.
    """
    with TemporaryDirectory(prefix="campus-load-") as folder:
        downloads = {
            index: _download(export, Path(folder, str(index)), validators)
            for index, export in enumerate(exports)
            if isinstance(export, str)
        }
        paths = [downloads[index].path if index in downloads else Path(export) for index, export in enumerate(exports)]
        yield LocalExports(tuple(paths), {download.path: download for download in downloads.values()})


def _download(url: str, folder: Path, validators: Mapping[str, str] | None) -> Download:
    client = HttpClient()
    folder.mkdir()
    if arcgis.is_layer(url):
        return arcgis.download_layer(client, url, folder)
    if campus_service.is_menus(url):
        return campus_service.download_menus(client, url, folder)
    return client.download(url, folder, validators)
