"""Exports at URLs, from standard input and from pipes."""

import json
import os

import pytest

from loaders.cli.exports import STDIN, local_exports
from loaders.sources.download import DownloadLimits
from tests.factories import feature, foodpro_row, huds_line
from tests.loaders.errors import error_of
from tests.loaders.live import live_buildings

ETAG = '"1"'
LAYER = "/arcgis/rest/services/Campus/MapServer/0"
BUILDINGS = json.dumps({"type": "FeatureCollection", "features": [feature(1)]})
MENUS = json.dumps([foodpro_row()])


@pytest.fixture
def add_features(web):
    """Serve a FeatureCollection with an ETag and return its URL."""

    def add_features(*ids, etag=ETAG):
        features = [feature(id_, name=f"Hall {id_}") for id_ in ids]
        return web.add("/map.geojson", json.dumps({"type": "FeatureCollection", "features": features}), ETag=etag)

    return add_features


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


def state(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["state"]


def test_urls_and_files_are_one_load_with_the_urls_of_downloads(campus_load, database, add_features, save):
    content = json.dumps({"type": "FeatureCollection", "features": [feature(2)]})
    path, url = save(content, "map.geojson"), add_features(1)

    result = campus_load("buildings", path, url, "--json")

    assert [source.get("url") for source in json.loads(result.stdout)["sources"]] == [None, url]
    assert [document["_id"] for document in live_buildings(database)] == [1, 2]


def test_buildings_are_loaded_from_the_layer_of_an_arcgis_server(campus_load, database, web):
    geometry = {"x": -71.1, "y": 42.4}
    features = [{"attributes": {"NAME": f"Hall {id_}", "ID": id_}, "geometry": geometry} for id_ in (1, 2)]
    web.add(LAYER, json.dumps({"name": "Buildings"}))

    def respond(request):
        value = {"count": 2} if "returnCountOnly" in request.query else {"features": features}
        return 200, {}, json.dumps(value).encode()

    web.responses[f"{LAYER}/query"] = respond

    result = campus_load("buildings", web.url(LAYER), "--wkid", "4326")

    assert (result.exit_code, result.stderr) == (0, "")
    assert [document["name"] for document in live_buildings(database)] == ["Hall 1", "Hall 2"]


def test_the_history_has_the_url_without_credentials_and_the_etag(campus_load, web, add_features):
    url = add_features(1)
    campus_load("buildings", web.url("/map.geojson?token=abc", credentials="user:pass@"))

    [entry] = json.loads(campus_load("history", "--json").stdout)

    [source] = entry["sources"]
    assert (source["file"], source["url"], source["etag"]) == ("map.geojson", url, ETAG)
    assert not {"abc", "user", "pass"} & set(json.dumps(entry).replace("@", '"').split('"'))
    # The table folds it.
    assert url in "".join(campus_load("history").stdout.split())


def test_an_unchanged_url_is_not_read_again_and_is_in_the_history(campus_load, web, add_features):
    url = add_features(1, 2)
    for _ in range(2):
        campus_load("buildings", url)

    result = campus_load("buildings", url)

    assert web.statuses == [200, 304, 304]
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "buildings: unchanged, revision 1 stays",
        "collection  added  changed  removed  unchanged",
        "buildings       0        0        0          2",
    ]
    entries = json.loads(campus_load("history", "--json").stdout)
    assert [entry["state"] for entry in entries] == ["published", "unchanged", "unchanged"]
    assert len({json.dumps(entry["sources"]) for entry in entries}) == 1


def test_an_unchanged_url_is_read_again_with_other_options_or_another_profile(campus_load, save, add_features):
    url = add_features(1)
    profile = save('format = "geojson"\n[fields]\nname = "name"\n', "custom.toml")
    campus_load("buildings", url)

    assert state(campus_load("buildings", url, "--city", "Boston", "--json")) == "published"
    assert state(campus_load("buildings", url, "--profile", profile, "--json")) == "published"
    save('format = "geojson"\n[fields]\nname = "name"\n[defaults]\ncity = "Salem"\n', "custom.toml")
    assert state(campus_load("buildings", url, "--profile", profile, "--json")) == "published"


def test_a_url_is_read_again_if_it_has_changed_was_undone_or_was_refused(campus_load, web, add_features):
    campus_load("buildings", add_features(1, 2))
    url = add_features(1, 2, 3, etag='"2"')
    assert state(campus_load("buildings", url, "--json")) == "published"

    campus_load("undo", "buildings")
    assert state(campus_load("buildings", url, "--json")) == "published"

    add_features(1, etag='"3"')
    assert [campus_load("buildings", url).exit_code for _ in range(2)] == [3, 3]
    assert web.statuses == [200] * 5


def test_an_unchanged_url_is_read_for_a_dry_run_and_without_validators(campus_load, web, add_features):
    url = add_features(1)
    campus_load("buildings", url)
    campus_load("buildings", url, "--dry-run")
    assert web.statuses == [200, 200]

    menus = web.add("/menus.json", MENUS)
    campus_load("dining", menus)
    assert state(campus_load("dining", menus, "--json")) == "unchanged"
    assert web.statuses == [200] * 4


def test_an_unchanged_url_can_be_stale(campus_load, monkeypatch, add_features, web):
    url = add_features(1)
    campus_load("buildings", url)
    monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", "2036-01-01T12:00:00-05:00")

    result = campus_load("buildings", url, "--max-stale", "7")

    assert (web.statuses, result.exit_code) == ([200, 304], 3)


