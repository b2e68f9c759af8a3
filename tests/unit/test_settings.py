from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from campus_api.settings import SettingError, load

MEMORY = "mongomock://"
NOON = "2026-11-20T12:00:00-05:00"
TILES = "https://tiles.example.edu/{z}/{x}/{y}.png"


def test_only_the_database_is_required():
    values = load({"mongo.uri": MEMORY}, environ={})

    assert values == {
        "mongo.uri": MEMORY,
        "mongo.uri_file": "",
        "mongo.timeout_ms": 1000,
        "cache.max_age": 60,
        "cache.memory_mb": 64,
        "clock.time_zone": ZoneInfo("America/New_York"),
        "clock.frozen_at": None,
        "data.license": "",
        "data.attribution": "",
        "log.access": False,
        "map.tiles_url": "",
        "map.attribution": "",
    }


def test_a_missing_database_names_the_setting_and_its_variable():
    with pytest.raises(SettingError, match=r"^mongo\.uri is not set: .*CAMPUS_MONGO_URI"):
        load({}, environ={})


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
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
        ("map.tiles_url", "", ""),
        ("map.tiles_url", TILES, TILES),
        ("map.tiles_url", "http://10.0.0.5:8080/wmts/{z}/{y}/{x}?key=a", "http://10.0.0.5:8080/wmts/{z}/{y}/{x}?key=a"),
        ("map.attribution", "© Example", "© Example"),
    ],
)
def test_settings_are_read_from_the_ini_file(name, text, value):
    values = load({"mongo.uri": MEMORY, name: text}, environ={})

    assert values[name] == value


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("CAMPUS_MONGO_URI", "mongodb://db.example.edu", "mongo.uri", "mongodb://db.example.edu"),
        ("CAMPUS_MONGO_TIMEOUT_MS", "250", "mongo.timeout_ms", 250),
        ("CAMPUS_CLOCK_TIME_ZONE", "Asia/Tokyo", "clock.time_zone", ZoneInfo("Asia/Tokyo")),
        ("CAMPUS_CLOCK_FROZEN_AT", NOON, "clock.frozen_at", datetime.fromisoformat(NOON)),
        ("CAMPUS_LOG_ACCESS", "true", "log.access", True),
    ],
)
def test_the_environment_overrides_the_ini_file(variable, text, name, value):
    ini = {
        "mongo.uri": MEMORY,
        "mongo.timeout_ms": "500",
        "clock.time_zone": "Europe/Paris",
        "clock.frozen_at": "2026-01-01T00:00Z",
    }

    values = load(ini, environ={variable: text})

    assert values[name] == value


def test_the_environment_overrides_an_invalid_value_in_the_ini_file():
    values = load({"mongo.uri": MEMORY, "mongo.timeout_ms": "soon"}, environ={"CAMPUS_MONGO_TIMEOUT_MS": "250"})

    assert values["mongo.timeout_ms"] == 250


@pytest.mark.parametrize(
    "name", ["mongo.url", "mongo.timeout", "mongo.uri.", "mongo.", "clock.zone", "clock.Time_Zone", "cache.size"]
)
def test_an_unknown_name_in_the_ini_file_stops_the_start(name):
    with pytest.raises(SettingError) as error:
        load({"mongo.uri": MEMORY, name: "x"}, environ={})

    assert str(error.value).startswith(f"{name} is not a setting: the settings are cache.max_age, cache.memory_mb, ")


@pytest.mark.parametrize(
    "variable", ["CAMPUS_MONGO_URL", "CAMPUS_MONGO_", "CAMPUS_LOG_LEVEL", "CAMPUS_CLOCK_ZONE", "CAMPUS_CLOCK_TIMEZONE"]
)
def test_an_unknown_name_in_the_environment_stops_the_start(variable):
    with pytest.raises(SettingError) as error:
        load({"mongo.uri": MEMORY}, environ={variable: "x"})

    assert str(error.value).startswith(f"{variable} is not a setting")


@pytest.mark.parametrize("name", ["pyramid.debug_all", "use", "mongo", "mongodb.url", "my.mongo.uri", "clockwork.x"])
def test_other_names_in_the_ini_file_are_ignored(name):
    values = load({"mongo.uri": MEMORY, name: "x"}, environ={})

    assert name not in values


@pytest.mark.parametrize(
    "variable", ["PATH", "CAMPUS", "CAMPUS_MONGO", "CAMPUS_NAME", "MONGO_URL", "MY_CAMPUS_MONGO_X"]
)
def test_other_variables_are_ignored(variable):
    values = load({"mongo.uri": MEMORY}, environ={variable: "x"})

    assert values == load({"mongo.uri": MEMORY}, environ={})


