"""Parsing of integers in paths, query strings and exports."""

import re

_INTEGER = re.compile(r"-?[0-9]+")
# Also as spreadsheets export integers.
_EXPORTED = re.compile(r"([0-9]+)(\.0+)?")
_INT64_MIN = -(2**63)
_INT64_MAX = 2**63 - 1
# From here on, integers may be rounded to another one.
_MAX_EXACT_FLOAT = 2**53


def from_query(text: str) -> int | None:
    """Parse an integer in decimal digits; return None if it exceeds 64 bits, raise ValueError for other text."""
    if not _INTEGER.fullmatch(text):
        raise ValueError("is not an integer")
    digits = text.lstrip("-").lstrip("0") or "0"
    if len(digits) > len(str(_INT64_MAX)):
        return None
    number = -int(digits) if text.startswith("-") else int(digits)
    return number if _INT64_MIN <= number <= _INT64_MAX else None


def from_path(text: str) -> int | None:
    """Parse an id in a path segment; return None if no document can have it."""
    return from_query(text) if text.isascii() and text.isdigit() else None


def from_export(value: object) -> int:
    """Parse an id that is digits, an integer or an exact integral float, also as text; ValueError for another value."""
    text = f"{value:f}" if isinstance(value, float) and value.is_integer() else str(value).strip()
    exported = _EXPORTED.fullmatch(text)
    if exported is None:
        raise ValueError("is not an integer of zero or more")
    if exported[2] and float(text) >= _MAX_EXACT_FLOAT:
        raise ValueError("is a decimal number of 2^53 or more, which may be rounded")
    number = from_path(exported[1])
    if number is None:
        raise ValueError("is an integer of over 64 bits")
    return number
