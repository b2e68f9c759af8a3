"""Settings of the service: name, type, default and help; read from the ini file and the environment."""

import os
import re
from collections.abc import Callable, Mapping
from configparser import Error as ConfigParserError
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from plaster import parse_uri
from plaster.exceptions import PlasterError
from plaster_pastedeploy import ConfigDict, Loader

_URIS = ("mongo.uri", "mongo.uri_file")
# Kubernetes sets these in every container, for a service named campus-mongo, for example:
# https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
_KUBERNETES = re.compile(r"\w+_SERVICE_(HOST|PORT(_\w+)?)|\w+_PORT_[0-9]+_(TCP|UDP|SCTP)(_\w+)?")
_KUBERNETES_PORTS = ("tcp://", "udp://", "sctp://")
# Without characters that would end the host in a content security policy.
_URL = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]+)?(/\S*)?")
# The driver checks the rest.
_URI = re.compile(r"(mongodb|mongodb\+srv|mongomock)://.*|embedded:.+")
_EMAIL = re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+")


class SettingError(ValueError):
    """A configuration error that prevents the start; the message names the setting or the file."""


class Setting(NamedTuple):
    """A setting: `group.name` in the ini file, CAMPUS_GROUP_NAME in the environment; required if it has no default."""

    name: str
    parse: Callable[[str], Any]
    default: str | None
    help: str

    @property
    def variable(self) -> str:
        """Return the environment variable that overrides the ini file."""
        return "CAMPUS_" + self.name.replace(".", "_").upper()

    def value(self, texts: Mapping[str, str]) -> Any:
        """Parse the text of the setting, or its default; raise SettingError if it is invalid or required."""
        text = texts.get(self.name, self.default)
        if text is None:
            raise SettingError(f"{self.name} is not set: set it in the ini file or as {self.variable}.")
        try:
            text.encode()
            return self.parse(text.strip())
        except ValueError as error:
            raise SettingError(f"{self.name}: {error}.") from None


def _check_uri(text: str) -> str:
    """Check the scheme of a URI, which errors do not quote."""
    if not text.isprintable():
        raise ValueError("the URI has a control character or several lines")
    if not _URI.fullmatch(text):
        raise ValueError("the URI must be mongodb://..., mongodb+srv://..., embedded:<folder> or mongomock://")
    return text


def _parse_bool(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"{text!r} is neither true nor false")
    return text == "true"


def _parse_time_zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (KeyError, OSError, ValueError):
        raise ValueError(f"{text!r} is not the name of a time zone, such as America/New_York") from None


def _parse_timestamp(text: str) -> datetime | None:
    """Parse an ISO 8601 timestamp with a UTC offset; None if empty."""
    with suppress(ValueError):
        timestamp = datetime.fromisoformat(text)
        # Converted to the time zone of the campus, the first and the last year could overflow.
        if timestamp.tzinfo and MINYEAR < timestamp.year < MAXYEAR:
            return timestamp
    if text:
        raise ValueError(f"{text!r} is not a timestamp with its UTC offset, such as 2026-11-21T12:00:00-05:00")
    return None


def _parse_url(text: str) -> str:
    """Check a URL that paths are appended to, and return it without the slash at its end; empty if there is none."""
    if text and not (_URL.fullmatch(text) and text.isascii() and "?" not in text and "#" not in text):
        raise ValueError(f"{text!r} is not a URL such as https://campus.example.edu")
    return text.rstrip("/")


def _parse_contact(text: str) -> str:
    """Return the URL of an email address or of a page; empty if there is none."""
    if text and not (_EMAIL.fullmatch(text) or _URL.fullmatch(text)):
        raise ValueError(f"{text!r} is neither an email address nor a URL such as https://campus.example.edu")
    return f"mailto:{text}" if _EMAIL.fullmatch(text) else text


def _parse_tiles_url(text: str) -> str:
    """Check the URL template of XYZ raster tiles; empty if there are none."""
    placeholders = sorted(re.findall(r"\{.*?\}", text))
    if text and not (_URL.fullmatch(text) and placeholders == ["{x}", "{y}", "{z}"]):
        raise ValueError(f"{text!r} is not a URL such as https://tiles.example.edu/{{z}}/{{x}}/{{y}}.png")
    return text


def parse_integer(minimum: int, maximum: int, noun: str, text: str) -> int:
    """Parse a decimal integer in a range."""
    if not (re.fullmatch(r"[0-9]{1,18}", text) and minimum <= int(text) <= maximum):
        raise ValueError(f"{text!r} is not a {noun} from {minimum} to {maximum}")
    return int(text)


