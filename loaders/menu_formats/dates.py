"""Dates of dining exports."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import lru_cache

from loaders.errors import InvalidValue

MONTH_FIRST, DAY_FIRST = "%m/%d/%Y", "%d/%m/%Y"
# A date in one of these may be in another one, too: the profile decides.
AMBIGUOUS_FORMATS = (MONTH_FIRST, DAY_FIRST, "%m/%d/%y", "%d/%m/%y", "%m-%d-%Y", "%d-%m-%Y")
ALL_FORMATS = ("", *AMBIGUOUS_FORMATS)
_ISO = "%Y-%m-%d"
# That of FoodPro, and those of dates that can be read in one way only; an empty one has the name of a month.
_DATE_FORMATS = (MONTH_FIRST, _ISO, "%Y/%m/%d", "%d.%m.%Y", "%d.%m.%y", "%Y年%m月%d日", "%Y년 %m월 %d일", "")
# How names of months begin in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian.
_MONTH = re.compile(
    "(jan|ene|gen|sty|янв)|(f[eé][bv]|lut|фев)|(m[aä]r|mrz|maa|mrt|март)|(a[bpv]r|kwi|апр)|(ma[giyj]|mei|ма[йя])"
    "|(juin|jun|giu|cze|июн)|(jul|juil|lug|lip|июл)|(aug|ao[uû]|ago|sie|авг)|(sep|set|wrz|сен)"
    "|(o[ck]t|out|ott|paź|окт)|(nov|lis|ноя)|(d[eé][cz]|dic|gru|дек)"
)
_WORD_OR_NUMBER = re.compile(r"[^\W\d_]+|[0-9]+")
_FILLERS = frozenset(("de", "del", "of", "the", "le", "st", "nd", "rd", "th", "er", "º"))
_WEEKDAY = re.compile(r"^[^\W\d_]+(-feira)?\.?,? +(?=[0-9]|[^\W\d_]+\.? [0-9])| ?[(（][^\W\d_]{1,3}[)）]$")
_DIGITS = re.compile(r"[0-9]{8}\b")
_TIME = re.compile(r"[T ][0-9]{1,2}(:[0-9]{2}){1,2}(\.[0-9]+)?( ?[AP]M)?(Z|[+-][0-9]{2}:?[0-9]{2})?$", re.IGNORECASE)
# Midnight stands for the date alone.
_TIME_IN_UTC = re.compile(r"[T ](?!0?0:00(:00(\.0+)?)?[Z+-])[0-9:.]+( ?[AP]M)?(Z|[+-]00:?00)$", re.IGNORECASE)
_SERIAL = re.compile(r"(3[5-9]|[4-6][0-9]|7[0-4])[0-9]{3}(\.[0-9]+)?")
_SERIAL_ORIGIN = date(1899, 12, 30)
_MENU = r"(?<![^\W\d_])(?:menus?|menue|menüs?|menù|speise(?:plan|karte)|essensplan|menuplan)(?![^\W\d_])"


@lru_cache(maxsize=4096)
def parse_date(field: str, text: str, date_format: str = "") -> str:
    """Return a date as YYYY-MM-DD; InvalidValue if it is missing or malformed.

    It is in the format or YYYY-MM-DD, as dates of a workbook are; without a format, MM/DD/YYYY or any other that can be
    read in one way. A weekday and a local time are ignored. The serial number of a spreadsheet is a date from 1995 to
    2104.
    """
    if not text:
        raise InvalidValue(field, None, "is missing")
    usual = ("%Y%m%d",) if _DIGITS.match(text) else _DATE_FORMATS
    for each in (date_format, _ISO) if date_format else usual:
        if day := match_date(text, each):
            return day.isoformat()
    if _SERIAL.fullmatch(text):
        return (_SERIAL_ORIGIN + timedelta(days=int(float(text)))).isoformat()
    if _TIME_IN_UTC.search(text):
        raise InvalidValue(field, text, "is a time in UTC, when the campus may have another date: export dates")
    meant = [each for each in AMBIGUOUS_FORMATS if match_date(text, each)]
    if meant and not date_format:
        formats = " or ".join(f'"{each}" ({describe_date_format(each)})' for each in meant)
        raise InvalidValue(field, text, f"is no date MM/DD/YYYY: the profile needs date_format = {formats}")
    written = describe_date_format(date_format) or "with its year, such as YYYY-MM-DD or MM/DD/YYYY"
    raise InvalidValue(field, text, f"is not a date written {written}")


def is_date(text: str, date_formats: Iterable[str] = ("",)) -> bool:
    """Return whether a text is a date in one of these formats, by default in one that needs none."""
    for each in date_formats:
        with suppress(InvalidValue):
            return bool(parse_date("date", text, each))
    return False


def parse_iso_date(field: str, value: object) -> str:
    """Return a date that is written YYYY-MM-DD; InvalidValue for any other value."""
    if isinstance(value, str):
        with suppress(ValueError):
            if date.fromisoformat(value).isoformat() == value:
                return value
    raise InvalidValue(field, value, "is not a date written YYYY-MM-DD")


def match_date(text: str, date_format: str) -> date | None:
    """Return a date in a format of strptime, None if it is in another one; a weekday and a local time are ignored."""
    without_time = text if _TIME_IN_UTC.search(text) else _TIME.sub("", text)
    for candidate in (text, without_time, _WEEKDAY.sub("", without_time)):
        with suppress(ValueError):
            if not date_format:
                return _named_date(candidate.casefold())
            return datetime.strptime(candidate, date_format).date()
    return None


def _named_date(text: str) -> date:
    """Return a date with the name of a month, and nothing else; ValueError if it is none."""
    words = [word for word in _WORD_OR_NUMBER.findall(text) if word not in _FILLERS]
    day, year = (int(word) for word in words if word.isdigit())
    [name] = (word for word in words if not word.isdigit())
    month = _MONTH.match(name)
    return date(year if year > 99 else 2000 + year, (month and month.lastindex) or 0, day)


def describe_date_format(date_format: str) -> str:
    """Return a format of strptime as it is written for people, such as MM/DD/YYYY."""
    names = {"%d": "DD", "%m": "MM", "%Y": "YYYY", "%y": "YY", "%a": "Mon"}
    return re.sub("%.", lambda match: names.get(match[0], match[0]), date_format)


@lru_cache
def without_week(name: str, day: str) -> str:
    """Return a name without the week or the month of a day next to "menu", or "w50" at its end; W20 is a building."""
    first = date.fromisoformat(day)
    week = first.isocalendar().week
    number = rf"w?0?({week}|{week + 1}|{first.month})(?![0-9])"
    pattern = rf"(?P<menu>{_MENU})[\W_]*{number}(?![^\W_])|(?<![^\W_]){number}[\W_]*(?={_MENU})|[\W_]+w0?{week}$"
    return re.sub(pattern, r"\g<menu>", name, flags=re.IGNORECASE)
