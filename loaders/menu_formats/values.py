"""Values of dining exports: dates, ids and names, parsed alike in every format."""

import html
import re
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache

from campus_api.domain import ids
from campus_api.domain.models import NamedEntity
from loaders.errors import InvalidValue
from loaders.text import parse_text

MONTH_FIRST, DAY_FIRST = "%m/%d/%Y", "%d/%m/%Y"
# That of FoodPro, and those of dates that can be read in one way only.
_DATE_FORMATS = (MONTH_FIRST, "%Y-%m-%d", "%d.%m.%Y")
_DIGITS_FORMATS = ("%Y%m%d",)
_DIGITS = re.compile(r"[0-9]{8}\b")
_TIME = re.compile(
    r"[T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?( ?[AP]M)?(Z|[+-][0-9]{2}:?[0-9]{2})?$", re.IGNORECASE
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
# Those around a part of a word or a sentence.
_INLINE_TAG = re.compile(r"</?(b|em|i|span|strong|u)\b[^<>]*>", re.IGNORECASE)
# Require the semicolon: a bare & may be text.
_ENTITY = re.compile(r"&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
# Some providers escape more than once.
_UNESCAPE_PASSES = 3


@lru_cache(maxsize=4096)
def parse_date(field: str, value: str | int | float | None, date_format: str = "") -> str:
    """Return a date as YYYY-MM-DD; InvalidValue if it is missing or malformed.

    Without a format it is MM/DD/YYYY, YYYY-MM-DD, YYYYMMDD or DD.MM.YYYY. A time after the date is ignored.
    """
    text = parse_text(field, value)
    if not text:
        raise InvalidValue(field, None, "is missing")
    for each in (date_format,) if date_format else _DIGITS_FORMATS if _DIGITS.match(text) else _DATE_FORMATS:
        day = match_date(text, each)
        if day:
            return day.isoformat()
    reason = f"is not a date written {describe_date_format(date_format or MONTH_FIRST)}"
    if not date_format and match_date(text, DAY_FIRST):
        reason += "; if it is DD/MM/YYYY, set date_format in the profile"
    raise InvalidValue(field, text, reason)


def parse_iso_date(field: str, value: object) -> str:
    """Return a date that is written YYYY-MM-DD; InvalidValue for any other value."""
    if isinstance(value, str):
        with suppress(ValueError):
            if date.fromisoformat(value).isoformat() == value:
                return value
    raise InvalidValue(field, value, "is not a date written YYYY-MM-DD")


def match_date(text: str, date_format: str) -> date | None:
    """Return a date in a format of strptime, None if it is in another one; a time after it is ignored."""
    for candidate in (text, _TIME.sub("", text)):
        with suppress(ValueError):
            return datetime.strptime(candidate, date_format).date()
    return None


def describe_date_format(date_format: str) -> str:
    """Return a format of strptime as it is written for people, such as MM/DD/YYYY."""
    return date_format.replace("%d", "DD").replace("%m", "MM").replace("%Y", "YYYY").replace("%y", "YY")


@lru_cache(maxsize=65536, typed=True)
def parse_id(field: str, value: str | int | float | None) -> int:
    """Return an integer id; InvalidValue if it is missing or malformed."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InvalidValue(field, None, "is missing")
    try:
        return ids.from_export(value)
    except ValueError as error:
        raise InvalidValue(field, value, str(error)) from None


def clean_text(field: str, value: str | int | float | None) -> str:
    """Return a text without HTML and with whitespace collapsed, "" if empty; InvalidValue if unprintable."""
    text = parse_text(field, value)
    for _ in range(_UNESCAPE_PASSES):
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return parse_text(field, _TAG.sub(" ", _INLINE_TAG.sub("", text)))


clean_name = lru_cache(maxsize=65536, typed=True)(clean_text)


@lru_cache(maxsize=65536)
def named_entity(id_: int, field: str, name: str) -> NamedEntity:
    """Return an id with its name, one shared object for all rows; InvalidValue if the name is empty."""
    if not name:
        raise InvalidValue(field, None, "is missing")
    return NamedEntity(id_, name)
