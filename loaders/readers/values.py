"""Values of dining exports: dates, ids and names, parsed alike in every format."""

import html
import re
from datetime import datetime
from functools import lru_cache

from campus_api.domain import ids
from campus_api.domain.models import NamedEntity
from loaders.errors import InvalidValue
from loaders.text import parse_text

_DATE_FORMATS = ("%m/%d/%Y", "%Y-%m-%d")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
# Require the semicolon: a bare & may be text.
_ENTITY = re.compile(r"&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
# Some providers escape more than once.
_UNESCAPE_PASSES = 3


@lru_cache(maxsize=4096)
def parse_date(field: str, value: str | int | float | None) -> str:
    """Return a date as YYYY-MM-DD; InvalidValue if it is missing or malformed."""
    text = parse_text(field, value)
    for date_format in _DATE_FORMATS:
        try:
            return datetime.strptime(text, date_format).date().isoformat()
        except ValueError:
            continue
    raise InvalidValue(field, text or None, "is not a date written MM/DD/YYYY" if text else "is missing")


@lru_cache(maxsize=65536, typed=True)
def parse_id(field: str, value: str | int | float | None) -> int:
    """Return an integer id; InvalidValue if it is missing or malformed."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InvalidValue(field, None, "is missing")
    try:
        return ids.from_export(value)
    except ValueError as error:
        raise InvalidValue(field, value, str(error)) from None


@lru_cache(maxsize=65536, typed=True)
def clean_name(field: str, value: str | int | float | None) -> str:
    """Return a name without HTML and with whitespace collapsed, "" if empty; InvalidValue if unprintable."""
    text = parse_text(field, value)
    for _ in range(_UNESCAPE_PASSES):
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return parse_text(field, _TAG.sub(" ", text))


@lru_cache(maxsize=65536)
def named_entity(id_: int, field: str, name: str) -> NamedEntity:
    """Return an id with its name, one shared object for all rows; InvalidValue if the name is empty."""
    if not name:
        raise InvalidValue(field, None, "is missing")
    return NamedEntity(id_, name)
