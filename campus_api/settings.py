"""Every setting of the service: name, type, default and help; from the ini file and the environment."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any
from zoneinfo import ZoneInfo

# The groups that are ours, also where they have no settings yet: a name in them that is none is a mistake.
_GROUPS = ("answers", "clock", "log", "mongo")


class SettingError(ValueError):
    """A setting that stops the start; the message names it."""


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
        """Return the typed value of `text`, or of the default; SettingError when it is wrong or missing."""
        if text is None and self.default is None:
            raise SettingError(f"{self.name} is not set: give it in the ini file or as {self.variable}.")
        try:
            return self.parse(self.default if text is None else text.strip())
        except ValueError as error:
            given = "" if self.secret else f" {text!r}"
            raise SettingError(f"{self.name}{given} {error}.") from None


def _mongo_uri(text: str) -> str:
    scheme, _, rest = text.partition(":")
    if scheme in ("mongodb", "mongodb+srv", "mongomock") and rest.startswith("//"):
        return text
    if scheme == "embedded" and rest:
        return text
    raise ValueError("is none of mongodb://..., mongodb+srv://..., embedded:<folder> and mongomock://")


def _milliseconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) > 0):
        raise ValueError("is not a whole number of milliseconds from 1 to 999999999")
    return int(text)


def _switch(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("is neither true nor false")
    return text == "true"


def _time_zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (KeyError, OSError, ValueError):
        raise ValueError("is not the name of a time zone, such as America/New_York") from None


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("is not a moment such as 2026-11-21T12:00:00-05:00") from None
    if moment.tzinfo is None:
        raise ValueError("has no offset from UTC, such as the -05:00 in 2026-11-21T12:00:00-05:00")
    if not MINYEAR < moment.year < MAXYEAR:
        raise ValueError("may have no date on the campus")
    return moment


def _whole(most: int, unit: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) <= most):
            raise ValueError(f"is not a whole number of {unit} from 0 to {most}")
        return int(text)

    return parse


SETTINGS = (
    Setting(
        "mongo.uri",
        _mongo_uri,
        None,
        "The database: mongodb://..., mongodb+srv://..., embedded:<folder> or mongomock://.",
        secret=True,
    ),
    Setting(
        "mongo.timeout_ms",
        _milliseconds,
        "1000",
        "How many milliseconds a query may wait for MongoDB.",
    ),
    Setting(
        "answers.max_age",
        _whole(31_536_000, "seconds"),
        "60",
        "How many seconds browsers and caches may keep an answer.",
    ),
    Setting(
        "answers.memory_mb",
        _whole(1_000_000, "megabytes"),
        "64",
        "How many megabytes of answers each process keeps; 0 keeps nothing.",
    ),
    Setting("clock.time_zone", _time_zone, "America/New_York", "The time zone that decides what today is."),
    Setting(
        "clock.stopped_at",
        _moment,
        "",
        "A moment (ISO 8601) at which time stands still, for trials.",
    ),
    Setting("log.access", _switch, "false", "Whether every request is logged: true or false."),
)


@dataclass(frozen=True)
class Given:
    """The text that a setting was given, None for its default, and where that stands."""

    text: str | None
    source: str


def given(ini: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, Given]:
    """Return what every setting was given, by name; SettingError names what is unknown."""
    variables = {setting.variable: setting.name for setting in SETTINGS}
    prefixes = tuple(f"CAMPUS_{group}_".upper() for group in _GROUPS)
    found = {setting.name: Given(None, "default") for setting in SETTINGS}
    ours = {name: text for name, text in ini.items() if name.partition(".")[0] in _GROUPS and "." in name}
    read_from = [(name, Given(text, "file")) for name, text in ours.items()]
    read_from += [
        (variables.get(name, name), Given(text, "environment"))
        for name, text in environ.items()
        if name.startswith(prefixes)
    ]
    for name, value in read_from:
        if name not in found:
            raise SettingError(f"{name} is not a setting: the settings are {', '.join(sorted(found))}.")
        found[name] = value
    return found


def read(ini: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the typed value of every setting by name; SettingError names what is wrong or unknown."""
    texts = given(ini, environ)
    return {setting.name: setting.value(texts[setting.name].text) for setting in SETTINGS}
