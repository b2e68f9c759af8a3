"""The command campus-mcp: a server of the HTTP API for assistants (https://modelcontextprotocol.io)."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from importlib.metadata import version
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import click

from campus_api.domain.geography import distance
from campus_api.domain.hours import spans
from campus_api.domain.models import HoursRow
from campus_api.domain.search.words import stems
from campus_api.domain.text import fold

try:
    import httpx2
    import uvicorn
    from anyio.to_thread import run_sync
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp.types import ToolAnnotations
    from starlette.middleware.cors import CORSMiddleware
except ModuleNotFoundError as error:
    raise SystemExit(f"campus-mcp needs the extra mcp, which has {error.name}: pip install '.[mcp]'") from None

_MAX_BYTES = 14_000
_MAX_METRES = 1000
_CLOSED = "closed, not stated, or no hall, building or meal of this name"
_INSTRUCTIONS = "Buildings and dining menus of a campus. Never say that a dish is free of an allergen. "
_CAUTION = """All of this is what the provider wrote; nobody has checked it, recipes change, and dishes share kitchens.
Ask in the hall."""
_PATHS = {"building": "/map/buildings", "location": "/dining/locations"}
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}

Words = tuple[str, ...]


class Api(NamedTuple):
    """The HTTP API at a URL; the public methods are the tools."""

    url: str

    def opening_hours(self, date: str = "today", meal: str = "", hall: str = "") -> str:
        """Tell which halls are open now, and when they serve meals on a date: YYYY-MM-DD, today or tomorrow."""
        now = self._now()
        day = _day(now, date)
        halls = self._halls(hall)
        current, hours = [], []
        # Those of yesterday may last over midnight.
        dates = [_day(now, each) for each in ("yesterday", "today", date)]
        for row in self._get("/dining/hours", date=dates):
            name = halls.get(row["location"])
            if name is not None and _is_open(row, now):
                current.append((row["meal_name"], f"{name}, until {row['closes']}"))
            if name is not None and row["date"] == day:
                hours.append((row["meal_name"], f"{name}, {row['opens']}-{row['closes']}"))
        return _text(now, ["OPEN NOW", *_by_meal(current, meal), f"HOURS OF {day}", *_by_meal(hours, meal)])

    def what_to_eat(
        self, date: str = "today", meal: str = "", hall: str = "", label: str = "", without: Words = (), near: str = ""
    ) -> str:
        """List dishes: `label` such as vegan, known to be `without` allergens, in halls within 1 km of a building."""
        now = self._now()
        day = _day(now, date)
        halls = self._halls(hall, near)
        dishes = []
        response = self._request("/dining/dishes.csv", date=day, label=label, without=without)
        for row in csv.DictReader(response.iter_lines()):
            served = [halls[id_] for id_ in map(int, row["locations"].split("; ")) if id_ in halls]
            if served:
                allergens = row["contains"] or "none listed"
                details = filter(None, [*served, row["label_names"], f"allergens {allergens}"])
                dishes.append((row["meal_name"], f"{row['recipe_name']}: {'; '.join(details)}"))
        reason = response.headers.get("X-Campus-Empty", _CLOSED).replace("-", " ")
        by_meal = _by_meal(dishes, meal, f"None are known to match: {reason}.")
        return _text(now, [_CAUTION, f"DISHES OF {day}", *by_meal])

    def next_served(self, dish: str) -> str:
        """Find when and where a dish is served next; the best match is first."""
        rows = self._get("/search", q=dish, type="dish")
        lines = [f"- {row['name']}: {row['detail']}" for row in rows]
        return _text(self._now(), lines or [f"No dish is called {dish}."])

    def where_is(self, place: str) -> str:
        """Find buildings and halls: address, and latitude, longitude; the best match is first."""
        places = self._places(place, *_PATHS)
        lines = [f"- {name}: {address} {point}" for name, address, point in places]
        return _text(self._now(), lines or [f"No building or hall is called {place}."])

    def what_changed(self, since: str = "") -> str:
        """List what the last loads changed since the beginning of a date (YYYY-MM-DD or today), newest first."""
        now = self._now()
        start = since and f"{_day(now, since)}T00:00:00{now.isoformat()[-6:]}"
        rows = self._get("/changes", since=start, limit=1000)
        lines = [f"- {row['kind']} {row['type']} {row['name'] or ''} {row['date'] or ''}" for row in rows]
        return _text(now, lines or ["Nothing has changed."], "name a later date")

    async def _date_instructions(self, ctx: Any, call_next: Any) -> Any:
        result = await call_next(ctx)
        with suppress(ToolError):
            if isinstance(result, dict) and result.get("instructions"):
                result["instructions"] += _text(await run_sync(self._now), [])
        return result

    def _now(self) -> datetime:
        index = self._get("/")
        return datetime.fromisoformat(index["now"]).astimezone(ZoneInfo(index["time_zone"]))

    def _halls(self, text: str, near: str = "") -> dict[int, str]:
        """Return the names of the halls that have a text in them, by id; near a building, with their distances."""
        rows = [row for row in self._get("/dining/locations") if fold(text) in fold(row["name"])]
        if not near:
            return {row["id"]: row["name"] for row in rows}
        halls = {}
        for _, _, start in islice(self._places(near, "building"), 1):
            for row in filter(itemgetter("point"), rows):
                metres = distance(start, row["point"])
                if metres <= _MAX_METRES:
                    halls[row["id"]] = f"{row['name']}, {metres:.0f} m"
        return halls

    def _places(self, text: str, *types: str) -> Iterator[tuple[str, str, Any]]:
        """Yield names, addresses and points of the buildings or halls that a text names, the best match first."""
        for row in self._get("/search", q=text, type=types)[:5]:
            item = self._get(f"{_PATHS[row['type']]}/{row['id']}")
            point = item.get("geometry", item)["point"]
            yield row["name"] or "-", item["address"] or "", point

    def _get(self, path: str, **query: Any) -> Any:
        return self._request(path, **query).json()

    def _request(self, path: str, **query: Any) -> httpx2.Response:
        params = {name: value for name, value in query.items() if value}
        try:
            response = httpx2.get(self.url + path, params=params, timeout=20)
        except httpx2.HTTPError as error:
            raise ToolError(f"The campus data service cannot be reached: {error}.") from None
        if response.is_error:
            raise ToolError(response.text)
        return response


def _day(now: datetime, text: str) -> str:
    return f"{now + timedelta(days=_DAYS[text]):%Y-%m-%d}" if text in _DAYS else text


def _is_open(row: dict[str, Any], now: datetime) -> bool:
    [[(opens, closes)]] = spans([HoursRow(**row)]).values()
    return opens <= f"{now:%Y-%m-%dT%H:%M}" < closes


def _by_meal(lines: Iterable[tuple[str, str]], meal: str, empty: str = f"It is {_CLOSED}.") -> list[str]:
    """Return lines, sorted by meal, under the names of the meals or of one, or why there are none."""
    result = []
    for name, group in groupby(lines, itemgetter(0)):
        if not meal or stems(meal) == stems(name):
            result.append(f"{name.capitalize()}:")
            result += [f"- {line}" for _, line in group]
    return result or [empty]


def _text(now: datetime, lines: Sequence[str], advice: str = "name a hall or a meal") -> str:
    """Return the date, the time and the zone of the campus, and as many lines as clients accept."""
    moment = f"It is {now:%A, %Y-%m-%d, %H:%M} on the campus ({now.tzinfo})."
    text = "\n".join([moment, *lines])
    encoded = text.encode()
    if len(encoded) <= _MAX_BYTES:
        return text
    shown = encoded[:_MAX_BYTES].decode(errors="ignore").rpartition("\n")[0]
    more = text.count("\n- ", len(shown))
    return f"{shown}\n... {more:,} more: {advice}"


def server(url: str) -> MCPServer:
    """Return the server of the API at a URL."""
    api = Api(url.rstrip("/"))
    result = MCPServer("campus-data", instructions=_INSTRUCTIONS, version=version("campus-api"), log_level="WARNING")
    result.middleware.append(api._date_instructions)
    for tool in (api.opening_hours, api.what_to_eat, api.next_served, api.where_is, api.what_changed):
        result.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True), structured_output=False)
    return result


@click.command()
@click.option("--url", default="http://localhost:6543", show_default=True, help="The URL of the HTTP API.")
@click.option("--http", "port", type=click.IntRange(1, 65535), help="Serve streamable HTTP on this port, not stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that --http listens on.")
@click.option("--allow-host", "names", multiple=True, help="The name of this server behind a proxy.")
def main(url: str, port: int | None, host: str, names: Words) -> None:
    """Let assistants tell what is open, what there is to eat, where buildings are, and what has changed."""
    if port is None:
        server(url).run()
        return
    hosts = ["localhost", "127.0.0.1", "[::1]", host, *names]
    hosts += [f"{name}:*" for name in hosts]
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=["http:*", "https:*", "null"])
    app = server(url).streamable_http_app(stateless_http=True, json_response=True, transport_security=security)
    uvicorn.run(CORSMiddleware(app, ["*"], ["*"], ["*"]), host=host, port=port)