INVALID = {
    "mongo.uri": ["", "mongodb", "mongodb:db", "mongomock:", "embedded:", "http://db", "/var", "MONGODB://db"],
    "mongo.timeout_ms": ["", "0", "-1", "+1", "1.5", "1e3", "1_000", "٥", "²", "1s", "1000000000"],
    "clock.time_zone": ["", "EDT5", "America", "Mars/Base", "../UTC", "/etc/localtime", "a\0b"],
    "clock.frozen_at": ["noon", "12:00", "2026-11-20", "2026-11-20T12:00", "2026-11-20T25:00Z", "1795194000"],
    "log.access": ["", "1", "yes", "on", "True", "TRUE", "truefalse"],
    "map.tiles_url": [
        "tiles",
        "/{z}/{x}/{y}.png",
        "ftp://tiles.example.edu/{z}/{x}/{y}.png",
        "https:///{z}/{x}/{y}.png",
        "https://tiles.example.edu",
        "https://tiles.example.edu/{z}/{x}.png",
        "https://tiles.example.edu/{z}/{x}/{-y}.png",
        "https://{s}.tiles.example.edu/{z}/{x}/{y}.png",
        "https://tiles.example.edu/{z}/{x}/{y}{r}.png",
        "https://tiles.example.edu; script-src */{z}/{x}/{y}.png",
        "https://reader:secret@tiles.example.edu/{z}/{x}/{y}.png",
        "https://tiles.example.edu/{z}/{x}/{y}.png https://example.com",
    ],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in INVALID.items() for text in texts])
def test_an_invalid_value_names_the_setting(name, text):
    with pytest.raises(SettingError) as error:
        load({"mongo.uri": MEMORY, name: text}, environ={})

    assert str(error.value).startswith(f"{name} ")


@pytest.mark.parametrize("timestamp", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"])
def test_a_timestamp_without_a_campus_date_is_invalid(timestamp):
    with pytest.raises(SettingError, match=r"^clock\.frozen_at "):
        load({"mongo.uri": MEMORY, "clock.frozen_at": timestamp}, environ={})


def test_an_invalid_value_in_the_environment_names_the_setting():
    with pytest.raises(SettingError, match=r"^mongo\.timeout_ms 'soon' is not "):
        load({"mongo.uri": MEMORY}, environ={"CAMPUS_MONGO_TIMEOUT_MS": "soon"})


@pytest.mark.parametrize(
    ("ini", "environ"),
    [
        ({"mongo.uri": "mongo://reader:s3cret@db"}, {}),
        ({"mongo.uri": "mongodb:/reader:s3cret@db"}, {}),
        ({"mongo.uri": "s3cret"}, {}),
        ({}, {"CAMPUS_MONGO_URI": "reader:s3cret@db"}),
        ({"mongo.uri": "mongodb://reader:s3cret@db", "mongo.timeout_ms": "soon"}, {}),
        ({"mongo.uri": "mongodb://reader:s3cret@db", "mongo.url": "x"}, {}),
        ({"mongo.url": "mongodb://reader:s3cret@db"}, {}),
        ({}, {"CAMPUS_MONGO_URL": "mongodb://reader:s3cret@db"}),
    ],
)
def test_errors_never_contain_passwords(ini, environ):
    with pytest.raises(SettingError) as error:
        load(ini, environ=environ)

    assert "s3cret" not in str(error.value)


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "uri"
    path.write_text("mongodb://file/campus\n")
    return str(path)


@pytest.mark.parametrize(
    ("ini", "environ", "host"),
    [
        (["file"], [], "file"),
        ([], ["file"], "file"),
        (["uri"], ["file"], "file"),
        (["file"], ["uri"], "uri"),
        ([], ["empty", "file"], "file"),
        (["file"], ["empty"], "file"),
    ],
)
def test_the_uri_may_be_in_a_file(secret, ini, environ, host):
    uri = "mongo.uri"
    names = {"uri": (uri, "mongodb://uri/campus"), "empty": (uri, ""), "file": ("mongo.uri_file", secret)}
    variables = {"mongo.uri": "CAMPUS_MONGO_URI", "mongo.uri_file": "CAMPUS_MONGO_URI_FILE"}

    values = load(dict(map(names.get, ini)), {variables[name]: text for name, text in map(names.get, environ)})

    assert values["mongo.uri"] == f"mongodb://{host}/campus"


def test_a_uri_and_its_file_exclude_each_other(secret):
    with pytest.raises(SettingError, match=r"^mongo\.uri and mongo\.uri_file are both set"):
        load({"mongo.uri": MEMORY, "mongo.uri_file": secret}, environ={})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"\xff", "is not text in UTF-8"),
        (b"", "its content must be mongodb://"),
        (b"secret", "its content must be mongodb://"),
        (b"mongodb://db/campus\n# comment", "its content has a control character or several lines"),
        (b"mongodb://db/campus\0", "its content has a control character or several lines"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, reason):
    path = tmp_path / "secret"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(SettingError, match=rf"^mongo\.uri_file {path}:? {reason}"):
        load({"mongo.uri_file": str(path)}, environ={})


@pytest.mark.parametrize("name", ["data.license", "data.attribution", "map.attribution"])
def test_a_value_that_is_not_utf_8_is_named(name):
    with pytest.raises(SettingError, match=rf"^{name} is not text in UTF-8\.$"):
        load({"mongo.uri": MEMORY, name: "Stadt M\udcfcnchen"}, environ={})
