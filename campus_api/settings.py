"""Settings of the service: name, type, default and help; read from the ini file and the environment."""

import os
import re
from collections.abc import Callable, Mapping
from configparser import Error as ConfigParserError
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import plaster
from plaster.exceptions import PlasterError
from plaster_pastedeploy import ConfigDict

# Unknown names in these groups are errors.
_GROUPS = ("cache", "clock", "data", "log", "map", "mongo", "pages")
_KUBERNETES = re.compile(r"\w+_SERVICE_(HOST|PORT(_\w+)?)|\w+_PORT_[0-9]+_(TCP|UDP|SCTP)(_\w+)?")
# Without characters that would end the host in a content security policy.
_URL = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]+)?(/\S*)?")


class SettingError(ValueError):
    """A configuration error that prevents the start; the message names the setting or the file."""


@dataclass(frozen=True)
class Setting:
    """One setting: `group.name` in the ini file, CAMPUS_GROUP_NAME in the environment."""

    name: str
    parse: Callable[[str], Any]
    default: str | None
    help: str
    secret: bool = False

    @property
    def variable(self) -> str:
        """Return the environment variable that overrides the ini file."""
        return "CAMPUS_" + self.name.replace(".", "_").upper()

    def value(self, text: str | None) -> Any:
        """Parse `text`, or the default if it is None; raise SettingError if it is invalid or required."""
        effective = self.default if text is None else text.strip()
        if effective is None:
            raise SettingError(f"{self.name} is not set: set it in the ini file or as {self.variable}.")
        try:
            effective.encode()
            return self.parse(effective)
        except UnicodeEncodeError:
            raise SettingError(f"{self.name} is not text in UTF-8.") from None
        except ValueError as error:
            quoted = "" if self.secret else f" {text!r}"
            raise SettingError(f"{self.name}{quoted} {error}.") from None


def parse_mongo_uri(text: str) -> str:
    """Check the scheme of a URI; the driver checks the rest."""
    scheme, _, rest = text.partition(":")
    if not text.isprintable():
        raise ValueError("has a control character or several lines")
    if scheme in ("mongodb", "mongodb+srv", "mongomock") and rest.startswith("//"):
        return text
    if scheme == "embedded" and rest:
        return text
    raise ValueError("must be mongodb://..., mongodb+srv://..., embedded:<folder> or mongomock://")


def parse_bool(text: str) -> bool:
    """Parse `true` or `false`."""
    if text not in ("true", "false"):
        raise ValueError("is neither true nor false")
    return text == "true"


def parse_time_zone(text: str) -> ZoneInfo:
    """Parse the name of an IANA time zone."""
    try:
        return ZoneInfo(text)
    except (KeyError, OSError, ValueError):
        raise ValueError("is not the name of a time zone, such as America/New_York") from None


def parse_timestamp(text: str) -> datetime | None:
    """Parse an ISO 8601 timestamp with a UTC offset; None if empty."""
    if not text:
        return None
    try:
        timestamp = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("is not a timestamp such as 2026-11-21T12:00:00-05:00") from None
    if timestamp.tzinfo is None:
        raise ValueError("has no UTC offset, such as the -05:00 in 2026-11-21T12:00:00-05:00")
    # Converted to the time zone of the campus, the first and the last year could overflow.
    if not MINYEAR < timestamp.year < MAXYEAR:
        raise ValueError("is out of range")
    return timestamp


def parse_url(text: str) -> str:
    """Check a URL that paths are appended to, and return it without the slash at its end; empty if there is none."""
    if text and not (_URL.fullmatch(text) and text.isascii() and "?" not in text and "#" not in text):
        raise ValueError("is not a URL such as https://campus.example.edu")
    return text.rstrip("/")


def parse_tiles_url(text: str) -> str:
    """Check the URL template of XYZ raster tiles; empty if there are none."""
    placeholders = sorted(re.findall(r"\{.*?\}", text))
    if text and not (_URL.fullmatch(text) and placeholders == ["{x}", "{y}", "{z}"]):
        raise ValueError("is not a URL such as https://tiles.example.edu/{z}/{x}/{y}.png")
    return text


