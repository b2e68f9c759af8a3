"""The XML of OpenMensa feeds, of all versions.

https://docs.openmensa.org/feed/v2/
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from loaders.errors import InvalidValue
from loaders.menu_formats.dates import parse_date
from loaders.syntax.xml_stream import InvalidXml, XmlRecordReader

DATE_FORMAT = "%Y-%m-%d"
# As opening_hours has them.
WEEKDAYS = {
    "monday": "Mo",
    "tuesday": "Tu",
    "wednesday": "We",
    "thursday": "Th",
    "friday": "Fr",
    "saturday": "Sa",
    "sunday": "Su",
}
# The root element of version 1 with a DTD has no namespace.
_ROOTS = (
    "http://openmensa.org/open-mensa-v2 openmensa",
    "http://openmensa.org/open-mensa-v1 cafeteria",
    "cafeteria",
)
# https://www.w3.org/TR/xmlschema-2/#boolean
_TRUE = ("true", "1")
# Versions 1 and 2.0 of the format have no name of the canteen.
_UNNAMED = "canteen"
# The elements that are read, by the element that they are in.
_CHILDREN: Mapping[str, Collection[str]] = {
    "openmensa": {"canteen"},
    "canteen": {"name", "day", "times"},
    "cafeteria": {"day"},
    "day": {"category", "closed"},
    "category": {"meal"},
    "meal": {"name", "note"},
    "times": WEEKDAYS,
}


class Dish(NamedTuple):
    """A dish of a feed, as written."""

    date: str | None
    canteen: str
    category: str | None
    name: str
    notes: tuple[str, ...]


class Feed(XmlRecordReader[Dish]):
    """The dishes, closed days and times of a feed."""

    def __init__(self) -> None:
        super().__init__()
        self.closed_days: list[str] = []
        # When the canteen is open, as written, by weekday.
        self.times: dict[str, str] = {}
        self.unread: Counter[str] = Counter()
        self._unread_depth = 0
        self._path: list[str] = []
        self._date: str | None = None
        self._category: str | None = None
        self._canteen, self._name = _UNNAMED, ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if not self._path and name not in _ROOTS:
            raise InvalidXml("is not an OpenMensa feed")
        if self._path and (self._unread_depth or tag not in _CHILDREN.get(self._path[-1], ())):
            if not self._unread_depth:
                self.unread[tag] += 1
            self._unread_depth += 1
            return
        self._path.append(tag)
        match tag:
            case "day":
                self._date = attributes.get("date")
            case "closed":
                self._add_closed_day()
            case "category":
                self._category = attributes.get("name")
            case "meal":
                self._name, self._notes, self._location = "", [], self.location
            case "note":
                self._notes.append("")
            case _ if tag in WEEKDAYS and attributes.get("closed", "").strip() not in _TRUE:
                self.times[tag] = attributes.get("open", "")

    def _add_closed_day(self) -> None:
        try:
            self.closed_days.append(parse_date("day", self._date, DATE_FORMAT))
        except InvalidValue as error:
            raise InvalidXml(f"has a closed day whose date {error.reason}") from None

    def add_text(self, text: str) -> None:
        if self._unread_depth:
            return
        if self._path[-2:] == ["meal", "name"]:
            self._name += text
        elif self._path[-2:] == ["meal", "note"]:
            self._notes[-1] += text
        elif self._path[-2:] == ["canteen", "name"]:
            self._canteen = text if self._canteen == _UNNAMED else self._canteen + text

    def end(self, _: str) -> None:
        if self._unread_depth:
            self._unread_depth -= 1
        elif self._path.pop() == "meal":
            dish = Dish(self._date, self._canteen, self._category, self._name, tuple(self._notes))
            self.records.append((self._location, dish))
