"""Assistants that call the tools of campus-mcp, over standard input and output, and over HTTP."""

from importlib.metadata import version

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from campus_api.cli.assistant import server
from tests.documents import ROOT
from tests.factories import NOON, building, facts, serving
from tests.processes.commands import BIN, PRODUCTION, reserve_port, wait_for_process
from tests.publishing import publish_buildings, publish_dining

MOMENT = "It is Friday, 2026-11-20, 12:00 on the campus (America/New_York)."
NAME = "campus.example.edu"


def call(target, tool, /, **arguments):
    """Return the instructions and the schemas of a server, behind a proxy if it is a URL, and the result of a tool."""

    async def run():
        http = httpx2.AsyncClient(headers={"Host": NAME, "Origin": "https://chat.example"})
        transport = streamable_http_client(target, http_client=http) if isinstance(target, str) else target
        async with http, Client(transport) as client:
            result = await client.call_tool(tool, arguments)
            [content] = result.content
            assert result.structured_content is None
            assert client.server_info.version == version("campus-api")
            schemas = [each.input_schema for each in (await client.list_tools()).tools]
            return client.instructions, schemas, result.is_error, content.text

    return anyio.run(run)


@pytest.fixture
def tool(samples):
    return lambda tool, /, **arguments: call(server(samples.url), tool, **arguments)[2:]


def test_tools_return_short_texts_with_names_and_the_time_of_the_campus(tool):
    for name, arguments, text in (
        ("opening_hours", {}, "OPEN NOW\nLunch:\n- Cabot and Pforzheimer House, until 14:00\n"),
        (
            "opening_hours",
            {"date": "tomorrow", "hall": "anneN"},
            "- Annenberg Hall, until 13:30\nHOURS OF 2026-11-21\nBreakfast:\n- Annenberg Hall, 07:30-10:30",
        ),
        (
            "what_to_eat",
            {"meal": "LUNCH", "hall": "quin"},
            "Lunch:\n- Greek Salad: Quincy House; vegetarian; allergens milk",
        ),
        ("what_to_eat", {"meal": "brunch"}, "DISHES OF 2026-11-20\nLunch:"),
        ("what_to_eat", {"label": "vegan", "near": "science center"}, "- House Falafel: Annenberg Hall, 128 m; vegan;"),
        ("next_served", {"dish": "tacoss"}, "- Soft Beef Tacos: now, until 2:00 PM: Adams House"),
        ("where_is", {"place": "anneberg"}, "- Annenberg Hall: 45 Quincy Street [42.375999, -71.1149716]"),
        ("what_changed", {"since": "2020-01-01"}, "- added recipe Bacon"),
    ):
        is_error, result = tool(name, **arguments)

        assert (is_error, result.partition("\n")[0], text in result) == (False, MOMENT, True), (name, result)


def test_the_sentence_about_allergens_of_the_documents_is_in_what_filters_have_shaped(tool):
    document = " ".join((ROOT / "docs/clients.md").read_text(encoding="utf-8").split())

    for arguments in ({"without": ["milk"]}, {"without": ["celery"]}, {"label": "vegan"}):
        caution = " ".join(tool("what_to_eat", **arguments)[1].splitlines()[1:3])
        assert caution.endswith("Ask in the hall."), arguments
        assert f"**What is not.** {caution}" in document, arguments


def test_what_is_empty_or_not_understood_says_why(tool):
    for arguments, is_error, text in (
        ({"without": ["milk", "celery"]}, False, "not stated"),
        ({"date": "2020-01-01"}, False, "not loaded"),
        ({"hall": "Hogwarts"}, False, "no hall, building or meal of this name"),
        ({"without": ["penuts"]}, True, "without=penuts is not one of the allergens"),
        ({"date": "next week"}, True, "date=next week is not a date written YYYY-MM-DD"),
    ):
        result = tool("what_to_eat", **arguments)

        assert (result[0], text in result[1]) == (is_error, True), (arguments, result)
    assert tool("opening_hours", meal="elevenses")[1].count("It is closed, not stated, or") == 2


def test_optional_parameters_are_not_null(samples):
    _, schemas, *_ = call(server(samples.url), "opening_hours")

    assert [each.get("required", []) for each in schemas] == [[], [], ["dish"], ["place"], []]
    assert "anyOf" not in f"{schemas}"


def test_a_large_day_is_cut_and_says_how_much_is_left(shared_database, serve_shared):
    rows = [serving(number, f"Dish {number}", location=number // 120, meal=number % 3) for number in range(2400)]
    publish_dining(shared_database, rows, facts={0: facts(contains=None)})
    service = serve_shared(CAMPUS_CLOCK_FROZEN_AT=NOON)

    text = call(server(service.url), "what_to_eat")[3]

    assert len(text) < 16_000
    assert "- Dish 0: Hall 0; vegan; XYZ; allergens unknown" in text
    assert text.endswith(f"... {2400 - text.count('- Dish'):,} more: name a hall or a meal")
    assert "more" not in call(server(service.url), "what_to_eat", hall="hall 19", meal="dinner")[3]


def test_places_are_found_below_the_path_of_another_site(serve, tmp_path, mongod_uri, mongod_database):
    publish_buildings(mongod_database, [building(1, name=None)])
    settings = PRODUCTION.read_text(encoding="utf-8").replace("threads = 4", "url_prefix = /campus")
    (tmp_path / "below.ini").write_text(settings)
    service = serve(tmp_path / "below.ini", CAMPUS_MONGO_URI=mongod_uri)

    assert "- -: Harvard Yard [42.3742, -71.117]" in call(server(f"{service.url}/campus"), "where_is", place="yard")[3]


def test_an_outage_is_an_error_in_words():
    assert "The campus data service cannot be reached" in call(server("http://127.0.0.1:1"), "opening_hours")[3]


def test_the_command_serves_standard_input_and_output_and_http_behind_a_name(samples, spawn):
    stdio = StdioServerParameters(command=str(BIN / "campus-mcp"), args=["--url", samples.url])
    assert MOMENT in call(stdio, "next_served", dish="lasagna")[0]

    port = reserve_port()
    url = f"http://127.0.0.1:{port}/mcp"
    process = spawn("campus-mcp", "--url", samples.url, "--http", port, "--allow-host", NAME)

    instructions, _, is_error, text = wait_for_process(process, lambda: _call_or_none(url))
    assert (MOMENT in instructions, is_error, MOMENT in text) == (True, False, True)
    preflight = {"Origin": "https://chat.example", "Access-Control-Request-Method": "POST"}
    assert httpx2.options(url, headers=preflight).headers["Access-Control-Allow-Origin"] == "*"
    assert httpx2.post(url, json={}, headers={"Host": "evil.example"}).status_code == 421


def _call_or_none(target):
    try:
        return call(target, "next_served", dish="lasagna")
    except (MCPError, ExceptionGroup):
        # It is not listening yet.
        return None
