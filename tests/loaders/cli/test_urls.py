import json
import threading

import pytest
from click.testing import CliRunner

from loaders.cli.exports import local_exports
from loaders.cli.main import main
from loaders.errors import UnavailableFileError, UnreadableFileError
from loaders.sources.download import DownloadLimits
from tests.factories import feature, foodpro_row
from tests.loaders.live import live_buildings

ETAG = '"1"'


@pytest.fixture
def add_features(web):
    """Serve a FeatureCollection with an ETag and return its URL."""

    def add_features(*ids, etag=ETAG):
        content = json.dumps(
            {"type": "FeatureCollection", "features": [feature(id_, name=f"Hall {id_}") for id_ in ids]}
        )
        return web.add("/map.geojson", content, ETag=etag)

    return add_features


def state(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["state"]


def test_buildings_are_loaded_from_a_url(campus_load, mongod_database, add_features):
    result = campus_load("buildings", add_features(1, 2))

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "buildings: published as revision 1")
    assert [document["_id"] for document in live_buildings(mongod_database)] == [1, 2]


def test_menus_are_loaded_from_a_url(campus_load, web):
    result = campus_load("dining", web.add("/menus.json", json.dumps([foodpro_row()])))

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "dining: published as revision 1")


def test_buildings_are_loaded_from_the_layer_of_an_arcgis_server(campus_load, mongod_database, web):
    features = [
        {"attributes": {"OBJECTID": id_, "NAME": f"Hall {id_}", "ID": id_}, "geometry": {"x": -71.1, "y": 42.4}}
        for id_ in (1, 2)
    ]
    path = "/arcgis/rest/services/Campus/MapServer/0"
    web.add(path, json.dumps({"name": "Buildings"}))
    web.responses[f"{path}/query"] = lambda request: (
        200,
        {},
        json.dumps({"count": 2} if "returnCountOnly" in request.query else {"features": features}).encode(),
    )

    result = campus_load("buildings", web.url(path), "--wkid", "4326")

    assert (result.exit_code, result.stderr) == (0, "")
    assert [document["name"] for document in live_buildings(mongod_database)] == ["Hall 1", "Hall 2"]


def test_a_url_and_a_file_are_one_load(campus_load, mongod_database, add_features, save_features):
    campus_load("buildings", add_features(1), save_features(feature(2)))

    assert [document["_id"] for document in live_buildings(mongod_database)] == [1, 2]


def test_the_history_has_the_url_without_credentials_and_the_etag(campus_load, web, add_features):
    add_features(1)
    campus_load("buildings", web.url("/map.geojson?token=abc", credentials="user:pass@"))

    [entry] = json.loads(campus_load("history", "--json").stdout)

    [source] = entry["sources"]
    assert (source["file"], source["url"], source["etag"]) == ("map.geojson", web.url("/map.geojson"), ETAG)
    assert not {"abc", "user", "pass"} & set(json.dumps(entry).replace("@", '"').split('"'))


def test_the_history_shows_the_url(campus_load, add_features):
    url = add_features(1)
    campus_load("buildings", url)

    # The table folds it.
    assert url in "".join(campus_load("history").stdout.split())


def test_only_the_source_of_a_download_has_a_url(campus_load, web, add_features, save_features):
    path, url = save_features(feature(2)), add_features(1)
    path = path.rename(path.with_name("map.geojson"))

    result = campus_load("buildings", path, url, "--json")

    assert [source.get("url") for source in json.loads(result.stdout)["sources"]] == [None, url]


def test_an_unchanged_url_can_be_stale(campus_load, monkeypatch, add_features, web):
    url = add_features(1)
    campus_load("buildings", url)
    monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", "2036-01-01T12:00:00-05:00")

    result = campus_load("buildings", url, "--max-stale", "7")

    assert (web.statuses, result.exit_code) == ([200, 304], 3)


def test_menus_of_an_unchanged_url_are_read_for_their_end(campus_load, monkeypatch, web):
    url = web.add("/menus.json", json.dumps([foodpro_row()]), ETag=ETAG)
    campus_load("dining", url)
    monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", "2036-01-01T12:00:00-05:00")

    result = campus_load("dining", url, "--max-stale", "7")

    assert (web.statuses, result.exit_code) == ([200, 200], 3)
    assert "its menus ended" in result.stderr


