"""Regular expressions of a profile, searched in short values only: a careless one may take exponential time."""

import re

from loaders.errors import InvalidValue
from loaders.profiles.tables import require_text

MAX_LENGTH = 256


def parse_pattern(key: str, value: object) -> re.Pattern[str]:
    """Compile the pattern of a key; ValueError if it is not a regular expression."""
    text = require_text(key, value)
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{key} {text!r} is not a regular expression: {error}") from None


def search(pattern: re.Pattern[str], field: str, text: str) -> re.Match[str] | None:
    """Search the value of a field; InvalidValue if it is longer than 256 characters."""
    if len(text) > MAX_LENGTH:
        raise InvalidValue(field, text, f"is longer than the {MAX_LENGTH} characters that a pattern is searched in")
    return pattern.search(text)
