"""The command campus-conformance: which checks, of which server, and its exit statuses."""

import json
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import click

from conformance import report
from conformance.answer import Failed
from conformance.runner import CHECKS, FAILED, run
from conformance.target import Campus
from conformance.transport import Transport

_NOT_USABLE = 2


def _base(context: click.Context, parameter: click.Parameter, url: str) -> str:
    parts = urlsplit(url)
    try:
        is_base = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_base = False
    if not is_base or parts.query or parts.fragment or "@" in parts.netloc or not url.isascii():
        raise click.BadParameter(f"{url} is not like http://host[:port] or https://host[:port]/path")
    return url.rstrip("/")


@click.command()
@click.argument("url", callback=_base)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--only", multiple=True, metavar="NAME", type=click.Choice(CHECKS), help="Run this check; repeatable.")
@click.pass_context
def main(context: click.Context, url: str, as_json: bool, only: tuple[str, ...]) -> None:
    """Check the server at URL against the specification of the campus data API.

    The checks only read, and take their examples from what the server answers. The exit status is 0 when all checks
    passed or were skipped for want of data, 1 when one has failed, and 2 when nothing answers HTTP at URL.
    """
    with closing(Transport(url)) as send:
        campus = Campus(url, send)
        try:
            campus.ask("/")
        except Failed as failure:
            click.echo(f"campus-conformance: {url} does not answer: {failure.got}", err=True)
            context.exit(_NOT_USABLE)
        results = run([CHECKS[name] for name in only] or CHECKS.values(), campus)
        found = _json(url, results) if as_json else report.printed(url, results)
    context.exit(int(report.verdict(found) == FAILED))


def _json(url: str, results: Any) -> list[Any]:
    found = list(results)
    click.echo(json.dumps(report.as_json(url, found), ensure_ascii=False))
    return found
