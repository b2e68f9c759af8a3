"""Exports at URLs, from standard input and from pipes."""

import json
import os
import re
from contextlib import ExitStack

import pytest

from loaders.cli.exports import local_exports
from loaders.sources.download import DownloadLimits
from tests.factories import feature, huds_line
from tests.loaders.errors import error_of

LAYER = "/arcgis/rest/services/Campus/MapServer/0"
BUILDINGS = json.dumps({"type": "FeatureCollection", "features": [feature(1)]})


@pytest.fixture
def pipe():
    """Write text to a pipe and return the path of its read end."""
    ends = []

    def pipe(text):
        to_read, to_write = os.pipe()
        ends.append(to_read)
        os.write(to_write, text.encode())
        os.close(to_write)
        return f"/dev/fd/{to_read}"

    yield pipe
    for end in ends:
        os.close(end)


def test_a_url_is_in_the_history_without_credentials(campus_load, web):
    public, url = web.add("/map.geojson", BUILDINGS), web.url("/map.geojson?token=abc", credentials="user:pass@")

    for revision in ("published as revision 1", "unchanged, revision 1 stays"):
        assert campus_load("buildings", url).stdout.startswith(f"buildings: {revision}"), revision

    entries = json.loads(campus_load("history", "--json").stdout)
    assert [entry["state"] for entry in entries] == ["published", "unchanged"]
    assert {(each["file"], each["url"]) for entry in entries for each in entry["sources"]} == {("map.geojson", public)}
    assert not re.search("abc|user|pass", json.dumps(entries))
    assert public in "".join(campus_load("history").stdout.split())


def test_a_url_that_cannot_be_read_exits_with_4_if_it_may_be_later(campus_load, database, web):
    for status, body, exit_code, state, message in [
        (404, b"", 2, "invalid", "cannot be downloaded: HTTP 404 "),
        (503, b"", 4, "failed", "cannot be downloaded: HTTP 503 "),
        (200, b"<html>Please log in</html>", 2, "invalid", "is HTML, "),
    ]:
        web.responses["/a.csv"] = lambda request, status=status, body=body: (status, {}, body)
        url = web.url("/a.csv?token=abc", credentials="user:pass@")

        for command in ("buildings", "dining", "check"):
            result = campus_load(command, url, "--json")
            report = json.loads(result.stdout)
            [problem] = report["problems"]
            assert (result.exit_code, report["state"], problem["file"]) == (exit_code, state, "a.csv"), command
            assert result.stderr.startswith(f"campus-load: {web.url('/a.csv')}: {message}"), command
    entries = list(database.loads.find())
    states = [(entry["dataset"], entry["state"]) for entry in entries]
    assert states == [("buildings", "invalid"), ("dining", "invalid")] * 2
    assert entries[0]["reasons"] == [f"{web.url('/a.csv')}: cannot be downloaded: HTTP 404 Not Found"]


def test_a_layer_of_an_arcgis_server_is_read_and_its_error_is_temporary_if_its_code_is(campus_load, web):
    web.add(LAYER, "{}")
    message = "Error performing query operation"
    for response, status in [
        ({"count": 1, "features": [{"attributes": {"ID": 1}, "geometry": {"x": -71.1, "y": 42.4}}]}, 0),
        *(({"error": {"code": code, "message": message}}, 4) for code in (500, 504)),
        *(({"error": {"code": code, "message": message}}, 2) for code in (400, 498, "?")),
    ]:
        web.add(f"{LAYER}/query", json.dumps(response))

        result = campus_load("check", web.url(LAYER), "--wkid", "4326")

        assert (result.exit_code, message in result.stderr) == (status, status != 0), response


def test_the_limits_are_for_all_urls_of_a_load(web):
    urls = [web.add("/a.csv", "123456"), web.add("/b.csv", "123456")]

    error = error_of(ExitStack().enter_context, local_exports({None: urls}, limits=DownloadLimits(max_bytes=10)))

    assert str(error).endswith("/b.csv: cannot be downloaded: the downloads of the load are larger than 10 bytes")


def test_the_format_of_standard_input_and_of_a_pipe_is_detected(campus_load, pipe):
    for dataset, content in [("buildings", BUILDINGS), ("dining", huds_line())]:
        for source, options in [("-", {"input": content}), (pipe(content), {})]:
            result = campus_load("check", source, **options)
            assert result.stdout.startswith(f"{dataset}: dry run, "), (content, source)
    path = pipe("x")
    message = f"campus-load: {path}: is not in a known format: it begins with 'x'\n"
    assert campus_load("dining", path).stderr == message


WEEK = """{"days": [{"date": "2026-11-23", "menu_items": [{"food": {"id": 7, "name": "Soup"}}]}]}"""


def test_urls_without_a_menu_among_others_are_warnings(campus_load, database, web):
    menu = "/menu/api/weeks/school/%s/menu-type/dinner/2026/11/23/"
    north = web.add(menu % "north", WEEK)
    closed = web.add(menu % "south", '{"days": []}')
    missing = web.url(menu % "west")

    result = campus_load("dining", missing, closed, north)

    assert result.exit_code == 0, result.output
    assert [hall["name"] for hall in database.locations_1.find()] == ["north"]
    assert [menu["items"][0]["meal"] for menu in database.menus_1.find()] == [2]
    for url, reason in ((missing, "cannot be downloaded: HTTP 404 Not Found"), (closed, "has no records")):
        assert f"{url} {reason}" in result.output, url
    other = web.add("/halls.json", '{"halls": [{"menu": {"monday": "Soup"}}]}')
    refused = campus_load("dining", other, north)
    assert (refused.exit_code, f"{other}: is not in a known format" in refused.stderr) == (2, True)


def test_urls_of_which_none_has_a_menu_or_a_missing_one_of_buildings_are_an_error(campus_load, web):
    closed = web.add("/school/south/menu-type/dinner/", '{"days": []}')
    missing = web.url("/a")

    for urls in ([closed, missing], [missing, web.url("/b")], [closed, closed]):
        assert campus_load("dining", *urls, "--profile", "nutrislice").exit_code == 2, urls
    assert campus_load("buildings", web.add("/map.geojson", BUILDINGS), missing).exit_code == 2