def test_menus_of_an_unchanged_url_are_read_for_their_end(campus_load, monkeypatch, web):
    url = web.add("/menus.json", MENUS, ETag=ETAG)
    campus_load("dining", url)
    monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", "2036-01-01T12:00:00-05:00")

    result = campus_load("dining", url, "--max-stale", "7")

    assert (web.statuses, result.exit_code) == ([200, 200], 3)
    assert "its menus ended" in result.stderr


def test_a_url_can_be_checked_and_proposed_for(campus_load, run, add_features):
    url = add_features(1)

    assert campus_load("check", url).stdout.splitlines()[-1] == "verdict: can be published"
    assert run("profile", url, config=None).stdout.startswith("# map.geojson: GeoJSON, 1 feature")


def test_a_url_that_cannot_be_downloaded_exits_with_4_if_it_may_be_later(campus_load, database, web):
    for status, exit_code, state in [(404, 2, "invalid"), (503, 4, "failed")]:
        web.responses["/a.csv"] = lambda request, status=status: (status, {}, b"")
        url = web.url("/a.csv?token=abc", credentials="user:pass@")

        for command in ("buildings", "dining", "check"):
            result = campus_load(command, url, "--json")
            report = json.loads(result.stdout)
            [problem] = report["problems"]
            assert (result.exit_code, report["state"], problem["file"]) == (exit_code, state, "a.csv"), command
            message = f"campus-load: {web.url('/a.csv')}: cannot be downloaded: HTTP {status} "
            assert result.stderr.startswith(message), command
    states = [(entry["dataset"], entry["state"]) for entry in database.loads.find()]
    assert states == [("buildings", "invalid"), ("dining", "invalid")]


def test_a_url_that_is_no_export_is_reported_by_its_url(campus_load, web):
    url = web.add("/login", "<html>Please log in</html>")

    for command in ("buildings", "dining", "check"):
        result = campus_load(command, f"{url}?token=abc")
        assert (result.exit_code, result.stdout) == (2, ""), command
        assert result.stderr.startswith(f"campus-load: {url}: "), command


def test_an_error_of_an_arcgis_server_is_temporary_if_its_code_is(run, web):
    for code, status in [(500, 4), (504, 4), (400, 2), (498, 2), ("?", 2)]:
        error = {"error": {"code": code, "message": "Error performing query operation"}}
        web.add(f"{LAYER}/query", json.dumps(error))

        result = run("check", web.url(LAYER))

        assert (result.exit_code, "Error performing query operation" in result.stderr) == (status, True), code


def test_the_limits_are_for_all_urls_of_a_load(web):
    urls = [web.add("/a.csv", "123456"), web.add("/b.csv", "123456")]

    def download():
        with local_exports({None: urls}, limits=DownloadLimits(max_bytes=10)):
            pass

    message = "/b.csv: cannot be downloaded: the downloads of the load are larger than 10 bytes"
    assert str(error_of(download)).endswith(message)


def test_the_format_of_standard_input_and_of_a_pipe_is_detected(campus_load, pipe):
    for dataset, content in [("buildings", BUILDINGS), ("dining", MENUS), ("dining", huds_line())]:
        for source, options in [("-", {"input": content}), (pipe(content), {})]:
            result = campus_load("check", source, **options)
            assert result.stdout.startswith(f"{dataset}: dry run, "), (content, source)

    assert campus_load("buildings", "-", input=BUILDINGS).stdout.startswith("buildings: published as revision 1")
    assert campus_load("dining", pipe(MENUS), "--profile", "foodpro").exit_code == 0


def test_errors_name_a_pipe(run, pipe):
    path = pipe("x")

    result = run("dining", path)

    message = f"campus-load: {path}: is not in a known format: it begins with 'x'\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_standard_input_is_read_again_with_another_date_format(campus_load):
    result = campus_load("dining", "-", input=json.dumps([foodpro_row(Serve_Date="20/11/2026")]))

    assert (result.exit_code, "  standard input: dates DD/MM/YYYY\n" in result.stdout) == (0, True)


def test_a_closed_standard_input_is_an_error(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)

    def open_stdin():
        with local_exports({None: [STDIN]}):
            pass

    assert str(error_of(open_stdin)) == "-: standard input is closed"


def test_a_page_of_several_is_not_loaded_without_the_others(run, campus_load, save):
    def page(*ids, **members):
        features = [feature(id_) for id_ in ids]
        return json.dumps({"type": "FeatureCollection", **members, "features": features})

    first, last, other = (save(page(id_, numberMatched=3), f"{id_}.json") for id_ in (1, 2, 3))
    truncated = save(page(1, exceededTransferLimit=True), "truncated.json")
    reason = "is not the last page: its members say that the server has more features; load all pages"
    for paths in ([truncated], [first, last]):
        result = run("buildings", *paths)
        assert (result.exit_code, result.stderr) == (2, f"campus-load: {paths[-1]}: {reason}\n")

    for paths in ([truncated, save(page(2), "rest.json")], [first, last, other]):
        assert campus_load("check", *paths).exit_code == 0, paths


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
        assert f"{url} {reason}" in result.output


def test_urls_of_which_none_has_a_menu_are_an_error(campus_load, web):
    closed = web.add("/school/south/menu-type/dinner/", '{"days": []}')

    for urls in ([closed, web.url("/a")], [web.url("/a"), web.url("/b")], [closed, closed]):
        result = campus_load("dining", *urls, "--profile", "nutrislice")

        assert result.exit_code == 2, urls


def test_a_missing_url_among_several_of_buildings_is_an_error(campus_load, web):
    buildings = web.add("/map.geojson", json.dumps({"type": "FeatureCollection", "features": [feature()]}))

    result = campus_load("buildings", buildings, web.url("/south.geojson"))

    assert (result.exit_code, "HTTP 404" in result.stderr) == (2, True)
