"""The server under test, and the sample data that checks take from it."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

from conformance import expect
from conformance.expect import CheckFailed, CheckSkipped, Response
from conformance.transport import NoResponse, RawResponse

BUILDINGS = "/map/buildings"
MENUS = "/dining/menus"
NAMED_ENTITIES = ("/dining/categories", "/dining/locations", "/dining/recipes")
LISTS = (BUILDINGS, *NAMED_ENTITIES, MENUS)
FILTERS = ("meal", "location", "category", "recipe")

_TIME_ZONE = ZoneInfo("America/New_York")
# Menus are searched from today outwards, a few days per request.
_SEARCH_DAYS = 200
_DAYS_PER_REQUEST = 7
_SAMPLE_DATES = 2
# Back off on 429.
_RETRY_DELAYS = (1, 2, 4)

Parameter = tuple[str, object]
Row = dict[str, Any]


class Target:
    """The server at a base URL, which may have a path; `send` takes a request target and headers."""

    def __init__(self, url: str, send: Callable[[str, Mapping[str, str]], RawResponse]) -> None:
        parts = urlsplit(url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.prefix = parts.path.rstrip("/")
        self.last_response: Response | None = None
        self._send = send
        self._cache: dict[str, Response] = {}

    def request(self, path: str, *parameters: Parameter, headers: Mapping[str, str] | None = None) -> Response:
        """GET a path below the base URL, with query parameters."""
        query = f"?{urlencode(parameters)}" if parameters else ""
        target = f"{self.prefix}{path}{query}"
        response = self._send_once(target, headers or {})
        for delay in _RETRY_DELAYS:
            if response.status != HTTPStatus.TOO_MANY_REQUESTS:
                break
            time.sleep(delay)
            response = self._send_once(target, headers or {})
        self.last_response = response
        return response

    def cached_get(self, path: str) -> Response:
        """Return the response for a path, requested only once."""
        if path not in self._cache:
            self._cache[path] = self.request(path)
        return self._cache[path]

    def non_empty_list(self, path: str) -> tuple[Response, list[Row]]:
        """Return the cached response for a list and its items; CheckSkipped if it is empty."""
        response = self.cached_get(path)
        items = expect.items(response)
        if not items:
            raise CheckSkipped(f"{path} is empty")
        return response, items

    def unknown_item(self, path: str) -> Response:
        """Return the response for an ID that is not in a list."""
        known = {item["id"] for item in expect.items(self.cached_get(path))}
        unknown = next(number for number in range(1, len(known) + 2) if number not in known)
        return self.request(f"{path}/{unknown}")

    @property
    def sample_rows(self) -> list[Row]:
        """Return all menu rows of one or two dates near today; CheckSkipped if there are no menus."""
        expect.require(self._sample_rows, f"there are no menus within {_SEARCH_DAYS} days of today")
        return self._sample_rows

    @cached_property
    def _sample_rows(self) -> list[Row]:
        days = sorted(range(-_SEARCH_DAYS, _SEARCH_DAYS + 1), key=abs)
        rows: list[Row] = []
        dates: list[str] = []
        while days and len(dates) < _SAMPLE_DATES:
            nearby = [("date", self.today + timedelta(days=day)) for day in days[:_DAYS_PER_REQUEST]]
            del days[:_DAYS_PER_REQUEST]
            rows += expect.items(self.request(MENUS, *nearby))
            dates = sorted({row["date"] for row in rows})[:_SAMPLE_DATES]
        return [row for row in rows if row["date"] in dates]

    @cached_property
    def sample_dates(self) -> list[tuple[str, str]]:
        """Return the dates of the sample rows as query parameters."""
        return [("date", day) for day in sorted({row["date"] for row in self.sample_rows})]

    @property
    def today(self) -> date:
        """Return the date on campus, from the Date header of the last response if it has one."""
        header = (self.last_response or self.request(MENUS)).headers.get("date")
        now = parsedate_to_datetime(header) if header else datetime.now(UTC)
        return now.astimezone(_TIME_ZONE).date()

    def _send_once(self, target: str, headers: Mapping[str, str]) -> Response:
        url = f"{self.origin}{target}"
        try:
            return Response(url, headers, *self._send(target, headers))
        except NoResponse as error:
            raise CheckFailed(Response(url, headers, 0, {}, b""), "a response", error) from None
