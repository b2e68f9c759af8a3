"""Dates of dining exports."""

import re
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache

from loaders.errors import InvalidValue
from loaders.text import parse_text

MONTH_FIRST, DAY_FIRST = "%m/%d/%Y", "%d/%m/%Y"
# That of FoodPro, and those of dates that can be read in one way only.
_DATE_FORMATS = (MONTH_FIRST, "%Y-%m-%d", "%d.%m.%Y")
_DIGITS_FORMATS = ("%Y%m%d",)
# Those of tables.
_TABLE_FORMATS = (
    *(MONTH_FIRST, DAY_FIRST, "%m/%d/%y", "%d/%m/%y", "%d.%m.%y", "%Y/%m/%d", "%m-%d-%Y", "%d-%m-%Y"),
    *("%B %d, %Y", "%d %B %Y", "%A, %B %d, %Y", "%b %d, %Y", "%d %b %Y", "%d-%b-%Y", "%a %m/%d/%Y"),
)
_DIGITS = re.compile(r"[0-9]{8}\b")
_TIME = re.compile(
    r"[T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?( ?[AP]M)?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?$", re.IGNORECASE
)
_MIDNIGHT = re.compile(r"[T ]0?0:00(:00(\.0+)?)?(Z|[+-])", re.IGNORECASE)
_UTC = ("Z", "z", "+00:00", "+0000", "-00:00", "-0000")


@lru_cache(maxsize=4096)
def parse_date(field: str, value: str | int | float | None, date_format: str = "") -> str:
    """Return a date as YYYY-MM-DD; InvalidValue if it is missing or malformed.

    Without a format it is MM/DD/YYYY, YYYY-MM-DD, YYYYMMDD or DD.MM.YYYY. A local time after the date is ignored.
    """
    text = parse_text(field, value)
    if not text:
        raise InvalidValue(field, None, "is missing")
    for each in (date_format,) if date_format else _DIGITS_FORMATS if _DIGITS.match(text) else _DATE_FORMATS:
        day = match_date(text, each)
        if day:
            return day.isoformat()
    if _is_utc_time(text):
        raise InvalidValue(field, text, "is a time in UTC, when the campus may have another date: export dates")
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
    """Return a date in a format of strptime, None if it is in another one; a local time after it is ignored."""
    for candidate in (text, text if _is_utc_time(text) else _TIME.sub("", text)):
        with suppress(ValueError):
            return datetime.strptime(candidate, date_format).date()
    return None


def _is_utc_time(text: str) -> bool:
    """Return whether a text ends with a time in UTC other than midnight, which stands for the date alone."""
    time = _TIME.search(text)
    return bool(time and time["zone"] in _UTC and not _MIDNIGHT.match(time[0]))


def describe_date_format(date_format: str) -> str:
    """Return a format of strptime as it is written for people, such as MM/DD/YYYY."""
    return date_format.replace("%d", "DD").replace("%m", "MM").replace("%Y", "YYYY").replace("%y", "YY")


class DateFormats:
    """The formats in which all dates of a table can be read."""

    def __init__(self) -> None:
        self._formats = list(_TABLE_FORMATS)
        self._dates: set[str] = set()
        self._are_usual = True

    def add(self, text: str) -> None:
        """Leave out the formats in which a date cannot be read."""
        if text not in self._dates:
            self._dates.add(text)
            self._formats = [each for each in self._formats if match_date(text, each)]
            self._are_usual = self._are_usual and _is_usual(text)

    @property
    def needed(self) -> str:
        """Return a format of all dates, "" if they can be read without one, or if there is none."""
        return "" if self._are_usual or not self._formats else self._formats[0]

    @property
    def proposed(self) -> str:
        """Return the format that is needed, or one of several."""
        return self._formats[0] if self._other_formats() else self.needed

    @property
    def doubts(self) -> list[str]:
        """Return in which other formats the dates can be read."""
        others = map(describe_date_format, self._other_formats())
        return [f"All dates, such as {min(self._dates)}, may be {each}, too: check date_format." for each in others]

    def _other_formats(self) -> list[str]:
        days = {each: [match_date(text, each) for text in self._dates] for each in self._formats}
        return [each for each in self._formats if days[each] != days[self._formats[0]]]


def _is_usual(text: str) -> bool:
    try:
        parse_date("date", text)
    except InvalidValue:
        return False
    return True
