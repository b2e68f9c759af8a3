"""The one definition of an integer in a path, in a query and in an export."""

import re

_INTEGER = re.compile(r"-?[0-9]+")
_DIGITS = re.compile(r"[0-9]+")
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def from_query(text: str) -> int | None:
    """Return the integer that `text` writes in decimal digits, None beyond 64 bits; ValueError for other text."""
    if not _INTEGER.fullmatch(text):
        raise ValueError("is not an integer")
    digits = text.lstrip("-").lstrip("0") or "0"
    if len(digits) > len(str(_LARGEST)):
        return None
    number = -int(digits) if text.startswith("-") else int(digits)
    return number if _SMALLEST <= number <= _LARGEST else None


def from_path(text: str) -> int | None:
    """Return the id that a path segment writes; None for what no document can have."""
    return from_query(text) if _DIGITS.fullmatch(text) else None


def from_export(value: object) -> int:
    """Return the id that a provider wrote as digits, an integer or an integral float; ValueError for all else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if isinstance(value, bool) or not isinstance(value, int | str) else str(value).strip()
    if not _DIGITS.fullmatch(text):
        raise ValueError("is not an integer of zero or more")
    number = from_path(text)
    if number is None:
        raise ValueError("is an integer of over 64 bits")
    return number
