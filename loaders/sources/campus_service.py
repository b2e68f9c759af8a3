"""The menus of a server of this API, downloaded date by date."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from urllib.parse import parse_qs, urlsplit

import orjson

from loaders.sources.download import Download, HttpClient, download_error, resolve_link
from loaders.sources.urls import redact

_MENUS = re.compile(r"/dining/menus/?$")
_NEXT = re.compile(r'<([^<>]*)>;\s*rel="next"')
# The response for this date, which is before all menus, links to the first one.
_FIRST_DATE = "0001-01-01"


def is_menus(url: str) -> bool:
    """Return whether a URL is that of the menus of this API, such as https://example.edu/dining/menus."""
    return bool(_MENUS.search(url.partition("?")[0]))


def download_menus(client: HttpClient, url: str, folder: Path) -> Download:
    """Download the lists and the menus of a server as one file in the form of a dump.

    Without a date in the URL, these are the menus of all dates. UnreadableFileError if the responses do not link to
    them, or link to another server, or if the data changes in the meantime.
    """
    path = folder / "menus.json"
    with path.open("wb") as file:
        for opening, name in ((b"{", "categories"), (b",\n", "locations"), (b",\n", "recipes")):
            response = client.get(_sibling(url, name))
            file.write(opening + b'"%b":' % name.encode() + response.content)
        if "date" in parse_qs(urlsplit(url).query):
            rows, _ = _get_rows(client, url)
            file.write(b',\n"menus":' + orjson.dumps(rows))
        else:
            _write_all_dates(client, url, file)
        file.write(b"}\n")
    if client.get(_sibling(url, "recipes")).headers["ETag"] != response.headers["ETag"]:
        raise download_error(url, "the data has changed during the download: run it again", is_temporary=True)
    return Download(path, {"url": redact(url)})


def _write_all_dates(client: HttpClient, url: str, file: IO[bytes]) -> None:
    """Write the menus date by date; all of them together may not fit into memory."""
    closed_days, separator = [], b""
    file.write(b',\n"menus":[')
    for date, rows in _dates(client, url):
        if rows:
            file.write(separator + b",\n".join(map(orjson.dumps, rows)))
            separator = b",\n"
        else:
            closed_days.append(date)
    if not separator:
        raise download_error(url, "the server does not link to a date with menus: add dates to the URL (?date=)")
    file.write(b'],\n"closed_days":' + orjson.dumps(closed_days))


def _dates(client: HttpClient, url: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield each loaded date with its rows, in order."""
    date = _FIRST_DATE
    _, target = _get_rows(client, f"{url}{'&' if urlsplit(url).query else '?'}date={date}")
    while target:
        before, [date] = date, parse_qs(urlsplit(target).query).get("date", [""])
        if date <= before:
            raise download_error(url, f"the date after {before} is {date or 'missing'} in a link of the server")
        rows, target = _get_rows(client, target)
        yield date, rows


def _get_rows(client: HttpClient, url: str) -> tuple[list[Any], str]:
    """Return the rows of a response, and the URL of the next date, "" for the last one."""
    response = client.get(url)
    try:
        rows = orjson.loads(response.content)
    except orjson.JSONDecodeError as error:
        raise download_error(url, f"the response is not JSON: {error}") from None
    if not isinstance(rows, list):
        raise download_error(url, "the response is not a list of menu rows")
    link = _NEXT.search(response.headers.get("Link", ""))
    return rows, resolve_link(url, link[1]) if link else ""


def _sibling(url: str, name: str) -> str:
    """Return the URL of a list; a token of the URL of the menus is part of it."""
    parts = urlsplit(url)
    query = "&".join(pair for pair in parts.query.split("&") if not pair.startswith("date="))
    return parts._replace(path=_MENUS.sub(f"/dining/{name}", parts.path), query=query).geturl()
