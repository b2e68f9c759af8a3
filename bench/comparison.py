"""Start the servers, check that their responses are equal, and measure them in turn."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from math import ceil
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import click

from bench import wrk
from bench.processes import ServerUnavailable
from bench.requests import Request, count_items
from bench.servers import COMMANDS, EVE, WAITRESS, Environment, run_server
from bench.thresholds import CONNECTIONS, Figures

# Slow servers are measured for longer: until each connection has had this many responses ...
_MIN_RESPONSES = 4
# ... but for no more than this many times the usual duration.
_MAX_EXTENSION = 5
# With 64 connections, Eve would take half a minute for a single list of recipes on each.
_MAX_EVE_CONNECTIONS = 16


def start(
    stack: ExitStack, environment: Environment, requests: Sequence[Request], only: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Start the servers; return the URLs of those that run, and the reasons why others do not.

    WAITRESS is always started, because the responses of the others are compared with it.
    """
    urls: dict[str, str] = {}
    unavailable: dict[str, str] = {}
    for name in COMMANDS:
        if only and name not in (*only, WAITRESS):
            continue
        click.echo(f"starting {name}", err=True)
        try:
            urls[name] = stack.enter_context(run_server(name, environment))
        except ServerUnavailable as error:
            unavailable[name] = str(error)
            continue
        if name == WAITRESS:
            environment.upstream = urls[name].removeprefix("http://")
            _write_bodies(environment, urls[name], requests)
        check(name, urls[name], environment, requests)
    return {name: url for name, url in urls.items() if not only or name in only}, unavailable


def measure(urls: Mapping[str, str], requests: Sequence[Request], rounds: int, seconds: int) -> Figures:
    """Return the figures of every server, request and number of connections."""
    figures: defaultdict[tuple[str, str, int], list[wrk.Figure]] = defaultdict(list)
    orders = _rotations(list(urls))
    for number in range(1, rounds + 1):
        for request in requests:
            click.echo(f"round {number} of {rounds}: {request.name}", err=True)
            for connections in CONNECTIONS:
                for name in next(orders):
                    path = request.path_for(name)
                    if path is None or (name == EVE and connections > _MAX_EVE_CONNECTIONS):
                        continue
                    url = urls[name] + path
                    single = figures[name, request.name, 1][-1:] if connections > 1 else []
                    figure = wrk.measure(url, connections, _duration(seconds, connections, single))
                    figures[name, request.name, connections].append(figure)
                    # Wait until the server has finished the requests that wrk has abandoned.
                    _get(name, url)
    return figures


def _rotations(names: list[str]) -> Iterator[list[str]]:
    """Yield the rotations of the names endlessly."""
    for number in count():
        first = number % max(len(names), 1)
        yield names[first:] + names[:first]


def _duration(seconds: int, connections: int, single: Sequence[wrk.Figure]) -> int:
    """Return the seconds to measure, from the figure of a single connection.

    wrk does not count responses in flight when it stops, which would distort the figures of slow servers.
    """
    if not single:
        return seconds
    longest = _MAX_EXTENSION * seconds
    if not single[0].rate:
        return longest
    return min(max(seconds, ceil(_MIN_RESPONSES * connections / single[0].rate)), longest)


def _write_bodies(environment: Environment, url: str, requests: Sequence[Request]) -> None:
    for request in requests:
        body = _get(WAITRESS, url + request.path)
        if count_items(body) == 0:
            raise click.ClickException(f"{request.path} has no results, so measuring it would be pointless")
        _body_file(environment, request).write_bytes(body)


def _body_file(environment: Environment, request: Request) -> Path:
    return environment.bodies / environment.file_names[request.path]


def check(name: str, url: str, environment: Environment, requests: Sequence[Request]) -> None:
    """Fail unless a server returns the bytes of WAITRESS or, for Eve with its own format, as many items."""
    for request in requests:
        path = request.path_for(name)
        if path is None:
            continue
        expected = _body_file(environment, request).read_bytes()
        actual = _get(name, url + path)
        is_same = count_items(actual) == count_items(expected) if name == EVE else actual == expected
        if not is_same:
            raise click.ClickException(f"{name} and {WAITRESS} respond differently to {request.name}")


def _get(name: str, url: str) -> bytes:
    try:
        with urlopen(url, timeout=60) as response:
            return response.read()
    except URLError as error:
        raise click.ClickException(f"{name}: {url}: {error}") from error
