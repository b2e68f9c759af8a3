"""Text values of exports, and text for people."""

import math
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from campus_api.domain.text import normalize
from loaders.code_pages import code_page
from loaders.errors import NOT_SCALAR, InvalidValue

# The name of the sheet, and the heading above a row, as columns of a table.
SHEET_COLUMN, HEADING_COLUMN = "$sheet", "$heading"
# The first rows of a table, one of which is its header.
HEAD_ROWS = 20
# Of errors, warnings and changes in reports.
MAX_LINES = 20
# Of a text in one of these.
MAX_SHOWN = 60
# Far longer than any name, and far below the size limit of a document.
_MAX_LENGTH = 10_000
# What databases, GIS and other programs write for an empty value, and Excel for an error, in lower case.
_NULLS = frozenset(
    ("", "null", "<null>", "(null)", r"\n", "nan", "none", "n/a", "<na>")
    + ("#n/a", "#name?", "#ref!", "#value!", "#div/0!", "#null!", "#num!")
)
_MAX_NULL_LENGTH = max(map(len, _NULLS))
_INVALID_CATEGORIES = {"Cc": "a control character", "Cs": "a lone surrogate"}
# Words of Latin alphabets have fewer letters with accents in a row.
_FOREIGN_LETTERS = re.compile(r"[^\x00-\x7f]{4}")
# Two letters of ISO 639, but for those that are names of other members: id, no.
_LANGUAGE = re.compile(
    "(ar|be|bg|bn|ca|cs|cy|da|de|el|en|es|et|eu|fa|fi|fr|ga|gl|he|hi|hr|hu|hy|is|it|ja|ka|kk|ko|lt|lv|mk|ms|mt|nb|nl|nn"
    "|pl|pt|ro|ru|sk|sl|sq|sr|sv|ta|th|tr|uk|ur|vi|zh)([-_].*)?"
)
# Line and page breaks count as spaces, as in `str.split`.
_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85]")


def header_position(rows: Sequence[Sequence[str]]) -> int:
    """Return the position of the header in the first rows of a table; titles above it fill at most half its width."""
    filled = [sum(1 for cell in row if cell.strip()) for row in rows]
    widest = max(filled, default=0)
    return next((position for position, number in enumerate(filled) if 2 * number > widest), 0)


def is_blank(value: object) -> bool:
    """Return whether a value is absent: None, blank text, a word for it or an error of Excel."""
    if not isinstance(value, str):
        return value is None
    text = value.strip()
    # Nan is a bread.
    return len(text) <= _MAX_NULL_LENGTH and text.casefold() in _NULLS and text != "Nan"


def in_one_language(value: Any) -> Any:
    """Return the English or else the first text of {"en": "Library", "fr": "Bibliothèque"}, other values unchanged."""
    if isinstance(value, dict) and value and all(map(_LANGUAGE.fullmatch, value)):
        return value.get("en") or next((text for text in value.values() if not is_blank(text)), None)
    return value


def parse_text(field: str, value: object) -> str:
    """Return the text with whitespace collapsed, "" if empty; InvalidValue for anything unprintable."""
    return " ".join(parse_raw_text(field, value).split())


def parse_raw_text(field: str, value: object) -> str:
    """Return the stripped text with its inner spaces unchanged, "" if empty; InvalidValue as in `parse_text`."""
    if value is None:
        return ""
    if isinstance(value, str) and len(value) > _MAX_LENGTH:
        raise InvalidValue(field, value, f"is longer than {_MAX_LENGTH} characters")
    if type(value) is str and value.isprintable():
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidValue(field, value, NOT_SCALAR)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidValue(field, value, "is a number that is too large")
        value = int(value) if value.is_integer() else value
    text = _BREAKS.sub(" ", str(value)).strip()
    require_printable(field, value, text)
    return text


@lru_cache(maxsize=4096)
def explain_mojibake(text: str) -> str:
    """Return what a text looks like whose encoding was another one, such as "CafÃ©", "" if it is right."""
    if text.isascii():
        return ""
    with suppress(UnicodeError):
        # As it was before it was read as cp1252 or ISO 8859-1.
        content = b"".join(each.encode("cp1252" if each > "\xff" else "latin_1") for each in text)
        page = code_page(content, utf_8="utf-8") if _FOREIGN_LETTERS.search(text) else "utf-8"
        if page:
            return f"looks like {content.decode(page)[:MAX_SHOWN]!r} in {page}"
    return ""


def normalized_name(name: str) -> str:
    """Return the name casefolded, composed and without spaces: equal for near duplicates."""
    return normalize("NFC", "".join(name.split()).casefold())


def pluralize(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def shorten(lines: Sequence[str], noun: str, plural: str | None = None, length: int = MAX_LINES) -> list[str]:
    """Return the first lines, and one with the number of the others."""
    if len(lines) <= length:
        return [*lines]
    more = pluralize(len(lines) - length, f"more {noun}", plural and f"more {plural}")
    return [*lines[:length], f"and {more}"]


def require_printable(field: str, value: object, text: str) -> None:
    """Raise InvalidValue if a text has a control character or a lone surrogate."""
    categories = {} if text.isprintable() else dict.fromkeys(map(unicodedata.category, text))
    if reason := next((_INVALID_CATEGORIES[each] for each in categories if each in _INVALID_CATEGORIES), None):
        wrong = explain_mojibake(text)
        raise InvalidValue(field, value, f"has {reason} and {wrong}" if wrong else f"has {reason}")