def integer_parser(minimum: int, maximum: int, unit: str) -> Callable[[str], int]:
    """Return a parser of decimal integers in a range."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and minimum <= int(text) <= maximum):
            raise ValueError(f"is not a whole number of {unit} from {minimum} to {maximum}")
        return int(text)

    return parse


SETTINGS = (
    Setting(
        "mongo.uri",
        parse_mongo_uri,
        None,
        "The database: mongodb://..., mongodb+srv://..., embedded:<folder> or mongomock://.",
        secret=True,
    ),
    Setting(
        "mongo.uri_file", str, "", "A file that contains the URI, in place of `mongo.uri`, such as a mounted secret."
    ),
    Setting(
        "mongo.timeout_ms",
        integer_parser(1, 999_999_999, "milliseconds"),
        "1000",
        "Timeout of a query to MongoDB, in milliseconds.",
    ),
    Setting(
        "cache.max_age",
        integer_parser(0, 31_536_000, "seconds"),
        "60",
        "The `max-age` of responses, in seconds.",
    ),
    Setting(
        "cache.memory_mb",
        integer_parser(0, 1_000_000, "megabytes"),
        "64",
        "Size of the response cache of each process, in megabytes; 0 disables it.",
    ),
    Setting("clock.time_zone", parse_time_zone, "America/New_York", "The time zone of the campus; it defines today."),
    Setting(
        "clock.frozen_at",
        parse_timestamp,
        "",
        "Freeze the clock at this ISO 8601 timestamp, for tests and demonstrations.",
    ),
    Setting("data.license", str, "", "The licence of the data: a name or a URL."),
    Setting("data.attribution", str, "", "The attribution of the data, as text."),
    Setting("log.access", parse_bool, "false", "Log every request: true or false."),
    Setting(
        "map.tiles_url",
        parse_tiles_url,
        "",
        "Raster tiles under the map of /explore, such as https://tiles.example.edu/{z}/{x}/{y}.png.",
    ),
    Setting("map.attribution", str, "", "The attribution of the tiles, as HTML."),
    Setting("pages.url", parse_url, "", "The public URL of the service, for the links in calendars."),
    Setting("pages.offline", parse_bool, "true", "Browsers keep /explore for use without a network: true or false."),
)


@dataclass(frozen=True)
class RawValue:
    """The text of a setting, None if it has its default, and its source: environment, file or default."""

    text: str | None
    source: str


def read_ini(path: str) -> ConfigDict:
    """Return the section [app:main] as pserve reads it; its `global_conf` has the keys of [DEFAULT]."""
    try:
        return plaster.get_loader(path, protocols=["wsgi"]).get_wsgi_app_settings()
    except (ConfigParserError, UnicodeDecodeError):
        # The message of the parser quotes the line, which may contain a password.
        raise SettingError(f"{path} is not a valid ini file: it cannot be parsed (is a % written %%?)") from None
    except (OSError, LookupError, ImportError, PlasterError) as error:
        raise SettingError(f"{path} is not a valid ini file: {error}") from error


def raw_values(ini: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, RawValue]:
    """Return the unparsed settings by name; raise SettingError for an unknown one."""
    variables = {setting.variable: setting.name for setting in SETTINGS}
    prefixes = tuple(f"CAMPUS_{group}_".upper() for group in _GROUPS)
    values = {setting.name: RawValue(None, "default") for setting in SETTINGS}
    grouped = {name: text for name, text in ini.items() if name.partition(".")[0] in _GROUPS and "." in name}
    overrides = [(name, RawValue(text, "file")) for name, text in grouped.items()]
    overrides += [
        (variables.get(name, name), RawValue(text, "environment"))
        for name, text in environ.items()
        if name.startswith(prefixes) and not _is_of_kubernetes(name, text)
    ]
    for name, value in overrides:
        if name not in values:
            raise SettingError(f"{name} is not a setting: the settings are {', '.join(sorted(values))}.")
        values[name] = value
    return {**values, "mongo.uri": _raw_uri(values["mongo.uri"], values["mongo.uri_file"])}


def _is_of_kubernetes(name: str, text: str) -> bool:
    """Return whether Kubernetes sets a variable in every container, for a service named campus-mongo, for example.

    https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
    """
    return bool(_KUBERNETES.fullmatch(name)) or text.startswith(("tcp://", "udp://", "sctp://"))


def _raw_uri(uri: RawValue, file: RawValue) -> RawValue:
    """Return the URI of the database, or that in the file; as everywhere, the environment takes precedence."""
    if not file.text or (uri.text and (uri.source, file.source) == ("environment", "file")):
        return uri
    if uri.text and uri.source == file.source:
        raise SettingError("mongo.uri and mongo.uri_file are both set: set one of them.")
    try:
        text = Path(file.text).read_text(encoding="utf-8-sig").strip()
        return RawValue(parse_mongo_uri(text), file.source)
    except OSError as error:
        raise SettingError(f"mongo.uri_file {file.text} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SettingError(f"mongo.uri_file {file.text} is not text in UTF-8.") from None
    except ValueError as error:
        raise SettingError(f"mongo.uri_file {file.text}: its content {error}.") from None


def load(ini: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the parsed settings by name; raise SettingError for an invalid, missing or unknown one."""
    values = raw_values(ini, environ)
    return {setting.name: setting.value(values[setting.name].text) for setting in SETTINGS}