def test_an_unchanged_url_is_not_read_again(campus_load, web, add_features):
    url = add_features(1, 2)
    campus_load("buildings", url)

    result = campus_load("buildings", url)

    assert web.statuses == [200, 304]
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            "buildings: unchanged, revision 1 stays",
            "collection  added  changed  removed  unchanged",
            "buildings       0        0        0          2",
        ],
    )


def test_a_load_of_an_unchanged_url_is_in_the_history(campus_load, add_features):
    url = add_features(1)
    for _ in range(3):
        campus_load("buildings", url)

    entries = json.loads(campus_load("history", "--json").stdout)

    assert [entry["state"] for entry in entries] == ["published", "unchanged", "unchanged"]
    assert len({json.dumps(entry["sources"]) for entry in entries}) == 1


def test_a_changed_url_is_read(campus_load, add_features):
    campus_load("buildings", add_features(1))

    assert state(campus_load("buildings", add_features(1, 2, etag='"2"'), "--json")) == "published"


def test_an_unchanged_url_is_read_again_with_other_options(campus_load, web, add_features):
    url = add_features(1)
    campus_load("buildings", url)

    assert state(campus_load("buildings", url, "--city", "Boston", "--json")) == "published"


def test_an_unchanged_url_is_read_again_with_another_profile(campus_load, web, save, add_features):
    url = add_features(1)
    profile = save('format = "geojson"\n[fields]\nname = "name"\n', "custom.toml")
    campus_load("buildings", url, "--profile", profile)
    save('format = "geojson"\n[fields]\nname = "name"\n[defaults]\ncity = "Boston"\n', "custom.toml")

    assert state(campus_load("buildings", url, "--profile", profile, "--json")) == "published"


def test_an_unchanged_url_is_read_again_after_an_undo(campus_load, add_features, save_features):
    campus_load("buildings", save_features(feature(1, name="Hall 1")))
    url = add_features(1, 2)
    campus_load("buildings", url)
    campus_load("undo", "buildings")

    assert state(campus_load("buildings", url, "--json")) == "published"


def test_a_refused_url_is_read_again(campus_load, web, add_features):
    campus_load("buildings", add_features(1, 2, 3, 4, etag='"1"'))
    url = add_features(1, etag='"2"')

    statuses = [campus_load("buildings", url).exit_code for _ in range(2)]

    assert (statuses, web.statuses[1:]) == ([3, 3], [200, 200])


def test_a_dry_run_reads_an_unchanged_url(campus_load, web, add_features):
    url = add_features(1)
    campus_load("buildings", url)

    campus_load("buildings", url, "--dry-run")

    assert web.statuses == [200, 200]


def test_a_url_without_validators_is_read_again(campus_load, web):
    url = web.add("/menus.json", json.dumps([foodpro_row()]))
    campus_load("dining", url)

    assert state(campus_load("dining", url, "--json")) == "unchanged"
    assert web.statuses == [200, 200]


def test_a_url_can_be_checked(campus_load, add_features):
    result = campus_load("check", add_features(1))

    assert result.stdout.splitlines()[-1] == "verdict: can be published"


def test_a_profile_is_proposed_for_a_url(add_features):
    result = CliRunner().invoke(main, ["profile", add_features(1)])

    assert result.stdout.startswith("# map.geojson: GeoJSON, 1 feature")


@pytest.mark.parametrize("command", ["buildings", "dining", "check"])
def test_a_url_that_does_not_exist_is_reported(campus_load, web, command):
    url = web.url("/nowhere.csv?token=abc", credentials="user:pass@")

    result = campus_load(command, url, "--json")

    reason = "cannot be downloaded: HTTP 404 Not Found"
    assert (result.exit_code, result.stderr) == (2, f"campus-load: {web.url('/nowhere.csv')}: {reason}\n")
    [problem] = json.loads(result.stdout)["problems"]
    assert (problem["file"], problem["reason"]) == ("nowhere.csv", reason)