_parse_milliseconds = partial(parse_integer, 1, 999_999_999, "whole number of milliseconds")
_parse_seconds = partial(parse_integer, 0, 31_536_000, "whole number of seconds")
_parse_megabytes = partial(parse_integer, 0, 1_000_000, "whole number of megabytes")

SETTINGS = (
    Setting("mongo.uri", _check_uri, None, "mongodb://..., mongodb+srv://..., embedded:<folder> or mongomock://."),
    Setting("mongo.uri_file", str, "", "A file that contains the URI instead, such as a mounted secret."),
    Setting("mongo.timeout_ms", _parse_milliseconds, "1000", "Timeout of a query to MongoDB, in milliseconds."),
    Setting("cache.max_age", _parse_seconds, "60", "The `max-age` of responses, in seconds."),
    Setting("cache.memory_mb", _parse_megabytes, "64", "Response cache of each process, in megabytes; 0 disables it."),
    Setting("clock.time_zone", _parse_time_zone, "America/New_York", "The time zone of the campus; it defines today."),
    Setting("clock.frozen_at", _parse_timestamp, "", "Freeze the clock at this ISO 8601 timestamp, for tests."),
    Setting("data.license", str, "", "The licence of the data: a name or a URL."),
    Setting("data.attribution", str, "", "The attribution of the data, as text."),
    Setting("data.contact", _parse_contact, "", "Where to report a mistake: an email address or a URL."),
    Setting("log.access", _parse_bool, "false", "Log every request: true or false."),
    Setting("map.tiles_url", _parse_tiles_url, "", "Raster tiles under the map: https://.../{z}/{x}/{y}.png."),
    Setting("map.attribution", str, "", "The attribution of the tiles, as HTML."),
    Setting("pages.url", _parse_url, "", "The public URL of the service, for the links in calendars and feeds."),
    Setting("pages.offline", _parse_bool, "true", "Browsers keep /explore for use without a network: true or false."),
)


def read_ini(path: str) -> ConfigDict:
    """Return the section [app:main] as pserve reads it; its `global_conf` has the keys of [DEFAULT]."""
    try:
        return Loader(parse_uri(path)).get_wsgi_app_settings()
    except (ConfigParserError, UnicodeDecodeError):
        # The message of the parser quotes the line, which may contain a password.
        raise SettingError(f"{path} is not a valid ini file: it cannot be parsed (is a % written %%?)") from None
    except (OSError, LookupError, ImportError, PlasterError) as error:
        raise SettingError(f"{path} is not a valid ini file: {error}") from error


def load(ini: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the parsed settings by name; raise SettingError for an invalid, missing or unknown one."""
    texts = _texts(ini, environ)
    names = sorted(setting.name for setting in SETTINGS)
    for name in texts:
        if name not in names:
            raise SettingError(f"{name} is not a setting: the settings are {', '.join(names)}.")
    if all(map(texts.get, _URIS)):
        raise SettingError("mongo.uri and mongo.uri_file are both set: set one of them.")
    if texts.get("mongo.uri_file"):
        texts["mongo.uri"] = _read_uri(texts["mongo.uri_file"])
    return {setting.name: setting.value(texts) for setting in SETTINGS}


def _texts(ini: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of all settings that are set; a URI or its file in the environment replaces both in `ini`."""
    variables = {setting.variable: setting.name for setting in SETTINGS}
    # Unknown names in these groups are errors.
    groups = {setting.name.partition(".")[0] for setting in SETTINGS}
    in_ini = tuple(f"{group}." for group in groups)
    in_environ = tuple(f"CAMPUS_{group}_".upper() for group in groups)
    overrides = {}
    for name, text in environ.items():
        is_of_kubernetes = _KUBERNETES.fullmatch(name) or text.startswith(_KUBERNETES_PORTS)
        if name.startswith(in_environ) and not is_of_kubernetes:
            overrides[variables.get(name, name)] = text
    replaced = _URIS if any(map(overrides.get, _URIS)) else ()
    names = [name for name in ini if name.startswith(in_ini) and name not in replaced]
    return {name: ini[name] for name in names} | overrides


def _read_uri(path: str) -> str:
    try:
        return _check_uri(Path(path).read_text(encoding="utf-8-sig").strip())
    except OSError as error:
        raise SettingError(f"mongo.uri_file: {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise SettingError(f"mongo.uri_file: {path} is not valid: {error}.") from None
