"""The exit status and the first problem of `campus-config check`."""

import socket

import pytest
from click.testing import CliRunner

from campus_api.cli.config import main
from tests.factories import building, serving
from tests.publishing import publish_buildings, publish_dining


@pytest.fixture
def check(tmp_path):
    """Check an ini file with lines for [app:main] and [DEFAULT]; return the exit status and the output."""

    def check(*lines, default=(), options=()):
        path = tmp_path / "campus.ini"
        path.write_text("\n".join(["[DEFAULT]", *default, "[app:main]", "use = egg:campus-api", *lines]))
        result = CliRunner().invoke(main, ["check", str(path), *options])
        return result.exit_code, result.output

    return check


@pytest.fixture
def check_database(check, mongod_uri):
    """Check an ini file with the URI of a database in the real MongoDB."""
    return lambda: check(f"mongo.uri = {mongod_uri.replace('%', '%%')}")


@pytest.fixture
def loaded(mongod_database):
    publish_buildings(mongod_database, [building(1)])
    publish_dining(mongod_database, [serving()])
    return mongod_database


def test_a_loaded_database_is_ready(loaded, check_database):
    assert check_database() == (0, "The service is ready.\n")


def test_the_first_invalid_setting_is_the_problem(check, monkeypatch):
    uri = "mongo.uri = mongomock://"
    for lines, problem in (
        (["mongo.uri = s3cret", "mongo.timeout_ms = soon"], "mongo.uri: the URI must be mongodb://"),
        ([uri, "mongo.timeout_ms = soon", "log.access = 1"], "mongo.timeout_ms: 'soon' is not a whole number"),
        (["mongo.url = s3cret"], "mongo.url is not a setting: "),
        (["mongo.uri = mongodb://me:a%40s3cret@db/campus"], "is a % written %%?"),
    ):
        status, output = check(*lines)
        assert (status, output.count("\n"), "s3cret" in output) == (2, 1, False), lines
        assert problem in output, lines
    assert check(uri, default=["log.access = x"]) == (2, "log.access in [DEFAULT] is ignored: move it to [app:main].\n")
    monkeypatch.setenv("CAMPUS_LOG_ACCESS", "x")
    assert check(uri) == (2, "log.access: 'x' is neither true nor false.\n")


def test_an_invalid_uri_is_a_problem_that_does_not_quote_it(check):
    for uri in (
        "mongodb://s3cret:x/campus",
        "mongodb://me:s3cret@db/a b",
        "mongodb://me:s3cret",
        "mongodb://me:s3cret@db/campus?tls=True",
        "mongodb://me:s3cret@db/campus?tls=true&tlsCAFile=/nowhere/ca.pem",
    ):
        for options in ((), ("--settings-only",)):
            status, output = check(f"mongo.uri = {uri}", options=options)
            assert (status, "s3cret" in output) == (2, False), (uri, options)


def test_settings_alone_are_checked_without_a_connection(check):
    # Nothing listens on this port, and nothing can be written to this folder.
    for uri in ("mongodb://me:s3cret@127.0.0.1:1/campus", "embedded:/nowhere/mongo", "mongomock://"):
        result = check(f"mongo.uri = {uri}", options=["--settings-only"])
        assert result == (0, "The settings are valid.\n"), uri


def test_a_data_set_that_was_never_loaded_or_lacks_a_collection_is_a_problem(loaded, check_database):
    for dataset in ("buildings", "dining"):
        document = loaded.datasets.find_one_and_delete({"_id": dataset})
        problem = f"The database is not ready: the data set {dataset} was never loaded.\n"
        assert check_database() == (1, problem), dataset
        loaded.datasets.insert_one(document)
    loaded.drop_collection("recipes_1")

    assert check_database() == (1, "The database is not ready: the live collection recipes_1 does not exist.\n")


def test_a_data_set_that_cannot_be_read_is_a_problem(loaded, check_database):
    for field, value, expected, problem in (
        ("loaded_at", "2026-11-20", 1, "The database is not ready: the document of dining in datasets is not valid"),
        ("layout", 3, 2, "dining was loaded by a newer version of campus-api (layout 3)"),
    ):
        loaded.datasets.update_one({"_id": "dining"}, {"$set": {field: value}})

        status, output = check_database()

        assert (status, output.startswith(problem)) == (expected, True), field


def test_a_database_that_cannot_be_reached_is_a_problem(check, tmp_path):
    (tmp_path / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as unresponsive:
        address = f"127.0.0.1:{unresponsive.getsockname()[1]}"
        for uri in ("embedded:%(here)s/file", f"mongodb://me:s3cret@{address}/campus"):
            status, output = check(f"mongo.uri = {uri}", "mongo.timeout_ms = 100")

            assert (status, "s3cret" in output) == (1, False), uri
            assert output.startswith("The database is not ready: "), uri
