"""Files of profiles: those of a path, and the built-in ones by name, which others extend."""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from loaders.profiles.values import require_text

_FOLDER = Path(__file__).parent


class ProfileError(Exception):
    """A profile that does not exist or is invalid; the message names the profile and the key."""


def read_format(name: str) -> str:
    """Return the format of a profile, or that of the built-in one it extends; ProfileError if it is missing."""
    table = load_table(name)
    with profile_errors(name):
        return str(settings_of(parse_format(table))["format"])


@cache
def built_in_profiles() -> tuple[str, ...]:
    """Return the names of the built-in profiles."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@contextmanager
def profile_errors(name: str) -> Iterator[None]:
    """Turn a ValueError into a ProfileError that names the profile."""
    try:
        yield
    except ValueError as error:
        raise ProfileError(f"profile {name}: {error}") from None


def profile_path(name: str) -> Path:
    """Return the path of a profile."""
    return Path(name) if name.endswith(".toml") else _FOLDER / f"{name}.toml"


def load_table(name: str) -> dict[str, Any]:
    """Return the content of a profile; ProfileError if it does not exist or is not TOML."""
    try:
        return tomllib.loads(profile_path(name).read_text(encoding="utf-8"))
    except OSError:
        names = ", ".join(built_in_profiles())
        raise ProfileError(f"profile {name}: does not exist; use a .toml file or one of {names}") from None
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"profile {name}: is not TOML: {error}") from error


def text_setting(name: str, key: str) -> str:
    """Return a setting of a profile, "" if it has none; ProfileError if it is no text."""
    with profile_errors(name):
        return require_text(key, load_table(name).get(key, ""))


def settings_of(name: str) -> dict[str, Any]:
    """Return the settings of a built-in profile and of the one that its format names; of another name, the format."""
    if name not in built_in_profiles():
        return {"format": name}
    table = load_table(name)
    extended = {"format": name} if table["format"] == name else settings_of(table["format"])
    return extended | {key: value for key, value in table.items() if key != "format"}


def parse_format(table: Mapping[str, Any]) -> str:
    """Return the name of a format or a built-in profile, which `loaders.readers` checks."""
    if "format" not in table:
        raise ValueError("format is missing")
    return require_text("format", table["format"])
