import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from campus_api.settings import load
from tests.factories import NOON
from tests.rejection import rejection

MEMORY = "mongomock://"
TILES = "https://tiles.example.edu/{z}/{x}/{y}.png"


def test_a_missing_database_names_the_setting_and_its_variable():
    assert re.match(r"mongo\.uri is not set: .*CAMPUS_MONGO_URI", rejection(load, {}, environ={}))


def test_settings_are_read_from_the_ini_file():
    for name, text, value in (
        ("mongo.uri", "mongodb://db.example.edu/campus", "mongodb://db.example.edu/campus"),
        ("mongo.uri", "mongodb+srv://db.example.edu", "mongodb+srv://db.example.edu"),
        ("mongo.uri", "embedded:var/mongo", "embedded:var/mongo"),
        ("mongo.uri", " mongomock:// ", "mongomock://"),
        ("mongo.timeout_ms", "1", 1),
        ("mongo.timeout_ms", "999999999", 999999999),
        ("clock.time_zone", "Europe/Paris", ZoneInfo("Europe/Paris")),
        ("clock.frozen_at", NOON, datetime.fromisoformat(NOON)),
        ("clock.frozen_at", "2026-11-20T17:00Z", datetime.fromisoformat(NOON)),
        ("clock.frozen_at", "", None),
        ("log.access", "true", True),
        ("log.access", "false", False),
        ("map.tiles_url", TILES, TILES),
        ("map.tiles_url", "http://10.0.0.5:8080/wmts/{z}/{y}/{x}?key=a", "http://10.0.0.5:8080/wmts/{z}/{y}/{x}?key=a"),
        ("map.attribution", "© Example", "© Example"),
        ("data.contact", "dining+menus@campus.example.edu", "mailto:dining+menus@campus.example.edu"),
        ("data.contact", "https://campus.example.edu/contact?menus", "https://campus.example.edu/contact?menus"),
        *((name, "", "") for name in ("map.tiles_url", "data.contact", "pages.url")),
        ("pages.url", "https://campus.example.edu:8443/api/", "https://campus.example.edu:8443/api"),
    ):
        assert load({"mongo.uri": MEMORY, name: text}, environ={})[name] == value, (name, text)


def test_the_environment_overrides_the_ini_file():
    # Both are invalid.
    ini = {"mongo.uri": "s3cret", "clock.frozen_at": "now"}
    environ = {"CAMPUS_MONGO_URI": MEMORY, "CAMPUS_CLOCK_FROZEN_AT": NOON, "CAMPUS_LOG_ACCESS": "true"}

    values = load(ini, environ=environ)

    assert (values["mongo.uri"], values["log.access"]) == (MEMORY, True)
    assert values["clock.frozen_at"] == datetime.fromisoformat(NOON)


def test_an_unknown_name_stops_the_start():
    for name in ("mongo.url", "mongo.timeout", "mongo.uri.", "mongo.", "clock.zone", "clock.Time_Zone", "cache.size"):
        reason = rejection(load, {"mongo.uri": MEMORY, name: "x"}, environ={})
        assert reason.startswith(f"{name} is not a setting: the settings are cache.max_age, cache.memory_mb, "), name
    for name in ("MONGO_URL", "MONGO_", "LOG_LEVEL", "CLOCK_ZONE", "CLOCK_TIMEZONE"):
        reason = rejection(load, {"mongo.uri": MEMORY}, environ={f"CAMPUS_{name}": "x"})
        assert reason.startswith(f"CAMPUS_{name} is not a setting"), name


def test_other_names_are_ignored():
    for name in ("pyramid.debug_all", "use", "mongo", "mongodb.url", "my.mongo.uri", "clockwork.x"):
        assert name not in load({"mongo.uri": MEMORY, name: "x"}, environ={}), name
    # Kubernetes sets the last ones for a service named campus-mongo.
    kubernetes = ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_DB", "PORT_27017_TCP", "PORT_27017_TCP_ADDR")
    names = ("PATH", "CAMPUS", "CAMPUS_MONGO", "CAMPUS_NAME", "MONGO_URL", "MY_CAMPUS_MONGO_X")
    for name in (*names, *(f"CAMPUS_MONGO_{each}" for each in kubernetes)):
        assert load({"mongo.uri": MEMORY}, environ={name: "x"}) == load({"mongo.uri": MEMORY}, environ={}), name
    assert load({"mongo.uri": MEMORY}, environ={"CAMPUS_MONGO_PORT": "tcp://10.0.0.7:27017"})