@pytest.mark.parametrize("command", ["buildings", "dining", "check"])
def test_a_url_that_is_no_export_is_reported_by_its_url(campus_load, web, command):
    url = web.add("/login", "<html>Please log in</html>")

    result = campus_load(command, f"{url}?token=abc")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"campus-load: {url}: ")


def test_the_limits_are_for_all_urls_of_a_load(web):
    urls = [web.add("/a.csv", "123456"), web.add("/b.csv", "123456")]

    with (
        pytest.raises(UnreadableFileError, match="/b.csv: .*the downloads of the load are larger than 10 bytes"),
        local_exports({None: urls}, limits=DownloadLimits(max_bytes=10)),
    ):
        pass


def respond_with(web, status, body=b"", **headers):
    """Serve a status whatever the request is, and return the URL."""
    web.responses["/map.geojson"] = lambda request: (status, headers, body)
    return web.url("/map.geojson")


def cut_off(web):
    return respond_with(web, 200, b'{"type":', **{"Content-Length": 1000})


def cut_off_in_a_chunk(web):
    return respond_with(web, 200, b"4\r\n", **{"Transfer-Encoding": "chunked"})


def closed(web):
    web.responses["/map.geojson"] = lambda request: request.connection.close()
    return web.url("/map.geojson")


TEMPORARY = {
    "500": lambda web: respond_with(web, 500),
    "503": lambda web: respond_with(web, 503),
    "429": lambda web: respond_with(web, 429),
    "408": lambda web: respond_with(web, 408),
    "refused": lambda web: "http://127.0.0.1:1/map.geojson",
    "closed": closed,
    "truncated": cut_off,
    "truncated in a chunk": cut_off_in_a_chunk,
}


@pytest.mark.parametrize("command", ["buildings", "check", "profile"])
@pytest.mark.parametrize("serve", TEMPORARY.values(), ids=TEMPORARY)
def test_a_download_that_may_succeed_later_exits_with_4(campus_load, mongod_database, web, serve, command):
    url = serve(web)

    result = campus_load(command, url) if command != "profile" else CliRunner().invoke(main, ["profile", url])

    [line] = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (4, "")
    assert line.startswith(f"campus-load: {url}: cannot be downloaded: ")
    assert mongod_database.list_collection_names() == []


def test_a_timeout_is_a_download_that_may_succeed_later(web):
    is_over = threading.Event()
    web.responses["/map.geojson"] = lambda request: is_over.wait(60) and (200, {}, b"")
    exports = {None: [web.url("/map.geojson")]}

    with pytest.raises(UnavailableFileError), local_exports(exports, limits=DownloadLimits(timeout=0.1)):
        pass
    is_over.set()


@pytest.mark.parametrize(
    ("status", "phrase"),
    [
        (201, "Created"),
        (204, "No Content"),
        (206, "Partial Content"),
        (304, "Not Modified"),
        (404, "Not Found"),
        (401, "Unauthorized"),
    ],
)
@pytest.mark.parametrize("command", ["buildings", "check"])
def test_any_other_status_is_named(campus_load, web, command, status, phrase):
    url = respond_with(web, status)

    result = campus_load(command, url)

    message = f"campus-load: {url}: cannot be downloaded: HTTP {status} {phrase}\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


@pytest.mark.parametrize(("status", "state"), [(503, "failed"), (404, "invalid")])
def test_a_download_that_fails_is_reported_as_json(campus_load, web, status, state):
    result = campus_load("buildings", respond_with(web, status), "--json")

    report = json.loads(result.stdout)
    assert (report["state"], report["problems"][0]["file"]) == (state, "map.geojson")


@pytest.mark.parametrize(("code", "status"), [(500, 4), (504, 4), (400, 2), (498, 2), ("?", 2)])
def test_an_error_of_an_arcgis_server_is_temporary_if_its_code_is(campus_load, web, code, status):
    error = {"error": {"code": code, "message": "Error performing query operation"}}
    web.add("/arcgis/rest/services/Campus/MapServer/0/query", json.dumps(error))

    result = campus_load("buildings", web.url("/arcgis/rest/services/Campus/MapServer/0"))

    assert (result.exit_code, "Error performing query operation" in result.stderr) == (status, True)
