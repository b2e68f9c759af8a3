"""The campus-conformance command."""

import json
from contextlib import closing
from urllib.parse import urlsplit

import click

from conformance import report
from conformance.expect import CheckFailed
from conformance.runner import CHECKS, run
from conformance.target import Target
from conformance.transport import Transport

_EXIT_FAILED = 1
_EXIT_UNUSABLE = 2


def _base_url(context: click.Context, parameter: click.Parameter, url: str) -> str:
    parts = urlsplit(url)
    try:
        is_base = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_base = False
    if not is_base or parts.query or parts.fragment or "@" in parts.netloc or not url.isascii():
        raise click.BadParameter(f"{url} is not like http://host[:port] or https://host[:port]/path")
    return url.rstrip("/")


@click.command()
@click.argument("url", callback=_base_url)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--only", multiple=True, metavar="NAME", type=click.Choice(CHECKS), help="Run this check; repeatable.")
@click.pass_context
def main(context: click.Context, url: str, as_json: bool, only: tuple[str, ...]) -> None:
    """Check the server at URL against the specification of the campus data API.

    The checks are read-only and use the data of the server as examples. The exit status is 0 if every check passed or
    was skipped for lack of data, 1 if a check failed, and 2 if there is no HTTP server at URL.
    """
    with closing(Transport(url)) as transport:
        target = Target(url, transport)
        try:
            target.request("/")
        except CheckFailed as failure:
            click.echo(f"campus-conformance: no HTTP response from {url}: {failure.actual}", err=True)
            context.exit(_EXIT_UNUSABLE)
        pending = run([CHECKS[name] for name in only] or CHECKS.values(), target)
        if as_json:
            results = list(pending)
            click.echo(json.dumps(report.as_json(url, results), ensure_ascii=False))
        else:
            results = report.print_results(url, pending)
    if report.has_failures(results):
        context.exit(_EXIT_FAILED)
