"""Assistants that call the tools of campus-mcp, over standard input and output, and over HTTP."""

import json

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from campus_api.cli.assistant import server
from tests.factories import TODAY
from tests.processes.commands import BIN, reserve_port, wait_for_process
from tests.processes.servers import get_json


def call(target, tool, /, **arguments):
    """Return whether a tool failed, and its content: an object, or the text of an error."""

    async def run():
        async with Client(target) as client:
            result = await client.call_tool(tool, arguments)
            [content] = result.content
            return result.is_error, content.text if result.is_error else json.loads(content.text)

    return anyio.run(run)


@pytest.fixture
def tool(samples):
    return lambda tool, /, **arguments: call(server(samples.url), tool, **arguments)


def test_tools_return_the_rows_of_the_api_with_a_caution(samples, tool):
    dishes = f"/dining/dishes?date={TODAY}"

    for name, arguments, path in (
        ("search", {"text": "annenberg"}, "/search?q=annenberg"),
        ("menus", {"date": TODAY, "meal": 1, "hall": 30}, f"{dishes}&meal=1&location=30"),
        ("dishes_without", {"allergens": ["milk", "Eggs"], "date": TODAY}, f"{dishes}&without=milk&without=eggs"),
        ("hours", {"date": TODAY}, f"/dining/hours?date={TODAY}"),
        ("buildings", {"name": "library", "limit": 2}, "/map/buildings?name=library&limit=2"),
    ):
        is_error, result = tool(name, **arguments)

        assert (is_error, result["rows"]) == (False, get_json(samples, path)), name
        assert result["rows"], name
        assert "Never say that a dish is free of an allergen" in result["caution"], name


def test_what_is_not_stated_or_not_understood_is_an_error_in_words(tool):
    for name, arguments, text in (
        ("dishes_without", {"allergens": ["milk", "celery"]}, "does not state whether dishes contain milk, celery"),
        ("dishes_without", {"allergens": ["penuts"]}, "without=penuts is not one of the allergens"),
        ("dishes_without", {"allergens": []}, "allergens"),
        ("menus", {"date": "tomorrow"}, "date=tomorrow is not a date written YYYY-MM-DD"),
    ):
        is_error, result = tool(name, **arguments)

        assert is_error, arguments
        assert text in result, arguments
    assert tool("menus", date="2020-01-01")[1]["empty"] == "not-loaded"


def test_an_outage_is_an_error_in_words():
    is_error, text = call(server("http://127.0.0.1:1"), "hours")

    assert is_error
    assert "The campus data service cannot be reached" in text


def test_the_command_serves_standard_input_and_output_and_http(samples, spawn):
    stdio = StdioServerParameters(command=str(BIN / "campus-mcp"), args=["--url", samples.url])
    assert _search(stdio)[0]["type"] == "dish"

    port = reserve_port()
    process = spawn("campus-mcp", "--url", samples.url, "--http", port)

    rows = wait_for_process(process, lambda: _search(f"http://127.0.0.1:{port}/mcp"))
    assert rows[0]["type"] == "dish"


def _search(target):
    try:
        return call(target, "search", text="lasagna")[1]["rows"]
    except (MCPError, ExceptionGroup):
        # It is not listening yet.
        return None
