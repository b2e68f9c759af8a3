"""Texts as TOML has them: strings, comments and aligned columns."""

import json
from collections.abc import Collection, Sequence

_HALVES = range(0xD800, 0xE000)


def quoted(text: str) -> str:
    """Return a text as a TOML string; one that cannot be written (see `is_writable`) is no TOML."""
    # The escapes of JSON are those of TOML, which has another for what nobody sees.
    written = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else f"\\U{ord(char):08X}" for char in written)


def is_writable(text: str) -> bool:
    """Tell whether a text can stand in TOML: JSON exports may have halves of characters, TOML has none."""
    return not any(ord(char) in _HALVES for char in text)


def comment(text: str = "") -> str:
    """Return a text as a comment of one line, whatever is in it."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f"# {shown}".rstrip()


def aligned(rows: Sequence[Sequence[str]], numbers: Collection[int] = ()) -> list[str]:
    """Return a line for each row, with its columns under each other; those in `numbers` stand on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if position in numbers else cell.ljust(width)
            for position, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
