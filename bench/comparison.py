"""Servers started side by side, seen to answer alike, and asked by turns."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from math import ceil
from urllib.error import URLError
from urllib.request import urlopen

import click

from bench import wrk
from bench.processes import Unavailable
from bench.requests import Question, how_many
from bench.servers import COMMANDS, EVE, WAITRESS, Place, started
from bench.thresholds import CONNECTIONS, Figures

# What answers slowly gets time for so many answers on each connection, in at most so many times the usual seconds.
_ANSWERS, _LONGER = 4, 5
# It works for half a minute on 64 lists of all recipes.
_MOST_FOR_EVE = 16


def start(
    stack: ExitStack, place: Place, questions: Sequence[Question], only: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the URLs of the servers that answer, and why others could not be started.

    Ours on waitress is always among the started: everybody must answer what it answers.
    """
    urls, missing = {}, {}
    for name in COMMANDS:
        if only and name not in (*only, WAITRESS):
            continue
        click.echo(f"starting {name}", err=True)
        try:
            urls[name] = stack.enter_context(started(name, place))
        except Unavailable as error:
            missing[name] = str(error)
            continue
        if name == WAITRESS:
            place.upstream = urls[name].removeprefix("http://")
            _write_bodies(place, urls[name], questions)
        check(name, urls[name], place, questions)
    return {name: url for name, url in urls.items() if not only or name in only}, missing


def measure(urls: Mapping[str, str], questions: Sequence[Question], rounds: int, seconds: int) -> Figures:
    """Return the figures of every server for every question and number of connections, round by round."""
    figures: defaultdict[tuple[str, str, int], list[wrk.Figure]] = defaultdict(list)
    turns = _turns(list(urls))
    for number in range(1, rounds + 1):
        for question in questions:
            click.echo(f"round {number} of {rounds}: {question.name}", err=True)
            for connections in CONNECTIONS:
                for name in next(turns):
                    if name == EVE and connections > _MOST_FOR_EVE:
                        continue
                    alone = figures[name, question.name, 1][-1:] if connections > 1 else []
                    time = _long_enough(seconds, connections, alone)
                    figure = wrk.measure(urls[name] + question.of(name), connections, time)
                    figures[name, question.name, connections].append(figure)
                    # Servers go on with what nobody waits for any more: this answer comes after it.
                    _answer(name, urls[name] + question.of(name))
    return figures


def _turns(names: list[str]) -> Iterator[list[str]]:
    """Yield the names again and again, each time with the next one first."""
    for turn in count():
        first = turn % max(len(names), 1)
        yield names[first:] + names[:first]


def _long_enough(seconds: int, connections: int, alone: Sequence[wrk.Figure]) -> int:
    """Return for how long to ask: wrk does not count the answers that are on their way when it stops."""
    if not alone:
        return seconds
    wanted = ceil(_ANSWERS * connections / alone[0].rate) if alone[0].rate else _LONGER * seconds
    return min(max(seconds, wanted), _LONGER * seconds)


def _write_bodies(place: Place, url: str, questions: Sequence[Question]) -> None:
    for question in questions:
        body = _answer(WAITRESS, url + question.path)
        if how_many(body) == 0:
            raise click.ClickException(f"{question.path} finds nothing: a measurement of it would mean little")
        (place.bodies / place.names[question.path]).write_bytes(body)


def check(name: str, url: str, place: Place, questions: Sequence[Question]) -> None:
    """Fail when a server answers anything else than ours; Eve, with a form of its own, another number of things."""
    for question in questions:
        ours = (place.bodies / place.names[question.path]).read_bytes()
        other = _answer(name, url + question.of(name))
        alike = how_many(other) == how_many(ours) if name == EVE else other == ours
        if not alike:
            raise click.ClickException(f"{name} answers {question.name} otherwise than {WAITRESS}")


def _answer(name: str, url: str) -> bytes:
    try:
        with urlopen(url, timeout=60) as answer:
            return answer.read()
    except URLError as error:
        raise click.ClickException(f"{name}: {url}: {error}") from error
