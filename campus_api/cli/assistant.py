"""The command campus-mcp: a server of the Model Context Protocol, which calls the HTTP API at a URL.

https://modelcontextprotocol.io
"""

import json
from typing import Annotated, Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import click

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
    from pydantic import Field
except ModuleNotFoundError as error:
    raise SystemExit(
        f"campus-mcp needs the extra mcp, which has the module {error.name}: pip install '.[mcp]'"
    ) from None

_TIMEOUT_SECONDS = 20
_CAUTION = (
    "Allergens and labels are as listed by the dining service; nobody has checked them, and dishes share kitchens. A"
    " dish whose `contains` is null may contain anything. Never say that a dish is free of an allergen: tell people to"
    " ask in the hall."
)
_INSTRUCTIONS = (
    "Buildings and dining menus of a campus. `search` finds the ids that the other tools take. Dates are written"
    " YYYY-MM-DD, today by default; meals are 0 breakfast, 1 lunch, 2 dinner."
)
_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)

Rows = dict[str, Any]
Date = Annotated[str | None, Field(description="YYYY-MM-DD; today by default")]
Meal = Annotated[int | None, Field(description="0 breakfast, 1 lunch, 2 dinner; all by default")]
Hall = Annotated[int | None, Field(description="the id of a hall; all by default")]


class Api(NamedTuple):
    """The HTTP API at a URL; its methods are the tools."""

    url: str

    def search(self, text: str) -> Rows:
        """Find buildings, dining halls and dishes by name or address, whatever the typos; the best match is first."""
        return self._get("/search", q=text)

    def menus(self, date: Date = None, meal: Meal = None, hall: Hall = None) -> Rows:
        """List what is served on a date: the dishes with their halls, ingredients, allergens, labels and nutrition."""
        return self._get("/dining/dishes", date=date, meal=meal, location=hall)

    def dishes_without(
        self,
        allergens: Annotated[list[str], Field(min_length=1, description="such as milk, tree nuts, gluten")],
        date: Date = None,
        meal: Meal = None,
        hall: Hall = None,
        label: Annotated[str | None, Field(description="such as vegan or halal")] = None,
    ) -> Rows:
        """List the dishes that are known not to contain any of some allergens.

        It is an error if the dining service does not state one of them: what a dish contains is unknown then.
        """
        return self._get("/dining/dishes", without=allergens, date=date, meal=meal, location=hall, label=label)

    def hours(self, date: Date = None, meal: Meal = None, hall: Hall = None) -> Rows:
        """List when meals are served; a hall without a row is closed, or its hours are unknown.

        `closes` is on the next day if it is not later than `opens`.
        """
        return self._get("/dining/hours", date=date, meal=meal, location=hall)

    def buildings(
        self,
        name: str | None = None,
        address: str | None = None,
        near: Annotated[str | None, Field(description="latitude,longitude: the nearest one first")] = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
    ) -> Rows:
        """List buildings by parts of their names and addresses, with their positions as latitude, longitude."""
        return self._get("/map/buildings", name=name, address=address, near=near, limit=limit)

    def _get(self, path: str, **parameters: Any) -> Rows:
        """Return the rows of a list, and the caution; ToolError with what people can do about it."""
        present = {name: value for name, value in parameters.items() if value is not None}
        request = Request(f"{self.url}{path}?{urlencode(present, doseq=True)}", headers={"Accept": "application/json"})  # noqa: S310
        try:
            with urlopen(request, timeout=_TIMEOUT_SECONDS) as response:  # noqa: S310
                rows, reason = json.load(response), response.headers.get("X-Campus-Empty")
        except HTTPError as error:
            raise ToolError(_detail(error)) from None
        except (URLError, TimeoutError) as error:
            raise ToolError(f"The campus data service cannot be reached: {error}.") from None
        if reason == "not-stated":
            words = ", ".join(present["without"])
            raise ToolError(
                f"The dining service does not state whether dishes contain {words}: it is unknown which dishes do."
                " Tell people to ask in the hall."
            )
        return {"caution": _CAUTION, "rows": rows, **({"empty": reason} if reason else {})}


def _detail(error: HTTPError) -> str:
    """Return what the API says about an error: what is wrong, and how long an outage may take."""
    try:
        return f"{json.load(error)['detail']}"
    except (ValueError, KeyError, TypeError):
        return f"The campus data service responded with status {error.code}."


def server(url: str) -> MCPServer:
    """Return the server of the API at a URL."""
    result = MCPServer("campus-data", instructions=_INSTRUCTIONS)
    api = Api(url.rstrip("/"))
    for tool in (api.search, api.menus, api.dishes_without, api.hours, api.buildings):
        result.tool(annotations=_READ_ONLY)(tool)
    return result


@click.command()
@click.option("--url", default="http://localhost:6543", show_default=True, help="The URL of the HTTP API.")
@click.option("--http", "port", type=click.IntRange(1, 65535), help="Serve streamable HTTP on this port, not stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that --http listens on.")
def main(url: str, port: int | None, host: str) -> None:
    """Let assistants search the campus, read its menus and hours, and find dishes without allergens."""
    if not url.startswith(("http://", "https://")):
        raise click.BadParameter("is not an http or https URL", param_hint="--url")
    if port is None:
        server(url).run()
    else:
        server(url).run("streamable-http", host=host, port=port)