INVALID = {
    "mongo.uri": ["", "mongodb", "mongodb:db", "mongomock:", "embedded:", "http://db", "/var", "MONGODB://db"],
    "mongo.timeout_ms": ["", "0", "-1", "+1", "1.5", "1e3", "1_000", "٥", "²", "1s", "1000000000"],
    "clock.time_zone": ["", "EDT5", "America", "Mars/Base", "../UTC", "/etc/localtime", "a\0b"],
    "clock.frozen_at": [
        *("noon", "12:00", "2026-11-20", "2026-11-20T12:00", "2026-11-20T25:00Z", "1795194000"),
        # They have no campus date.
        *("0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"),
    ],
    "log.access": ["", "1", "yes", "on", "True", "TRUE", "truefalse"],
    **dict.fromkeys(("data.license", "data.attribution", "map.attribution"), ["Stadt M\udcfcnchen"]),
    "data.contact": ["dining", "a@b@c", "a b@c", "a?cc=x@y", "mailto:", "javascript:alert(1)", "//campus.example.edu"],
    "pages.url": [
        *("campus.example.edu", "//campus.example.edu", "ftp://campus.example.edu", "https://", "https://a b"),
        *("https://campus.example.edu/?a=b", "https://campus.example.edu/#a", "https://campus.example.edu/é", "/"),
    ],
    "map.tiles_url": [
        *("tiles", "/{z}/{x}/{y}.png", "ftp://tiles.example.edu/{z}/{x}/{y}.png", "https:///{z}/{x}/{y}.png"),
        *("https://tiles.example.edu", "https://tiles.example.edu/{z}/{x}.png"),
        *("https://tiles.example.edu/{z}/{x}/{-y}.png", "https://{s}.tiles.example.edu/{z}/{x}/{y}.png"),
        "https://tiles.example.edu/{z}/{x}/{y}{r}.png",
        "https://tiles.example.edu; script-src */{z}/{x}/{y}.png",
        "https://reader:secret@tiles.example.edu/{z}/{x}/{y}.png",
        "https://tiles.example.edu/{z}/{x}/{y}.png https://example.com",
    ],
}


def test_an_invalid_value_names_the_setting():
    for name, texts in INVALID.items():
        for text in texts:
            reason = rejection(load, {"mongo.uri": MEMORY, name: text}, environ={})
            quoted = "" if name == "mongo.uri" or "\udcfc" in text else f"{text!r} is "
            assert reason.startswith(f"{name}: {quoted}"), (name, text)
    reason = rejection(load, {"mongo.uri": MEMORY}, environ={"CAMPUS_MONGO_TIMEOUT_MS": "soon"})
    assert reason.startswith("mongo.timeout_ms: 'soon' is not a whole number of milliseconds from 1 to 999999999.")


def test_errors_never_contain_passwords():
    for ini, environ in (
        ({"mongo.uri": "mongo://reader:s3cret@db"}, {}),
        ({"mongo.uri": "mongodb:/reader:s3cret@db"}, {}),
        ({"mongo.uri": "s3cret"}, {}),
        ({}, {"CAMPUS_MONGO_URI": "reader:s3cret@db"}),
        ({"mongo.uri": "mongodb://reader:s3cret@db", "mongo.timeout_ms": "soon"}, {}),
        ({"mongo.uri": "mongodb://reader:s3cret@db", "mongo.url": "x"}, {}),
        ({"mongo.url": "mongodb://reader:s3cret@db"}, {}),
        ({}, {"CAMPUS_MONGO_URL": "mongodb://reader:s3cret@db"}),
    ):
        reason = rejection(load, ini, environ=environ)
        assert (reason != "", "s3cret" in reason) == (True, False), (ini, environ)


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "uri"
    path.write_text("mongodb://file/campus\n")
    return str(path)


def test_the_uri_may_be_in_a_file(secret):
    uri = "mongodb://uri/campus"

    for ini, environ, host in (
        ({"mongo.uri_file": secret}, {}, "file"),
        ({}, {"CAMPUS_MONGO_URI_FILE": secret}, "file"),
        ({"mongo.uri": uri}, {"CAMPUS_MONGO_URI_FILE": secret}, "file"),
        ({"mongo.uri_file": secret}, {"CAMPUS_MONGO_URI": uri}, "uri"),
        ({}, {"CAMPUS_MONGO_URI": "", "CAMPUS_MONGO_URI_FILE": secret}, "file"),
        ({"mongo.uri_file": secret}, {"CAMPUS_MONGO_URI": ""}, "file"),
    ):
        assert load(ini, environ)["mongo.uri"] == f"mongodb://{host}/campus", (ini, environ)


def test_a_uri_and_its_file_exclude_each_other(secret):
    reason = rejection(load, {"mongo.uri": MEMORY, "mongo.uri_file": secret}, environ={})

    assert reason.startswith("mongo.uri and mongo.uri_file are both set")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    path = tmp_path / "secret"

    for content, reason in (
        (None, "cannot be read: No such file or directory"),
        (b"\xff", "is not valid: 'utf-8' codec can't decode byte 0xff"),
        (b"", "is not valid: the URI must be mongodb://"),
        (b"secret", "is not valid: the URI must be mongodb://"),
        (b"mongodb://db/campus\n# comment", "is not valid: the URI has a control character or several lines"),
        (b"mongodb://db/campus\0", "is not valid: the URI has a control character or several lines"),
    ):
        if content is not None:
            path.write_bytes(content)
        message = rejection(load, {"mongo.uri_file": str(path)}, environ={})
        assert re.match(rf"mongo\.uri_file: {path} {reason}", message), content
