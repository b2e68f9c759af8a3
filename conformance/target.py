"""A server and what it has: the data that checks take their examples from."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit
from zoneinfo import ZoneInfo

from conformance import expect
from conformance.answer import Answer, Failed, Skipped
from conformance.transport import Received, Unanswered

BUILDINGS, MENUS = "/map/buildings", "/dining/menus"
NAMES = ("/dining/categories", "/dining/locations", "/dining/recipes")
COLLECTIONS = (BUILDINGS, *NAMES)
LISTS = (*COLLECTIONS, MENUS)
FILTERS = ("meal", "location", "category", "recipe")

_CAMPUS = ZoneInfo("America/New_York")
# So many days before and after today are searched for menus, the nearest first.
_REACHES = (3, 30, 200)
# Who is told to ask less often does so.
_PAUSES = (1, 2, 4)

Pair = tuple[str, object]
Rows = list[dict[str, Any]]


class Campus:
    """The server at a base URL; what was found there is asked for only once."""

    def __init__(self, url: str, send: Callable[[str, str, Mapping[str, str]], Received]) -> None:
        """Take the base URL, which may have a path, and what sends method, target and headers there."""
        parts = urlsplit(url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.prefix = parts.path.rstrip("/")
        self.last: Answer | None = None
        self._send = send
        self._kept: dict[str, Answer] = {}

    def ask(self, path: str, *pairs: Pair, method: str = "GET", headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for a path below the base URL, percent-encoded as it is, with pairs of a query."""
        query = f"?{urlencode(pairs)}" if pairs else ""
        return self._ask(f"{self.prefix}{path}{query}", method, headers or {})

    def follow(self, answer: Answer, reference: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for a URL that an answer gives."""
        url = urljoin(answer.url, reference)
        if not url.startswith(f"{self.origin}{self.prefix}/"):
            raise Failed(answer, f"a URL below {self.origin}{self.prefix}/", url)
        return self._ask(url.removeprefix(self.origin), "GET", headers or {})

    def kept(self, path: str) -> Answer:
        """Return the answer to a path, asked for once."""
        if path not in self._kept:
            self._kept[path] = self.ask(path)
        return self._kept[path]

    def some(self, path: str) -> tuple[Answer, Rows]:
        """Return the answer that is a list, and its items; Skipped when it is empty."""
        answer = self.kept(path)
        items = expect.items(answer)
        if not items:
            raise Skipped(f"{path} is empty")
        return answer, items

    @cached_property
    def resources(self) -> list[str]:
        """Return a path of every kind: the lists, the menus, an item of each list that has one."""
        firsts = [(path, expect.items(self.kept(path))[:1]) for path in COLLECTIONS]
        return [*LISTS, *(f"{path}/{item['id']}" for path, items in firsts for item in items)]

    @cached_property
    def served(self) -> Rows:
        """Return all menu rows of one date, or of two, if there are menus of so many dates near today."""
        for middle, reach in [*((self.today, reach) for reach in _REACHES), *self._last]:
            near = [("date", middle + timedelta(days=days)) for days in range(-reach, reach + 1)]
            rows = expect.items(self.ask(MENUS, *near))
            dates = sorted({row["date"] for row in rows})[:2]
            if dates:
                return [row for row in rows if row["date"] in dates]
        raise Skipped(f"there are no menus within {_REACHES[-1]} days of today")

    @property
    def _last(self) -> list[tuple[date, int]]:
        """Return the last date of menus, if the index tells it, and for how many days before to look for more."""
        try:
            told = self.kept("/").json["datasets"]["dining"]["last_date"]
            return [(date.fromisoformat(told), _REACHES[0])]
        except (Failed, LookupError, TypeError, ValueError):
            # A server without an index, or with another one, which its own checks tell.
            return []

    @cached_property
    def dates(self) -> list[Pair]:
        """Return the pairs that ask for the dates of the rows that are served."""
        return [("date", day) for day in sorted({row["date"] for row in self.served})]

    @property
    def now(self) -> datetime:
        """Return the time on the campus at the last answer, by the clock of the server if it tells."""
        told = (self.last or self.ask(MENUS)).headers.get("date")
        return (parsedate_to_datetime(told) if told else datetime.now(UTC)).astimezone(_CAMPUS)

    @property
    def today(self) -> date:
        """Return the date on the campus."""
        return self.now.date()

    def _ask(self, target: str, method: str, headers: Mapping[str, str]) -> Answer:
        url = f"{self.origin}{target}"
        for pause in (*_PAUSES, None):
            try:
                self.last = Answer(method, url, headers, *self._send(method, target, headers))
            except Unanswered as error:
                nothing = Answer(method, url, headers, 0, {}, b"")
                raise Failed(nothing, "an answer", error) from None
            if self.last.status != HTTPStatus.TOO_MANY_REQUESTS or pause is None:
                break
            time.sleep(pause)
        return self.last
