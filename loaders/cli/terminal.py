"""Text on a terminal, without control characters of files and servers."""

import re

import click

# C0 and C1 controls, line and paragraph separators, controls of the direction of text (UAX #9), lone surrogates.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def escape(text: str) -> str:
    r"""Replace control characters by escape sequences, such as \u001b, as in JSON and TOML."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def escape_lines(text: str) -> str:
    """Escape a text of several lines."""
    return "\n".join(map(escape, text.split("\n")))


def echo(text: str, *, err: bool = False) -> None:
    """Print one line on standard output or standard error, escaped."""
    click.echo(escape(text), err=err)
