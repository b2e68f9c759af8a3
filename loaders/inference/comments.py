"""Comments of a proposed profile, one line each."""

import textwrap
from collections.abc import Collection, Iterable, Sequence

import tomlkit
from tomlkit.items import Table

MAX_WIDTH = 118


def add_comments(container: tomlkit.TOMLDocument | Table, lines: Iterable[str]) -> None:
    """Add each line as a comment; unprintable characters, which could end it, are replaced."""
    for line in lines:
        container.add(tomlkit.comment(printable(line)))


def wrap(text: str) -> list[str]:
    """Return the lines of a long comment."""
    return textwrap.wrap(text, MAX_WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def printable(text: str) -> str:
    """Return the text with unprintable characters replaced."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def align_columns(rows: Sequence[Sequence[str]], numeric: Collection[int]) -> list[str]:
    """Return a line for each row with its columns aligned, the `numeric` ones to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "  ".join(f"{{:{'>' if column in numeric else '<'}{width}}}" for column, width in enumerate(widths))
    return [line.format(*row).rstrip() for row in rows]
