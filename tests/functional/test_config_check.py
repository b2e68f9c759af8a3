"""The report of `campus-config check`."""

import socket

import pytest

from campus_api.cli.diagnostics import check
from campus_api.settings import SETTINGS
from tests.factories import NOON, TODAY, building, serving
from tests.publishing import publish_buildings, publish_dining


@pytest.fixture
def write_ini(tmp_path):
    """Write an ini file with lines for [app:main] and [DEFAULT], and return its path."""

    def write_ini(*lines, default=()):
        path = tmp_path / "campus.ini"
        path.write_text("\n".join(["[DEFAULT]", *default, "[app:main]", "use = egg:campus-api", *lines]))
        return str(path)

    return write_ini


@pytest.fixture
def check_database(write_ini, mongod_uri):
    """Check an ini file with the URI of an empty database in the real MongoDB."""
    return lambda *lines: check(write_ini(f"mongo.uri = {mongod_uri.replace('%', '%%')}", *lines))


@pytest.fixture
def loaded(mongod_database):
    publish_buildings(mongod_database, [building(1), building(2)])
    servings = [serving(date=date) for date in ("2026-11-01", TODAY, "2026-11-25")]
    publish_dining(mongod_database, servings)
    return mongod_database


def settings(report):
    return {entry["name"]: (entry["value"], entry["source"]) for entry in report.settings}


def test_a_loaded_database_is_ok_and_a_frozen_clock_a_warning(loaded, check_database):
    report = check_database(f"clock.frozen_at = {NOON}")

    assert (report.status, report.problems) == (0, [])
    assert report.documents == {"buildings": 2, "categories": 1, "locations": 1, "recipes": 1, "menus": 25}
    assert report.warnings == ["clock.frozen_at is set: the clock of the service does not advance."]


def test_every_setting_has_its_value_and_its_source(write_ini, monkeypatch, tmp_path):
    lines = ["mongo.uri = mongodb://127.0.0.1:%(port)s/campus", "clock.time_zone = Europe/Paris"]
    monkeypatch.setenv("CAMPUS_CLOCK_TIME_ZONE", "Asia/Tokyo")

    reported = settings(check(write_ini(*lines, "data.license = %(here)s", default=["port = 1"])))

    assert reported["mongo.uri"] == ("mongodb://127.0.0.1:1/campus", "file")
    assert reported["data.license"] == (str(tmp_path), "file")
    assert reported["clock.time_zone"] == ("Asia/Tokyo", "environment")
    defaults = {"mongo.timeout_ms": "1000", "clock.frozen_at": "", "log.access": "false"}
    assert {name: reported[name] for name in defaults} == {name: (text, "default") for name, text in defaults.items()}
    assert list(reported) == [setting.name for setting in SETTINGS]


def test_a_setting_in_the_default_section_is_a_problem(write_ini):
    report = check(write_ini("mongo.uri = mongomock://", default=["mongo.timeout_ms = 5"]))

    assert (report.status, settings(report)["mongo.timeout_ms"]) == (2, ("1000", "default"))
    assert report.problems == ["mongo.timeout_ms in [DEFAULT] is ignored: move it to [app:main]."]


def test_all_invalid_settings_are_reported(write_ini, tmp_path):
    report = check(write_ini("mongo.uri = s3cret", "mongo.timeout_ms = soon", "log.access = 1"))
    unknown = check(write_ini("mongo.url = x"))

    assert (report.status, unknown.status, check(str(tmp_path / "none.ini")).status) == (2, 2, 2)
    assert [problem.split()[0] for problem in report.problems] == ["mongo.uri", "mongo.timeout_ms", "log.access"]
    assert "s3cret" not in str(report)
    assert unknown.problems[0].startswith("mongo.url is not a setting:")


def test_an_invalid_uri_is_redacted(write_ini):
    for uri in (
        "mongodb://s3cret:x/campus",
        "mongodb://me:s3cret@db/a b",
        "mongodb://me:s3cret",
        "mongodb://me:s3cret@db/campus?tls=True",
    ):
        for settings_only in (False, True):
            report = check(write_ini(f"mongo.uri = {uri}"), settings_only=settings_only)
            assert (report.status, settings(report)["mongo.uri"]) == (2, ("***", "file")), uri
            assert "s3cret" not in str(report), uri
    report = check(write_ini("mongo.uri = mongodb://me:a%40s3cret@db/campus"))
    assert (report.status, "is a % written %%?" in report.problems[0], "s3cret" in str(report)) == (2, True, False)


def test_settings_alone_are_checked_without_a_connection(write_ini):
    # Nothing listens on this port, and nothing can be written to this folder.
    for uri in ("mongodb://me:s3cret@127.0.0.1:1/campus", "embedded:/nowhere/mongo", "mongomock://"):
        report = check(write_ini(f"mongo.uri = {uri}"), settings_only=True)
        assert (report.status, report.problems, report.reachable) == (0, [], False), uri
        assert "s3cret" not in str(report), uri


def test_a_data_set_that_was_never_loaded_is_a_problem(loaded, check_database):
    for dataset in ("buildings", "dining"):
        record = loaded.datasets.find_one_and_delete({"_id": dataset})
        report = check_database(f"clock.frozen_at = {NOON}")
        assert (report.status, report.problems) == (1, [f"{dataset}: nothing is loaded."])
        loaded.datasets.insert_one(record)


def test_a_missing_live_collection_is_a_problem(loaded, check_database):
    loaded.drop_collection("buildings_1")
    loaded.drop_collection("recipes_1")

    assert check_database().problems == [
        "the live collection buildings_1 does not exist.",
        "the live collection recipes_1 does not exist.",
    ]


def test_a_record_that_cannot_be_read_is_a_problem(loaded, check_database):
    for field, value, status, problem in (
        ("loaded_at", "2026-11-20", 1, "the database cannot be read: the record of dining is not valid"),
        ("layout", 3, 2, "dining was loaded by a newer version of campus-api (layout 3)"),
    ):
        loaded.datasets.update_one({"_id": "dining"}, {"$set": {field: value}})

        report = check_database()

        assert (report.status, len(report.problems)) == (status, 1), field
        assert problem in report.problems[0], field


def test_a_database_that_rejects_a_command_is_a_problem(write_ini, mongod_uri):
    uri = f"{mongod_uri}?readConcernLevel=bogus".replace("%", "%%")

    report = check(write_ini(f"mongo.uri = {uri}"))

    assert (report.status, report.reachable) == (1, True)
    assert report.problems[0].startswith("the database cannot be read: it refuses: ")


def test_a_database_that_cannot_be_reached_is_a_problem(write_ini, tmp_path):
    (tmp_path / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as unresponsive:
        for uri in ("embedded:%(here)s/file", f"mongodb://127.0.0.1:{unresponsive.getsockname()[1]}/campus"):
            report = check(write_ini(f"mongo.uri = {uri}", "mongo.timeout_ms = 100"))

            assert (report.status, report.reachable) == (1, False), uri
            assert report.problems[0].startswith("the database cannot be reached: "), uri
